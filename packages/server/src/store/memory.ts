import {
  admit,
  cleared,
  clearedOne,
  emailCost,
  type InboxState,
  isOver,
  isStoreFull,
  withoutEmail,
} from './admission.js';
import {
  ExpiryIndex,
  type MemoryEmail,
  memoryMessage,
  memoryMessageCost,
  messageOf,
  positionAt,
  recentPage,
  releaseMessage,
} from './memory-email.js';
import { Slabs } from './slabs.js';
import {
  type Appended,
  type Content,
  type Delivery,
  type ListQuery,
  type RecentPage,
  type RecentQuery,
  SCAN_ROW_BYTES,
  type Scanned,
  type ScanQuery,
  type Store,
  StoreClosedError,
  type StoreLimits,
  type Usage,
  type WaitlistEntry,
} from './store.js';

const PURGE_STEP = 1_000;

interface Inbox {
  state: InboxState;
  readonly emails: MemoryEmail[];
}

interface Clearing {
  readonly inbox: string;
  readonly from: number;
  readonly upTo: number;
}

/** Opens a store that ends with the process: for tests and throw-away runs. */
export function openMemoryStore(limits: StoreLimits): Store {
  return new MemoryStore(limits);
}

class MemoryStore implements Store<MemoryEmail> {
  readonly #limits: StoreLimits;
  readonly #inboxes = new Map<string, Inbox>();
  /** All emails by `expiresAt`; deleted ones too while their inbox must be remembered. */
  readonly #deadlines = new ExpiryIndex<MemoryEmail>((email) => email.isSettled);
  readonly #clearings = new ExpiryIndex<Clearing>(() => false);
  readonly #waitlist = new Map<string, WaitlistEntry>();
  readonly #slabs = new Slabs();
  #bytes = 0;
  #emails = 0;
  #messages = 0;
  #isOpen = true;

  constructor(limits: StoreLimits) {
    this.#limits = limits;
  }

