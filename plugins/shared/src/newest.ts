import { adHocIn, type Clock, isUnlisted, type Records, type StoredEmail } from 'mayfly-inbox/plugin';

/** A message, with the stored emails of at least one recipient. Immutable. */
export interface Message {
  readonly key: number | string;
  readonly emails: readonly StoredEmail[];
}

/** Maximum number of listed emails, newest first; older emails can be found by recipient. */
export const MOST_LISTED = 20_000;

/** Number of emails of changed inboxes that are read in one turn of the event loop. */
const SHARE = 100;

/** Maximum age of the list. An older list is rebuilt, because other processes also store mail. */
const FRESH_MS = 1_000;

/** If more inboxes have changed since the last request, the whole store is read again. */
const MOST_CHANGED = 1_000;

/**
 * The newest emails of all inboxes, grouped into messages. To read the whole store for each request would take 20 ms
 * for 10,000 emails, so the list is kept for a second. Meanwhile, only inboxes changed by this process are read.
 */
export class Newest {
  readonly #records: Records;
  readonly #clock: Clock;
  /** The emails, latest expiry time first. */
  #emails: readonly StoredEmail[] = [];
  /** A truncated list has no emails that expire before this time. */
  #end = Number.NEGATIVE_INFINITY;
  /** The messages by ad-hoc workspace; null until they are requested. */
  #messages: ReadonlyMap<string | null, readonly Message[]> | null = null;
  #holding: ReadonlySet<string> = new Set();
  #changed = new Set<string>();
  /** Whether more inboxes have changed than `#changed` contains. */
  #isBehind = false;
  #walkedAt = Number.NEGATIVE_INFINITY;
  #syncing: Promise<void> = Promise.resolve();
  /** The next update, for callers that arrived after the current update began. */
  #next: Promise<void> | null = null;
  #isWholeNext = false;

  constructor(records: Records, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  changed(inbox: string): void {
    // Before the first request, there is no list to update.
    if (this.#walkedAt === Number.NEGATIVE_INFINITY || isUnlisted(inbox)) return;
    if (this.#changed.size < MOST_CHANGED) this.#changed.add(inbox);
    else this.#isBehind = true;
  }

  /** The newest messages in `adHoc`; if null, those in no ad-hoc workspace. `isWhole` reads the whole store again. */
  async messages(adHoc: string | null = null, { isWhole = false } = {}): Promise<readonly Message[]> {
    this.#isWholeNext ||= isWhole;
    await (this.#next ?? this.#begin());
    const now = this.#clock.now();
    const end = this.#emails.findLastIndex(({ expiresAt }) => expiresAt > now) + 1;
    if (end < this.#emails.length) this.#set(this.#emails.slice(0, end));
    this.#messages ??= byAdHoc(this.#emails, this.#records);
    return this.#messages.get(adHoc) ?? [];
  }

  /** Inboxes with held mail when the store was last read, at most `MOST_LISTED`. */
  get holding(): readonly string[] {
    return [...this.#holding];
  }

  /** Begins an update once the current one ends. All callers that arrive before that share the new update. */
  #begin(): Promise<void> {
    const next = this.#syncing.then(() => {
      const isWhole = this.#isWholeNext;
      [this.#next, this.#isWholeNext] = [null, false];
      return this.#sync(isWhole);
    });
    this.#next = next;
    // Only callers that share this update get its error. The next update then tries again.
    this.#syncing = next.catch(() => {});
    return next;
  }

  async #sync(isWhole: boolean): Promise<void> {
    const age = this.#clock.monotonic() - this.#walkedAt;
    if (isWhole || age >= FRESH_MS || this.#isBehind) await this.#walk();
    // During a read, more may have changed than `#changed` can list. In this case, reads the whole store again.
    if (this.#isBehind) await this.#walk();
    await this.#readChanged();
  }

  async #walk(): Promise<void> {
    this.#walkedAt = this.#clock.monotonic();
    // Forgets changes before the read, not after it, because a change during the read may affect a part already read.
    [this.#changed, this.#isBehind] = [new Set(), false];
    const emails: StoredEmail[] = [];
    const holding = new Set<string>();
    let behind: string | null = null;
    try {
      do {
        const page = await this.#records.newest(behind);
        emails.push(...page.emails);
        for (const inbox of page.holding) if (holding.size < MOST_LISTED) holding.add(inbox);
        behind = page.next;
      } while (behind !== null && emails.length < MOST_LISTED);
    } catch (error) {
      this.#isBehind = true;
      throw error;
    }
    this.#end = (behind === null ? undefined : emails.at(-1)?.expiresAt) ?? Number.NEGATIVE_INFINITY;
    this.#set(emails);
    this.#holding = holding;
  }

  async #readChanged(): Promise<void> {
    if (this.#changed.size === 0) return;
    const changed = this.#changed;
    this.#changed = new Set();
    const found: StoredEmail[] = [];
    let rows = 0;
    try {
      for (const inbox of changed) {
        // Yields, because one message may have changed hundreds of full inboxes.
        if (rows >= SHARE) {
          await this.#records.turn();
          rows = 0;
        }
        const emails = await this.#records.of(inbox, { limit: MOST_LISTED });
        for (const email of emails) if (email.expiresAt >= this.#end) found.push(email);
        rows += 1 + emails.length;
      }
    } catch (error) {
      for (const inbox of changed) this.#changed.add(inbox);
      throw error;
    }
    const others = this.#emails.filter(({ inbox }) => !changed.has(inbox));
    const emails = [...others, ...found].sort((one, other) => this.#compare(one, other));
    if (emails.length > MOST_LISTED) this.#end = emails[MOST_LISTED - 1]?.expiresAt ?? this.#end;
    this.#set(emails.slice(0, MOST_LISTED));
  }

  /** Among emails that expire together, the later message is first. */
  #compare(one: StoredEmail, other: StoredEmail): number {
    if (one.expiresAt !== other.expiresAt) return other.expiresAt - one.expiresAt;
    const [key, otherKey] = [this.#records.keyOf(one), this.#records.keyOf(other)];
    return typeof key === 'number' && typeof otherKey === 'number' ? otherKey - key : 0;
  }

  #set(emails: readonly StoredEmail[]): void {
    this.#emails = emails;
    this.#messages = null;
  }
}

export function byAdHoc(emails: readonly StoredEmail[], records: Records) {
  const byKey = new Map<Message['key'], StoredEmail[]>();
  const messages = new Map<string | null, Message[]>();
  for (const email of emails) {
    const key = records.keyOf(email);
    const known = byKey.get(key);
    if (known !== undefined) {
      known.push(email);
      continue;
    }
    const message = { key, emails: [email] };
    byKey.set(key, message.emails);
    const adHoc = adHocIn(email.inbox);
    const listed = messages.get(adHoc) ?? [];
    listed.push(message);
    messages.set(adHoc, listed);
  }
  return messages;
}
