import { admit } from './admission.js';
import { bytesOf, chunksOf } from './chunks.js';
import {
  type Appended,
  type Delivery,
  EmailGoneError,
  type ListQuery,
  type Store,
  StoreClosedError,
  type StoredEmail,
  type StoreLimits,
  type WaitlistEntry,
} from './store.js';

/** How many emails one step of `purge` deletes at most. */
const PURGE_STEP = 1_000;

/** What the emails of one delivery share. */
interface Message {
  readonly index: Uint8Array;
  readonly content: readonly Uint8Array[];
  /** How many of its emails are not purged yet. The last one takes the message with it. */
  emails: number;
}

interface MemoryEmail extends StoredEmail {
  readonly inbox: string;
  /** Null once the email has been deleted. */
  message: Message | null;
}

/** Opens a store that lives and ends with the process: for tests and throw-away runs. */
export function openMemoryStore(limits: StoreLimits): Store {
  return new MemoryStore(limits);
}

class MemoryStore implements Store<MemoryEmail> {
  readonly #limits: StoreLimits;
  /** The emails of each inbox, oldest first. All are kept equally long, so they expire in this order too. */
  readonly #inboxes = new Map<string, MemoryEmail[]>();
  /** All emails, the one that expires next first. */
  #deadlines: MemoryEmail[] = [];
  readonly #waitlist = new Map<string, WaitlistEntry>();
  #bytes = 0;
  #isOpen = true;

  constructor(limits: StoreLimits) {
    this.#limits = limits;
  }

  async append(delivery: Delivery, now: number): Promise<Appended> {
    this.#mustBeOpen();
    let appended = this.#tryAppend(delivery, now);
    while (!appended.stored && this.#purgeStep(now) > 0) appended = this.#tryAppend(delivery, now);
    return appended;
  }

  async list(
    inbox: string,
    { after = Number.NEGATIVE_INFINITY, limit }: ListQuery,
    now: number,
  ): Promise<MemoryEmail[]> {
    this.#mustBeOpen();
    const emails = this.#inboxes.get(inbox) ?? [];
    const listed = emails.filter(
      (email) => email.message !== null && email.receivedAt > after && now < email.expiresAt,
    );
    return listed.reverse().slice(0, limit);
  }

  async index(email: MemoryEmail): Promise<Uint8Array | null> {
    this.#mustBeOpen();
    return email.message?.index ?? null;
  }

  async *content(email: MemoryEmail): AsyncGenerator<Uint8Array> {
    this.#mustBeOpen();
    if (email.message === null) throw new EmailGoneError();
    for (const chunk of chunksOf(email.message.content)) {
      this.#mustBeOpen();
      if (email.message === null) throw new EmailGoneError();
      yield chunk;
    }
  }

  async clear(inbox: string): Promise<void> {
    this.#mustBeOpen();
    const emails = this.#inboxes.get(inbox) ?? [];
    const newest = emails.at(-1);
    if (newest === undefined) return;
    for (const email of emails) this.#letGo(email);
    this.#inboxes.set(inbox, [newest]);
    this.#deadlines = this.#deadlines.filter((email) => email.inbox !== inbox || email === newest);
  }

  async purge(now: number): Promise<boolean> {
    this.#mustBeOpen();
    this.#purgeStep(now);
    return this.#hasExpired(0, now);
  }

  async joinWaitlist(email: string, now: number): Promise<void> {
    this.#mustBeOpen();
    if (!this.#waitlist.has(email)) this.#waitlist.set(email, { email, joinedAt: now });
  }

  async *waitlist(): AsyncGenerator<WaitlistEntry> {
    this.#mustBeOpen();
    yield* this.#waitlist.values();
  }

  async ping(): Promise<void> {
    this.#mustBeOpen();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#inboxes.clear();
    this.#deadlines.length = 0;
    this.#waitlist.clear();
  }

  #mustBeOpen(): void {
    if (!this.#isOpen) throw new StoreClosedError();
  }

  #tryAppend(delivery: Delivery, now: number): Appended {
    const { appended, arrivals } = admit(delivery, now, this.#limits, {
      bytes: this.#bytes,
      inbox: (name) => stateOf(this.#inboxes.get(name)),
    });
    const message = { index: delivery.index, content: delivery.content, emails: arrivals.length };
    if (arrivals.length > 0) this.#bytes += sizeOf(message);
    for (const arrival of arrivals) this.#keep({ ...arrival, message });
    return appended;
  }

  #keep(email: MemoryEmail): void {
    const inbox = this.#inboxes.get(email.inbox);
    if (inbox) inbox.push(email);
    else this.#inboxes.set(email.inbox, [email]);
    this.#deadlines.splice(this.#positionOf(email.expiresAt), 0, email);
  }

  /** Where a deadline belongs among all deadlines: behind those that come no later. */
  #positionOf(expiresAt: number): number {
    let [low, high] = [0, this.#deadlines.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#hasExpired(middle, expiresAt)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #hasExpired(position: number, now: number): boolean {
    const email = this.#deadlines[position];
    return email !== undefined && email.expiresAt <= now;
  }

  /** Deletes some of what has expired at `now`; tells how many emails that were. */
  #purgeStep(now: number): number {
    let expired = 0;
    while (expired < PURGE_STEP && this.#hasExpired(expired, now)) expired += 1;
    for (const email of this.#deadlines.splice(0, expired)) this.#forget(email);
    return expired;
  }

  /** Lets go of an email, which is the oldest one of its inbox. */
  #forget(email: MemoryEmail): void {
    const inbox = this.#inboxes.get(email.inbox);
    inbox?.shift();
    if (inbox?.length === 0) this.#inboxes.delete(email.inbox);
    this.#letGo(email);
  }

  /** Takes an email off its message, which goes with the last one. */
  #letGo(email: MemoryEmail): void {
    if (email.message === null) return;
    email.message.emails -= 1;
    if (email.message.emails === 0) this.#bytes -= sizeOf(email.message);
    email.message = null;
  }
}

function stateOf(inbox: readonly MemoryEmail[] | undefined) {
  const newest = inbox?.at(-1);
  const cleared = inbox?.[0]?.message === null ? 1 : 0;
  return inbox && newest && { newest: newest.receivedAt, count: inbox.length - cleared };
}

function sizeOf(message: Message): number {
  return bytesOf([message.index, ...message.content]);
}