  async append(delivery: Delivery, now: number): Promise<Appended> {
    this.#mustBeOpen();
    let appended = this.#tryAppend(delivery, now);
    while (isStoreFull(appended) && this.#purgeStep(now)) appended = this.#tryAppend(delivery, now);
    return appended;
  }

  async list(
    inbox: string,
    { limit = Number.POSITIVE_INFINITY, ...range }: ListQuery,
    now: number,
  ): Promise<MemoryEmail[]> {
    this.#mustBeOpen();
    const listed: MemoryEmail[] = [];
    for (const email of this.#newestFirst(inbox, range, now)) {
      if (listed.length >= limit) break;
      listed.push(email);
    }
    return listed;
  }

  async scan(inbox: string, { maxBytes, ...range }: ScanQuery, now: number): Promise<Scanned<MemoryEmail>[]> {
    this.#mustBeOpen();
    const scanned: Scanned<MemoryEmail>[] = [];
    let bytes = 0;
    for (const email of this.#newestFirst(inbox, range, now)) {
      bytes += email.indexBytes + SCAN_ROW_BYTES;
      if (scanned.length > 0 && bytes > maxBytes) break;
      scanned.push({ email, index: this.#slabs.read(messageOf(email).index) });
    }
    return scanned;
  }

  async recent(query: RecentQuery, now: number): Promise<RecentPage<MemoryEmail>> {
    this.#mustBeOpen();
    return recentPage(this.#deadlines, query, now, (email) => this.#isSeen(email));
  }

  async summaries(emails: readonly MemoryEmail[]): Promise<(Uint8Array | null)[]> {
    this.#mustBeOpen();
    return emails.map(({ message }) => (message === null ? null : this.#slabs.read(message.summary)));
  }

  async content(email: MemoryEmail): Promise<Content> {
    this.#mustBeOpen();
    const [first, ...more] = messageOf(email).chunks;
    return {
      first: first === undefined ? new Uint8Array() : this.#slabs.read(first),
      rest: more.length > 0 ? this.#chunksBehindFirst(email) : null,
    };
  }

  contentKey({ messageNumber }: MemoryEmail): number {
    return messageNumber;
  }

  async *#chunksBehindFirst(email: MemoryEmail): AsyncGenerator<Uint8Array> {
    for (let position = 1; ; position += 1) {
      this.#mustBeOpen();
      const chunk = messageOf(email).chunks[position];
      if (chunk === undefined) return;
      yield this.#slabs.read(chunk);
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

  async clear(name: string, now: number): Promise<void> {
    this.#mustBeOpen();
    const inbox = this.#inboxes.get(name);
    if (inbox === undefined || inbox.state.count === 0) return;
    inbox.state = cleared(inbox.state);
    this.#clearings.add({ inbox: name, from: 0, upTo: inbox.state.newest }, now);
  }

  async clearOne(name: string, receivedAt: number, now: number): Promise<boolean> {
    this.#mustBeOpen();
    const inbox = this.#inboxes.get(name);
    const [email] = this.#newestFirst(name, { after: receivedAt - 1, before: receivedAt + 1 }, now);
    if (inbox === undefined || email === undefined) return false;
    email.isCleared = true;
    inbox.state = clearedOne(inbox.state);
    this.#clearings.add({ inbox: name, from: receivedAt, upTo: receivedAt }, now);
    return true;
  }

  async purge(now: number): Promise<boolean> {
    this.#mustBeOpen();
    this.#purgeStep(now);
    return Math.min(this.#deadlines.nextAt, this.#clearings.nextAt) <= now;
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
    this.#deadlines.clear();
    this.#clearings.clear();
    this.#waitlist.clear();
  }

  #mustBeOpen(): void {
    if (!this.#isOpen) throw new StoreClosedError();
  }

  *#newestFirst(name: string, { after = -1, before = Number.POSITIVE_INFINITY }: ListQuery, now: number) {
    const inbox = this.#inboxes.get(name);
    if (inbox === undefined) return;
    const { emails, state } = inbox;
    const first = Math.max(after, state.goneUpTo);
    for (let i = positionAt(emails, before) - 1; i >= 0; i -= 1) {
      const email = emails[i] as MemoryEmail;
      if (email.receivedAt <= first) return;
      if (now < email.expiresAt && !email.isCleared) yield email;
    }
  }

  #isSeen({ inbox, message, isCleared, receivedAt }: MemoryEmail): boolean {
    const goneUpTo = this.#inboxes.get(inbox)?.state.goneUpTo ?? -1;
    return message !== null && !isCleared && receivedAt > goneUpTo;
  }

  #tryAppend(delivery: Delivery, now: number): Appended {
    const { appended, arrivals, inboxes, bytes } = admit(delivery, now, this.#limits, {
      bytes: this.#bytes,
      inbox: (name) => this.#inboxes.get(name)?.state,
      emails: (name, after) => this.#oldestFirst(name, after),
    });
    this.#bytes += bytes;
    for (const [name, state] of inboxes) {
      const inbox = this.#inboxes.get(name);
      if (inbox) inbox.state = state;
      else this.#inboxes.set(name, { state, emails: [] });
    }
    if (arrivals.length === 0) return appended;
    this.#messages += 1;
    this.#emails += arrivals.length;
    const message = memoryMessage(this.#slabs, delivery, arrivals.length);
    for (const [recipient, arrival] of arrivals.entries()) {
      const email = { ...arrival, message, messageNumber: this.#messages, recipient, isSettled: false };
      this.#inboxes.get(email.inbox)?.emails.push(email);
      this.#deadlines.add(email, email.expiresAt);
    }
    return appended;
  }

  *#oldestFirst(name: string, after: number): Generator<MemoryEmail> {
    const emails = this.#inboxes.get(name)?.emails ?? [];
    for (let i = positionAt(emails, after + 1); i < emails.length; i += 1) yield emails[i] as MemoryEmail;
  }

  #purgeStep(now: number): boolean {
    const nextAt = Math.min(this.#deadlines.nextAt, this.#clearings.nextAt);
    if (nextAt > now) return false;
    if (this.#clearings.nextAt === nextAt) this.#deleteCleared(now);
    else {
      const until = Math.min(now, this.#clearings.nextAt);
      for (const email of this.#deadlines.take(until, PURGE_STEP)) this.#deleteExpired(email, now);
    }
    return true;
  }

  #deleteExpired(email: MemoryEmail, now: number): void {
    this.#delete(email, now);
    const inbox = this.#inboxes.get(email.inbox);
    if (inbox && isOver(inbox.state, now)) this.#inboxes.delete(email.inbox);
  }

  #deleteCleared(now: number): void {
    const clearedAt = this.#clearings.nextAt;
    for (const clearing of this.#clearings.take(now, 1)) {
      const { emails = [], state } = this.#inboxes.get(clearing.inbox) ?? {};
      const start = positionAt(emails, clearing.from);
      const end = positionAt(emails, clearing.upTo + 1);
      for (const email of emails.slice(start, Math.min(end, start + PURGE_STEP))) {
        this.#delete(email, now);
        // The deadline of the newest email is when its inbox is forgotten.
        if (email.receivedAt === state?.newest) continue;
        email.isSettled = true;
        this.#deadlines.settled();
      }
      if (end > start + PURGE_STEP) this.#clearings.add(clearing, clearedAt);
    }
  }

  #delete(email: MemoryEmail, now: number): void {
    const { message } = email;
    if (message === null) return;
    email.message = null;
    this.#emails -= 1;
    this.#bytes -= emailCost(email);
    message.emails -= 1;
    if (message.emails === 0) {
      this.#bytes -= memoryMessageCost(message);
      releaseMessage(this.#slabs, message);
    }
    const inbox = this.#inboxes.get(email.inbox);
    if (inbox === undefined) return;
    inbox.emails.splice(inbox.emails.indexOf(email), 1);
    const state = withoutEmail(inbox.state, email, now);
    if (state) inbox.state = state;
    else this.#inboxes.delete(email.inbox);
  }
}
