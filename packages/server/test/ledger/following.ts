import { setTimeout as delay } from 'node:timers/promises';
import type { Book, Read } from './book.js';
import { fetchAfter, type Nodes } from './nodes.js';

/** Pause of a follower before it repeats a failed request, perhaps to another node. */
const AGAIN_MS = 100;

/** Time limit of a follower's request. The service ends a stream without mail sooner. */
const PATIENCE_MS = 120_000;

/** A follower leaves one of this many streams early, and continues on another node. */
const LEAVE_EVERY = 7;
const LEAVE_AFTER_MS = 50;

/** Reads an inbox from its first email to its last: waits on a stream, then fetches everything after the last email. */
export class Follower {
  readonly inbox: string;
  /** The emails in the order of reading. */
  readonly read: Read[] = [];
  readonly #nodes: Nodes;
  readonly #book: Book;
  readonly #left = new AbortController();
  readonly #running: Promise<void>;
  #after: string | null = null;
  #streams = 0;

  constructor(inbox: string, nodes: Nodes, book: Book) {
    this.inbox = inbox;
    this.#nodes = nodes;
    this.#book = book;
    this.#running = this.#follow();
  }

  /** Stops following, and then reads the unread emails. Rejects if that fails. */
  async finish(): Promise<void> {
    this.#left.abort();
    await this.#running;
    while ((await this.#fetch(AbortSignal.timeout(PATIENCE_MS))) > 0);
  }

  async #follow(): Promise<void> {
    while (!this.#left.signal.aborted) {
      try {
        const signal = AbortSignal.any([this.#left.signal, AbortSignal.timeout(PATIENCE_MS)]);
        if ((await this.#fetch(signal)) === 0) await this.#wait(signal);
      } catch {
        // The node died, the store was unreachable or the follower left. The next request uses the same cursor.
        await delay(AGAIN_MS);
      }
    }
  }

  /** Reads the emails after the last one read, and resolves to their number. */
  async #fetch(signal: AbortSignal): Promise<number> {
    const askedAt = performance.now();
    const emails = await fetchAfter(this.#nodes.any(), this.inbox, this.#after, signal);
    for (const email of emails.toReversed()) {
      this.read.push({ ...this.#book.found(email), askedAt });
      this.#after = email.receivedAt;
    }
    return emails.length;
  }

  async #wait(signal: AbortSignal): Promise<void> {
    this.#streams += 1;
    const query = this.#after === null ? '' : `?after=${this.#after}`;
    const isLeft = this.#streams % LEAVE_EVERY === 0;
    const leaving = isLeft ? AbortSignal.any([signal, AbortSignal.timeout(LEAVE_AFTER_MS)]) : signal;
    const stream = await fetch(`${this.#nodes.any().url}/api/inbox/${this.inbox}/stream${query}`, { signal: leaving });
    await stream.text();
  }
}
