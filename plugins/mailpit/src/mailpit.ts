import { BoundedMap } from 'mayfly-inbox/plugin';
import type { Message } from 'mayfly-plugins-shared/all-inboxes';
import type { CompatApi } from 'mayfly-plugins-shared/compat-api';

export interface Mailpit extends CompatApi {
  readonly marks: ReadMarks;
  /** The user names of senders over HTTP, by Message-ID. Forgotten when this process ends. */
  readonly senders: BoundedMap<string, string>;
}

type Key = Message['key'];

/** Maximum number of messages marked as read: more than the maximum length of a list. */
const MOST_MARKS = 50_000;

/** The messages that count as read. Kept only in memory: outside of Mailpit's API, Mayfly has no read state. */
export class ReadMarks {
  readonly #read = new BoundedMap<Key, true>(MOST_MARKS);
  #watcher: (key: Key, isRead: boolean) => void = () => {};

  watch(watcher: (key: Key, isRead: boolean) => void): void {
    this.#watcher = watcher;
  }

  has(key: Key): boolean {
    return this.#read.has(key);
  }

  mark(key: Key, isRead: boolean): void {
    if (this.#read.delete(key) !== isRead) this.#watcher(key, isRead);
    if (isRead) this.#read.set(key, true);
  }

  unread(messages: readonly Message[]): number {
    if (this.#read.size === 0) return messages.length;
    return messages.reduce((count, { key }) => (this.#read.has(key) ? count : count + 1), 0);
  }
}
