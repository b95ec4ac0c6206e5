import { arrivalsOf, bytesOf, CHUNK_BYTES, emailCost, messageCost } from './admission.js';
import {
  type Appended,
  type Content,
  type Delivery,
  EmailGoneError,
  type ListQuery,
  type RecentPage,
  type RecentQuery,
  SCAN_ROW_BYTES,
  type Scanned,
  type ScanQuery,
  type Store,
  StoreClosedError,
  type StoredEmail,
  type StoreLimits,
  type Usage,
  type WaitlistEntry,
} from './store.js';

const PURGE_STEP = 1_000;

interface Message {
  readonly index: Uint8Array;
  readonly summary: Uint8Array;
  readonly content: Uint8Array;
  readonly cost: number;
  /** Its emails that are not deleted. */
  emails: number;
}

interface MemoryEmail extends StoredEmail {
  /** Counts the emails of the store. */
  readonly number: number;
  readonly messageNumber: number;
  /** Null once the email is deleted. */
  message: Message | null;
  isCleared: boolean;
}

interface Inbox {
  readonly emails: MemoryEmail[];
  newest: MemoryEmail;
}

/** When an email expires, or since when it is cleared. */
interface Due {
  readonly at: number;
  readonly email: MemoryEmail;
}

/** Opens a store that ends with the process: for tests and throw-away runs. */
export function openMemoryStore(limits: StoreLimits): Store {
  return new MemoryStore(limits);
}

class MemoryStore implements Store<MemoryEmail> {
  readonly #limits: StoreLimits;
  /** Each until its newest email would have expired, so that later mail gets a later `receivedAt` (D6). */
  readonly #inboxes = new Map<string, Inbox>();
  /** What is to be deleted, the first first. Of a cleared email, the deadline remains for a while. */
  #due: Due[] = [];
  /** Deadlines of deleted emails in `#due`. */
  #idle = 0;
  readonly #waitlist = new Map<string, WaitlistEntry>();
  #bytes = 0;
  #emails = 0;
  #numbered = 0;
  #messages = 0;
  #isOpen = true;

  constructor(limits: StoreLimits) {
    this.#limits = limits;
  }

  async append(delivery: Delivery, now: number): Promise<Appended> {
    this.#mustBeOpen();
    for (;;) {
      const appended = this.#tryAppend(delivery, now);
      if (appended.stored || appended.reason !== 'store-full' || !this.#purgeStep(now, 1)) return appended;
    }
  }

  async list(
    inbox: string,
    { limit = Number.POSITIVE_INFINITY, ...range }: ListQuery,
    now: number,
  ): Promise<MemoryEmail[]> {
    return this.#newestFirst(inbox, range, now).slice(0, Math.max(limit, 0));
  }

  async scan(inbox: string, { maxBytes, ...range }: ScanQuery, now: number): Promise<Scanned<MemoryEmail>[]> {
    const scanned: Scanned<MemoryEmail>[] = [];
    let bytes = 0;
    for (const email of this.#newestFirst(inbox, range, now)) {
      bytes += email.indexBytes + SCAN_ROW_BYTES;
      if (scanned.length > 0 && bytes > maxBytes) break;
      scanned.push({ email, index: messageOf(email).index });
    }
    return scanned;
  }

  async recent({ behind, upTo, limit }: RecentQuery, now: number): Promise<RecentPage<MemoryEmail>> {
    this.#mustBeOpen();
    const [expiresAt, number] = behind?.split(' ').map(Number) ?? [upTo, undefined];
    const emails: MemoryEmail[] = [];
    let looked = 0;
    let last = behind ?? null;
    for (let i = this.#placeAfter(expiresAt ?? Number.POSITIVE_INFINITY) - 1; i >= 0; i -= 1) {
      const { at, email } = this.#due[i] as Due;
      if (at <= now) break;
      // The page before showed some of those that expire in the same millisecond.
      if (number !== undefined && at === expiresAt && email.number >= number) continue;
      if (looked === limit) return { emails, next: last };
      looked += 1;
      last = `${at} ${email.number}`;
      if (!email.isCleared) emails.push(email);
    }
    return { emails, next: null };
  }

  async summaries(emails: readonly MemoryEmail[]): Promise<(Uint8Array | null)[]> {
    this.#mustBeOpen();
    return emails.map(({ message }) => message?.summary ?? null);
  }

  async content(email: MemoryEmail): Promise<Content> {
    this.#mustBeOpen();
    const { content } = messageOf(email);
    return {
      first: content.subarray(0, CHUNK_BYTES),
      rest: content.length > CHUNK_BYTES ? this.#chunksBehindFirst(email) : null,
    };
  }

  contentKey({ messageNumber }: MemoryEmail): number {
    return messageNumber;
  }

  async *#chunksBehindFirst(email: MemoryEmail): AsyncGenerator<Uint8Array> {
    for (let at = CHUNK_BYTES; ; at += CHUNK_BYTES) {
      this.#mustBeOpen();
      const { content } = messageOf(email);
      if (at >= content.length) return;
      yield content.subarray(at, at + CHUNK_BYTES);
    }
  }

