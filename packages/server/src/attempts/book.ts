import type { KeptElsewhere } from 'mayfly-protocol';
import { nameIn } from 'mayfly-protocol/inbox-name';
import { BoundedMap, SharedMap } from '../base/bounded-map.js';
import type { Clock } from '../base/clock.js';
import type { Addressing } from '../inbox/addressing.js';
import type { Taker } from '../inbox/inboxes.js';
import type { ObserveSmtp } from '../smtp/observer.js';
import { Attempt, type Begun, type NotedRecipient, type Notes, type OpenAttempt, Visit } from './attempt.js';

export type { OpenAttempt } from './attempt.js';

/** Limits of the log. Keeps attempts for as long as mail is kept by default. */
const BOUNDS = { maxSize: 5_000, maxBytes: 4 * 1024 * 1024, keptMs: 30 * 60 * 1_000 };

export const MAX_LISTED = 100;

const MAX_ELSEWHERE = 5;

/** Approximate memory of an attempt, and of each recipient, in addition to their addresses. */
const ATTEMPT_BYTES = 400;
const RECIPIENT_BYTES = 250;

const HANDED_BYTES = 150;

/** Maximum number of emails whose readers are noted although the log does not have the delivery attempt yet. */
const MAX_EARLY = 1_000;

/** An email older than this without an attempt in the log will not get one, so its readers are not noted. */
const EARLY_MS = 10_000;

export interface Shown {
  readonly attempt: Attempt;
  readonly recipients: readonly NotedRecipient[];
  /** Whether this connection was only a test, by a client that delivers messages in other connections. */
  readonly isTest: boolean;
}

/** Which rows to list: those since `after`, in milliseconds since the epoch, for which `isListed` returns true. */
export interface Sought {
  readonly after: number;
  /** `recipient` is null for a session without recipients. */
  isListed?(one: Shown, recipient: NotedRecipient | null): boolean;
}

