import type { KeptElsewhere } from 'mayfly-protocol';
import { nameIn } from 'mayfly-protocol/inbox-name';
import type { Clock } from '../base/clock.js';
import type { Addressing } from '../inbox/addressing.js';
import type { Taker } from '../inbox/inboxes.js';
import type { ObserveSmtp } from '../smtp/observer.js';
import { Attempt, type Begun, type NotedRecipient, type Notes, type OpenAttempt } from './attempt.js';
import { EarlyTakers, Holders, InboxIndex } from './book-index.js';
import { Visit } from './visit.js';

export type { OpenAttempt } from './attempt.js';

/** How long an attempt is remembered: as long as mail is kept by default. */
export const REMEMBERED_MS = 30 * 60 * 1000;

export const MAX_ATTEMPTS = 5_000;
export const MAX_BYTES = 4 * 1024 * 1024;

export const MAX_LISTED = 100;

const MAX_ELSEWHERE = 5;

/** About what an attempt takes, and each of its recipients, besides their addresses. */
const ATTEMPT_BYTES = 400;
const RECIPIENT_BYTES = 250;

const HANDED_BYTES = 150;

export interface Shown {
  readonly attempt: Attempt;
  readonly recipients: readonly NotedRecipient[];
}

/**
 * The newest attempts, in memory alone. A full book forgets the oldest of the client that holds most, so that no client
 * pushes out those of others.
 */
export class AttemptBook implements Notes {
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly addressing: Addressing;
  readonly #holders = new Holders();
  readonly #inboxes = new InboxIndex();
  readonly #early = new EarlyTakers();
  /** Those on open connections, the oldest first: at most two for each (`--smtp-connections-total`). */
  readonly #open = new Set<Attempt>();
  #oldest: Attempt | null = null;
  #newest: Attempt | null = null;
  #size = 0;
  #bytes = 0;

