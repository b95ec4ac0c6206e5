import type { Message } from '../inbox/mailbox/mailbox.js';

type Key = Message['key'];

/** Of so many messages it is known that they were read: those marked last. More than are listed at once. */
const MOST_MARKS = 50_000;

/** Which messages count as read. Of this process alone, and forgotten with it: nothing of our own interface asks for it. */
export class ReadMarks {
  readonly #read = new Set<Key>();

  has(key: Key): boolean {
    return this.#read.has(key);
  }

  mark(key: Key, isRead: boolean): void {
    this.#read.delete(key);
    if (!isRead) return;
    this.#read.add(key);
    if (this.#read.size <= MOST_MARKS) return;
    const [oldest] = this.#read;
    if (oldest !== undefined) this.#read.delete(oldest);
  }

  /** How many of some messages are not read. */
  unread(messages: readonly Message[]): number {
    if (this.#read.size === 0) return messages.length;
    return messages.reduce((count, { key }) => (this.#read.has(key) ? count : count + 1), 0);
  }
}