export class AttemptBook implements Notes {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly addressing: Addressing;
  readonly #over: SharedMap<Attempt, Attempt>;
  /** Attempts on open connections, the oldest first: at most two per connection (`--smtp-connections-total`). */
  readonly #open = new Set<Attempt>();
  readonly #byEmail = new Map<string, { readonly attempt: Attempt; readonly recipient: NotedRecipient }>();
  /** Clients that got an email before its attempt ended: a stream may send it before the sender gets the reply. */
  readonly #early = new BoundedMap<string, (Taker & { readonly monotonic: number })[]>(MAX_EARLY);
  /** Number of attempts that delivered an email, by client and EHLO name. */
  readonly #delivered = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, addressing: Addressing) {
    this.clock = clock;
    this.addressing = addressing;
    const { monotonic } = clock;
    this.#over = new SharedMap({ ...BOUNDS, monotonic, forgotten: (attempt) => this.#forgotten(attempt) });
  }

  readonly observe: ObserveSmtp = (session) => new Visit(this, session);

  tookHttpForSmtp(client: string): void {
    const session = new Attempt(this, { way: 'smtp', client, from: null });
    session.ending = 'http-port';
    session.end();
  }

  begin(begun: Begun): OpenAttempt {
    return new Attempt(this, begun);
  }

  begun(attempt: Attempt): void {
    attempt.isOpen = true;
    this.#open.add(attempt);
  }

  drop(attempt: Attempt): void {
    attempt.isOpen = false;
    this.#open.delete(attempt);
  }

  add(attempt: Attempt): void {
    this.drop(attempt);
    for (const recipient of attempt.recipients) {
      const { inbox, receivedAt } = recipient;
      if (inbox === null || receivedAt === 0) continue;
      const key = emailKey(inbox, receivedAt);
      this.#byEmail.set(key, { attempt, recipient });
      for (const taker of this.#early.get(key) ?? []) attempt.handOut(recipient, taker, taker.monotonic);
      this.#early.delete(key);
    }
    if (hasDelivered(attempt)) this.#countDelivered(attempt, 1);
    this.#over.set(attempt, attempt, attempt.client, bytesOf(attempt));
  }

  /** The newest attempts for this inbox, newest first, each with only the recipients of this inbox. */
  ofInbox(inbox: string, sought: Sought): Shown[] {
    return this.#listed(sought, ({ recipients }) => {
      const own = recipients.filter((recipient) => recipient.inbox === inbox);
      return own.length === 0 ? null : own;
    });
  }

  /** The newest attempts in this ad-hoc workspace or (null) none. A session without recipients counts as null. */
  ofInboxes(mayList: (inbox: string | null) => boolean, sought: Sought, adHoc: string | null): Shown[] {
    return this.#listed(sought, ({ around, recipients }) => {
      const listed = recipients.filter(({ inbox }) => mayList(inbox));
      const isListed = recipients.length === 0 ? mayList(null) : listed.length > 0;
      return around.adHoc === adHoc && isListed ? listed : null;
    });
  }

  /** The newest email since `after` in each inbox that has the same name in another domain. */
  elsewhere(inbox: string, after: number): KeptElsewhere[] {
    const found = new Map<string, KeptElsewhere>();
    if (!this.addressing.mayBeElsewhere(inbox)) return [];
    for (const { at, recipients } of this.#since(after, null)) {
      for (const { inbox: other, receivedAt } of recipients) {
        if (other === null || other === inbox || receivedAt === 0 || nameIn(other) !== inbox) continue;
        if (!found.has(other)) found.set(other, { to: other, at: new Date(at).toISOString() });
        if (found.size === MAX_ELSEWHERE) return [...found.values()];
      }
    }
    return [...found.values()];
  }

  /** The newest attempts without an inbox, newest first: in this ad-hoc workspace or (null) none. */
  withoutInbox(sought: Sought, adHoc: string | null = null): Shown[] {
    return this.#listed(sought, ({ around, recipients }) => {
      const isListed = around.adHoc === adHoc && recipients.every(({ inbox }) => inbox === null);
      return isListed ? recipients : null;
    });
  }

  /** Number of attempts hidden because either the sender or the caller, but not both, has an ad-hoc workspace (D66). */
  acrossAdHoc(
    address: string,
    { after, client, adHoc }: { after: number; client: string | null; adHoc: string | null },
  ): number {
    const inbox = this.addressing.attemptedInbox(address, adHoc);
    if (inbox === null) return 0;
    const names = ({ recipients }: Attempt) =>
      recipients.some((one) => this.addressing.attemptedInbox(one.address, adHoc) === inbox);
    const across = this.#since(after, client).filter(({ around }) => (around.adHoc === null) !== (adHoc === null));
    return across.filter(names).length;
  }

  since(after: number, client: string | null): Shown[] {
    return this.#since(after, client).map((attempt) => this.#shown(attempt, attempt.recipients));
  }

  /** Records that emails of an inbox were delivered to a client. Only the first delivery by each `way` counts. */
  handedOut(inbox: string, emails: readonly { readonly receivedAt: number }[], taker: Taker): void {
    const [now, monotonic] = [this.clock.now(), this.clock.monotonic()];
    for (const { receivedAt } of emails) {
      const key = emailKey(inbox, receivedAt);
      const got = this.#byEmail.get(key);
      if (got?.attempt.handOut(got.recipient, taker, monotonic)) this.#over.grow(got.attempt, HANDED_BYTES);
      if (got !== undefined || receivedAt < now - EARLY_MS) continue;
      const known = this.#early.get(key) ?? [];
      if (!known.some(({ way }) => way === taker.way)) this.#early.set(key, [...known, { ...taker, monotonic }]);
    }
  }

  /** Records the release of a held email, which then counts as received at the time of the release (D56). */
  released(inbox: string, heldAt: number, receivedAt: number): void {
    const got = this.#byEmail.get(emailKey(inbox, heldAt));
    if (got === undefined) return;
    this.#byEmail.delete(emailKey(inbox, heldAt));
    this.#byEmail.set(emailKey(inbox, receivedAt), got);
    got.recipient.receivedAt = receivedAt;
  }

  #since(after: number, client: string | null): Attempt[] {
    const open = [...this.#open].filter((attempt) => client === null || attempt.client === client).reverse();
    return [...open, ...this.#over.newest(client)].filter(({ at }) => at >= after);
  }

  /** The newest attempts with the listed recipients that `choose` returns, at most 100; null leaves out the attempt. */
  #listed(
    { after, isListed = () => true }: Sought,
    choose: (attempt: Attempt) => readonly NotedRecipient[] | null,
  ): Shown[] {
    const listed: Shown[] = [];
    let left = MAX_LISTED;
    for (const attempt of this.#since(after, null)) {
      if (left === 0) break;
      const chosen = choose(attempt);
      if (chosen === null) continue;
      const one = this.#shown(attempt, chosen);
      const recipients = chosen.filter((recipient) => isListed(one, recipient)).slice(0, left);
      if (recipients.length === 0 && (chosen.length > 0 || !isListed(one, null))) continue;
      listed.push({ ...one, recipients });
      left -= Math.max(recipients.length, 1);
    }
    return listed;
  }

  #shown(attempt: Attempt, recipients: readonly NotedRecipient[]): Shown {
    // `senderKey` includes the EHLO name, because all applications of a machine share its IP address.
    const saidNothing = attempt.ending === 'no-mail' && attempt.around.lastCommand === 'QUIT';
    return { attempt, recipients, isTest: saidNothing && this.#delivered.has(senderKey(attempt)) };
  }

  #forgotten(attempt: Attempt): void {
    for (const { inbox, receivedAt } of attempt.recipients) this.#byEmail.delete(emailKey(inbox ?? '', receivedAt));
    if (hasDelivered(attempt)) this.#countDelivered(attempt, -1);
  }

  #countDelivered(attempt: Attempt, by: number): void {
    const key = senderKey(attempt);
    const count = (this.#delivered.get(key) ?? 0) + by;
    if (count > 0) this.#delivered.set(key, count);
    else this.#delivered.delete(key);
  }
}

function hasDelivered({ recipients }: Attempt): boolean {
  return recipients.some(({ receivedAt }) => receivedAt !== 0);
}

function senderKey({ client, around }: Attempt): string {
  return `${client} ${around.hello ?? ''}`;
}

function emailKey(inbox: string, receivedAt: number): string {
  return `${receivedAt} ${inbox}`;
}

/** Approximate memory of an attempt. The size grows as the attempt's emails are delivered to clients. */
function bytesOf({ from, around, recipients }: Attempt): number {
  let bytes = ATTEMPT_BYTES + 2 * ((from?.length ?? 0) + (around.hello?.length ?? 0));
  for (const { address, handed } of recipients) {
    bytes += RECIPIENT_BYTES + 2 * address.length + handed.length * HANDED_BYTES;
  }
  return bytes;
}