  constructor({ now, monotonic }: Pick<Clock, 'now' | 'monotonic'>, addressing: Addressing) {
    this.addressing = addressing;
    this.now = now;
    this.monotonic = monotonic;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Observes an SMTP connection. */
  readonly observe: ObserveSmtp = (session) => new Visit(this, session);

  tookHttpForSmtp(client: string): void {
    const session = new Attempt(this, { way: 'smtp', client, from: null });
    session.ending = 'http-port';
    session.end();
  }

  /** A mail of a send API begins. */
  begin(begun: Begun): OpenAttempt {
    return new Attempt(this, begun);
  }

  begun(attempt: Attempt): void {
    this.#open.add(attempt);
  }

  drop(attempt: Attempt): void {
    attempt.live = null;
    this.#open.delete(attempt);
  }

  hasDelivered(client: string, hello: string | null): boolean {
    return this.#holders.hasDelivered(client, hello);
  }

  add(attempt: Attempt): void {
    this.drop(attempt);
    this.#forgetExpired();
    attempt.older = this.#newest;
    if (this.#newest === null) this.#oldest = attempt;
    else this.#newest.newer = attempt;
    this.#newest = attempt;
    this.#size += 1;
    for (const recipient of attempt.recipients) this.#catchUp(attempt, recipient);
    const bytes = bytesOf(attempt);
    this.#bytes += bytes;
    this.#holders.add(attempt, bytes);
    this.#inboxes.add(attempt);
    this.#makeRoom();
  }

  /** The newest attempts since a moment for this inbox, newest first, each with the recipients of this inbox alone. */
  ofInbox(inbox: string, after: number): Shown[] {
    this.#forgetExpired();
    const open = [...this.#open].filter(({ recipients }) => recipients.some((one) => one.inbox === inbox));
    return [...this.#inboxes.of(inbox), ...open]
      .filter(({ at }) => at >= after)
      .slice(-MAX_LISTED)
      .reverse()
      .map((attempt) => ({ attempt, recipients: attempt.recipients.filter((one) => one.inbox === inbox) }));
  }

  /** The newest mail kept since a moment for the same name in other domains, each an inbox of its own. */
  elsewhere(inbox: string, after: number): KeptElsewhere[] {
    const found = new Map<string, KeptElsewhere>();
    if (!this.addressing.mayBeElsewhere(inbox)) return [];
    for (const { at, recipients } of this.since(after, null)) {
      for (const { inbox: other, receivedAt } of recipients) {
        if (other === null || other === inbox || receivedAt === 0 || nameIn(other) !== inbox) continue;
        if (!found.has(other)) found.set(other, { to: other, at: new Date(at).toISOString() });
        if (found.size === MAX_ELSEWHERE) return [...found.values()];
      }
    }
    return [...found.values()];
  }

  /** The newest attempts since a moment that named no inbox, newest first: of one space, or outside of all (null). */
  withoutInbox(after: number, space: string | null = null): Shown[] {
    return this.since(after, null)
      .filter((attempt) => spaceIn(attempt) === space)
      .filter(({ recipients }) => recipients.every(({ inbox }) => inbox === null))
      .slice(0, MAX_LISTED)
      .map((attempt) => ({ attempt, recipients: attempt.recipients }));
  }

  /**
   * How many attempts of a client for an address are not shown in its inbox, because the sender or the caller, but not
   * both, are in a space (D66).
   */
  acrossSpaces(address: string, { after, client, space }: Across): number {
    const isAcross = (attempt: Attempt) => (spaceIn(attempt) === null) !== (space === null);
    const inbox = this.addressing.attemptedInbox(address, space);
    if (inbox === null) return 0;
    const names = (attempt: Attempt) =>
      attempt.recipients.some((one) => this.addressing.attemptedInbox(one.address, space) === inbox);
    return this.since(after, client).filter((attempt) => isAcross(attempt) && names(attempt)).length;
  }

  /** The newest first: those that are not over before all others. */
  since(after: number, client: string | null): Attempt[] {
    this.#forgetExpired();
    const isMeant = (attempt: Attempt) => client === null || attempt.client === client;
    const found = [...this.#open].filter((attempt) => attempt.at >= after && isMeant(attempt)).reverse();
    let one = client === null ? this.#newest : this.#holders.newestOf(client);
    while (one !== null) {
      if (one.at >= after) found.push(one);
      one = client === null ? one.older : one.olderOfClient;
    }
    return found;
  }

  /** Emails of an inbox are given to a client. By each way, the first time counts. */
  handedOut(inbox: string, emails: readonly { readonly receivedAt: number }[], taker: Taker): void {
    const [now, monotonic] = [this.now(), this.monotonic()];
    const recipients = this.#recipientsOf(inbox);
    let bytes = 0;
    for (const { receivedAt } of emails) {
      const found = recipients.get(receivedAt);
      if (found === undefined) this.#early.note(inbox, receivedAt, { ...taker, monotonic }, now);
      else if (found.attempt.handOut(found.recipient, taker, monotonic)) {
        this.#holders.grow(found.attempt, HANDED_BYTES);
        bytes += HANDED_BYTES;
      }
    }
    this.#bytes += bytes;
    if (bytes > 0) this.#makeRoom();
  }

  /** An email that was held is shown, as if it arrived now (D56). */
  released(inbox: string, heldAt: number, receivedAt: number): void {
    const found = this.#recipientsOf(inbox).get(heldAt);
    if (found !== undefined) found.recipient.receivedAt = receivedAt;
  }

  #recipientsOf(inbox: string): ReadonlyMap<number, Got> {
    const recipients = new Map<number, Got>();
    for (const attempt of this.#inboxes.of(inbox)) {
      for (const recipient of attempt.recipients) {
        if (recipient.inbox === inbox && recipient.receivedAt !== 0) {
          recipients.set(recipient.receivedAt, { attempt, recipient });
        }
      }
    }
    return recipients;
  }

  /** Notes who took an email before its attempt came into the book. */
  #catchUp(attempt: Attempt, recipient: NotedRecipient): void {
    const { inbox, receivedAt } = recipient;
    if (inbox === null || receivedAt === 0) return;
    for (const taker of this.#early.take(inbox, receivedAt)) attempt.handOut(recipient, taker, taker.monotonic);
  }

  #makeRoom(): void {
    while (this.#size > MAX_ATTEMPTS || this.#bytes > MAX_BYTES) {
      const oldest = this.#holders.oldestOfHeaviest();
      if (oldest === null) break;
      this.#forget(oldest);
    }
  }

  #forgetExpired(): void {
    const oldestKept = this.monotonic() - REMEMBERED_MS;
    while (this.#oldest !== null && this.#oldest.begunAt <= oldestKept) this.#forget(this.#oldest);
  }

  #forget(attempt: Attempt): void {
    const { older, newer } = attempt;
    if (older === null) this.#oldest = newer;
    else older.newer = newer;
    if (newer === null) this.#newest = older;
    else newer.older = older;
    this.#size -= 1;
    const bytes = bytesOf(attempt);
    this.#bytes -= bytes;
    this.#holders.remove(attempt, bytes);
    this.#inboxes.remove(attempt);
  }
}

interface Across {
  readonly after: number;
  readonly client: string | null;
  /** That of the caller. */
  readonly space: string | null;
}

export function spaceIn({ live, space }: Attempt): string | null {
  return live === null ? space : live.space;
}

interface Got {
  readonly attempt: Attempt;
  readonly recipient: NotedRecipient;
}

/** About how many bytes of memory an attempt takes. It grows in the book when its emails are given to clients. */
function bytesOf({ from, hello, recipients }: Attempt): number {
  let bytes = ATTEMPT_BYTES + 2 * ((from?.length ?? 0) + (hello?.length ?? 0));
  for (const { address, handed } of recipients) {
    bytes += RECIPIENT_BYTES + 2 * address.length + handed.length * HANDED_BYTES;
  }
  return bytes;
}
