import type { Clock } from '../base/clock.js';
import { Attempt, type Begun, type Noted, type NotedRecipient, type Notes, type Told } from './attempt.js';
import { Holders } from './holders.js';
import { refusedVisit, Visit } from './visit.js';

export { type Attempt, MAX_RECIPIENTS } from './attempt.js';
export { toldBy, type Visit } from './visit.js';

/** How long an attempt is remembered: as long as mail is kept by default. */
export const REMEMBERED_MS = 30 * 60 * 1000;

/** How many attempts are remembered, and about how many bytes they may take. */
export const MAX_ATTEMPTS = 5_000;
export const MAX_BYTES = 4 * 1024 * 1024;

/** Most attempts that one answer lists, the newest. */
export const MAX_LISTED = 100;

/** About what an attempt takes, and each of its recipients, besides their addresses. */
const ATTEMPT_BYTES = 500;
const RECIPIENT_BYTES = 250;

/** An attempt, and its recipients that may be shown. */
export interface Shown {
  readonly noted: Noted;
  readonly recipients: readonly NotedRecipient[];
}

/**
 * The newest attempts to send mail, whether mail came of them or not, in this process. Where there is no room, those of
 * the client that holds most leave, the oldest first, so that no client pushes out those of others. Nothing of it is on
 * disk.
 */
export class AttemptBook implements Notes {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** The oldest first. */
  readonly #all = new Map<Noted, number>();
  readonly #holders = new Holders();
  readonly #byInbox = new Map<string, Noted[]>();
  #bytes = 0;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#all.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  moment(): { now: number; monotonic: number } {
    return { now: this.#clock.now(), monotonic: this.#clock.monotonic() };
  }

  /** An SMTP connection begins. */
  visit(client: string): Visit {
    return new Visit(this, client);
  }

  /** An SMTP connection is refused before it is served. */
  turnedAway(client: string, told: Told): void {
    refusedVisit(this, client, told);
  }

  /** A mail of a send API begins. */
  begin(begun: Begun): Attempt {
    return new Attempt(this, begun);
  }

  add(noted: Noted): void {
    this.#forgetExpired();
    const bytes = bytesOf(noted);
    this.#all.set(noted, bytes);
    this.#bytes += bytes;
    this.#holders.add(noted, bytes);
    for (const { inbox } of noted.recipients) if (inbox !== null) this.#index(inbox, noted);
    while (this.#all.size > MAX_ATTEMPTS || this.#bytes > MAX_BYTES) {
      const oldest = this.#holders.oldestOfHeaviest();
      if (oldest === undefined) break;
      this.#forget(oldest);
    }
  }

  /** The newest attempts since a moment for this inbox, newest first, each with the recipients of this inbox alone. */
  ofInbox(inbox: string, after: number): Shown[] {
    return this.#since(after, this.#byInbox.get(inbox) ?? [])
      .slice(-MAX_LISTED)
      .reverse()
      .map((noted) => ({ noted, recipients: noted.recipients.filter((one) => one.inbox === inbox) }));
  }

  /** The newest attempts since a moment that named no inbox, newest first. */
  withoutInbox(after: number): Shown[] {
    return this.#since(after, this.#all.keys())
      .filter(({ recipients }) => recipients.every(({ inbox }) => inbox === null))
      .slice(-MAX_LISTED)
      .reverse()
      .map((noted) => ({ noted, recipients: noted.recipients }));
  }

  /** All attempts since a moment: those of one client, or of all (null). */
  since(after: number, client: string | null): Noted[] {
    return this.#since(after, client === null ? this.#all.keys() : (this.#holders.of(client)?.attempts ?? []));
  }

  /** Emails of an inbox were given to a client. The first time counts. */
  handedOut(inbox: string, emails: readonly { readonly receivedAt: number }[]): void {
    const attempts = this.#byInbox.get(inbox);
    if (attempts === undefined) return;
    const given = emails.length === 1 ? null : new Set(emails.map(({ receivedAt }) => receivedAt));
    const isGiven = (at: number) => (given === null ? emails[0]?.receivedAt === at : given.has(at));
    for (const { recipients, begunAt } of attempts) {
      for (const one of recipients) {
        if (one.inbox !== inbox || one.receivedAt === null || one.handedOutMs !== null) continue;
        if (isGiven(one.receivedAt)) one.handedOutMs = this.#clock.monotonic() - begunAt;
      }
    }
  }

  #since(after: number, attempts: Iterable<Noted>): Noted[] {
    this.#forgetExpired();
    return [...attempts].filter(({ at }) => at >= after);
  }

  #index(inbox: string, noted: Noted): void {
    const known = this.#byInbox.get(inbox);
    if (known === undefined) this.#byInbox.set(inbox, [noted]);
    else if (known.at(-1) !== noted) known.push(noted);
  }

  #forgetExpired(): void {
    const oldest = this.#clock.monotonic() - REMEMBERED_MS;
    for (const noted of this.#all.keys()) {
      if (noted.begunAt > oldest) break;
      this.#forget(noted);
    }
  }

  #forget(noted: Noted): void {
    const bytes = this.#all.get(noted);
    if (bytes === undefined) return;
    this.#all.delete(noted);
    this.#bytes -= bytes;
    this.#holders.remove(noted, bytes);
    for (const { inbox } of noted.recipients) if (inbox !== null) this.#unindex(inbox, noted);
  }

  #unindex(inbox: string, noted: Noted): void {
    const known = this.#byInbox.get(inbox);
    const at = known?.indexOf(noted) ?? -1;
    if (at >= 0) known?.splice(at, 1);
    if (known?.length === 0) this.#byInbox.delete(inbox);
  }
}

/** About how many bytes of memory an attempt takes. */
function bytesOf({ from, recipients }: Noted): number {
  let bytes = ATTEMPT_BYTES + 2 * (from?.length ?? 0);
  for (const { address } of recipients) bytes += RECIPIENT_BYTES + 2 * address.length;
  return bytes;
}
