import type { Message, Viewer } from '../../../inbox/mailbox/mailbox.js';
import type { EventSocket } from './web-socket.js';

type Key = Message['key'];

export interface Changes {
  readonly come: readonly Message[];
  readonly gone: readonly Message[];
}

/** Sockets that see the same mail, and what they have seen of it. */
export class Group {
  readonly viewer: Viewer;
  readonly sockets = new Set<EventSocket>();
  #listed: readonly Message[] = [];
  readonly #known = new Map<Key, Message>();
  #deleting = 0;
  #isEmptied = false;
  /** Null while the counts have not changed. */
  countsDueAt: number | null = null;
  isBehind = false;
  readonly #marked = new Map<Key, boolean>();

  constructor(viewer: Viewer) {
    this.viewer = viewer;
  }

  get listed(): readonly Message[] {
    return this.#listed;
  }

  known(key: Key): Message | undefined {
    return this.#known.get(key);
  }

  compare(listed: readonly Message[]): Changes {
    if (listed === this.#listed) return { come: [], gone: [] };
    this.#listed = listed;
    const come: Message[] = [];
    for (const message of listed) {
      if (!this.#known.has(message.key)) come.push(message);
      this.#known.set(message.key, message);
    }
    const gone: Message[] = [];
    if (this.#known.size > listed.length) {
      const keys = new Set(listed.map(({ key }) => key));
      for (const [key, message] of this.#known) if (!keys.has(key)) gone.push(message);
      for (const { key } of gone) this.#known.delete(key);
    }
    return { come: come.reverse(), gone: this.#deleting > 0 || this.#isEmptied ? [] : gone };
  }

  /** Deleted messages are not told one by one. Call the result at the end. */
  deletesAll(): () => void {
    this.#deleting += 1;
    return () => {
      this.#deleting -= 1;
      this.#isEmptied = true;
    };
  }

  takeEmptied(): boolean {
    const isEmptied = this.#isEmptied;
    this.#isEmptied = false;
    return isEmptied;
  }

  mark(key: Key, isRead: boolean): void {
    if (this.#known.has(key)) this.#marked.set(key, isRead);
  }

  takeMarked(): ReadonlyMap<Key, boolean> {
    const marked = new Map(this.#marked);
    this.#marked.clear();
    return marked;
  }
}