  watch(): () => void {
    this.#mustBeOpen();
    return () => {};
  }

  async hasToldAll(): Promise<boolean> {
    this.#mustBeOpen();
    return true;
  }

  async clear(inbox: string, now: number): Promise<void> {
    this.#clear(this.#newestFirst(inbox, {}, now).reverse(), now);
  }

  async clearOne(inbox: string, receivedAt: number, now: number): Promise<boolean> {
    const found = this.#newestFirst(inbox, { after: receivedAt - 1, before: receivedAt + 1 }, now);
    this.#clear(found, now);
    return found.length > 0;
  }

  async purge(now: number): Promise<boolean> {
    this.#mustBeOpen();
    this.#purgeStep(now, PURGE_STEP);
    return this.#isPurgeDue(now);
  }

  async *inboxes(): AsyncGenerator<string> {
    for (const name of this.#inboxes.keys()) {
      this.#mustBeOpen();
      yield name;
    }
    this.#mustBeOpen();
  }

  async joinWaitlist(email: string, now: number): Promise<void> {
    this.#mustBeOpen();
    if (!this.#waitlist.has(email)) this.#waitlist.set(email, { email, joinedAt: now });
  }

  async *waitlist(): AsyncGenerator<WaitlistEntry> {
    this.#mustBeOpen();
    yield* this.#waitlist.values();
  }

  clockOffsetMs(): number {
    return 0;
  }

  async usage(): Promise<Usage> {
    this.#mustBeOpen();
    return { bytes: this.#bytes, emails: this.#emails };
  }

  async ping(): Promise<void> {
    this.#mustBeOpen();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#inboxes.clear();
    this.#due = [];
    this.#waitlist.clear();
  }

  #mustBeOpen(): void {
    if (!this.#isOpen) throw new StoreClosedError();
  }

  #newestFirst(
    inbox: string,
    { after = -1, before = Number.POSITIVE_INFINITY }: Omit<ListQuery, 'limit'>,
    now: number,
  ): MemoryEmail[] {
    this.#mustBeOpen();
    const { emails = [] } = this.#inboxes.get(inbox) ?? {};
    const isSeen = ({ receivedAt, expiresAt, isCleared }: MemoryEmail) =>
      after < receivedAt && receivedAt < before && now < expiresAt && !isCleared;
    return emails.filter(isSeen).reverse();
  }

  #tryAppend(delivery: Delivery, now: number): Appended {
    const { retentionMs, maxEmails, budgetBytes } = this.#limits;
    const newestOf = (inbox: string) => this.#inboxes.get(inbox)?.newest.receivedAt;
    const { receivedAt, arrivals } = arrivalsOf(delivery, now, retentionMs, newestOf);
    if (arrivals.length === 0) return { stored: true, receivedAt };
    const added = new Map<string, number>();
    for (const { inbox } of arrivals) added.set(inbox, (added.get(inbox) ?? 0) + 1);
    for (const [inbox, count] of added) {
      const kept = this.#inboxes.get(inbox)?.emails.length ?? 0;
      if (kept + count > maxEmails && this.#newestFirst(inbox, {}, now).length + count > maxEmails) {
        return { stored: false, reason: 'inbox-full' };
      }
    }
    const cost = costOf(delivery);
    const bytes = arrivals.reduce((sum, arrival) => sum + emailCost(arrival), cost);
    if (this.#bytes + bytes > budgetBytes) return { stored: false, reason: 'store-full' };
    const message = messageFrom(delivery, cost, arrivals.length);
    this.#bytes += bytes;
    this.#emails += arrivals.length;
    this.#messages += 1;
    for (const arrival of arrivals) {
      this.#numbered += 1;
      const numbers = { number: this.#numbered, messageNumber: this.#messages };
      const email = { ...arrival, ...numbers, message, isCleared: false };
      const inbox = this.#inboxes.get(email.inbox) ?? { emails: [], newest: email };
      this.#inboxes.set(email.inbox, inbox);
      inbox.emails.push(email);
      inbox.newest = email;
      this.#due.splice(this.#placeAfter(email.expiresAt), 0, { at: email.expiresAt, email });
    }
    return { stored: true, receivedAt };
  }

  /** The first place in `#due` after this moment. */
  #placeAfter(moment: number): number {
    let [low, high] = [0, this.#due.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#due[middle] as Due).at > moment) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #clear(emails: readonly MemoryEmail[], now: number): void {
    for (const email of emails) email.isCleared = true;
    this.#due.splice(this.#placeAfter(now), 0, ...emails.map((email) => ({ at: now, email })));
  }

  #isPurgeDue(now: number): boolean {
    return this.#due[0] !== undefined && this.#due[0].at <= now;
  }

  /** Deletes some of what was cleared or has expired, what did so first; returns whether there was anything. */
  #purgeStep(now: number, most: number): boolean {
    if (!this.#isPurgeDue(now)) return false;
    for (const { at, email } of this.#due.splice(0, Math.min(this.#placeAfter(now), most))) {
      const isDeadline = at === email.expiresAt;
      if (email.message !== null) {
        this.#delete(email, email.message);
        if (!isDeadline) this.#idle += 1;
      } else if (isDeadline) this.#idle -= 1;
      if (isDeadline && this.#inboxes.get(email.inbox)?.newest === email) this.#inboxes.delete(email.inbox);
    }
    if (this.#idle * 2 > this.#due.length) this.#forgetIdle();
    return true;
  }

  #delete(email: MemoryEmail, message: Message): void {
    email.message = null;
    this.#emails -= 1;
    this.#bytes -= emailCost(email);
    message.emails -= 1;
    if (message.emails === 0) this.#bytes -= message.cost;
    const { emails = [] } = this.#inboxes.get(email.inbox) ?? {};
    emails.splice(emails.indexOf(email), 1);
  }

  /** Drops the deadlines of deleted emails, but for those at which an inbox is forgotten. */
  #forgetIdle(): void {
    this.#due = this.#due.filter(
      ({ email }) => email.message !== null || this.#inboxes.get(email.inbox)?.newest === email,
    );
    this.#idle = 0;
  }
}

function messageOf({ message }: MemoryEmail): Message {
  if (message === null) throw new EmailGoneError();
  return message;
}

function costOf({ index, summary, content }: Delivery): number {
  return messageCost({
    indexBytes: index.length,
    summaryBytes: summary.length,
    contentBytes: bytesOf(content),
  });
}

function messageFrom({ index, summary, content }: Delivery, cost: number, emails: number): Message {
  return { index: copyOf([index]), summary: copyOf([summary]), content: copyOf(content), cost, emails };
}

/** In memory of its own: a slice of a pool would keep the whole pool. */
function copyOf(pieces: readonly Uint8Array[]): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytesOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    copy.set(piece, at);
    at += piece.length;
  }
  return copy;
}
