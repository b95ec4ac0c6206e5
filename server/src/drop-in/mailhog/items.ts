import { ifThere } from '../../http/one-email.js';
import { type Message, mailhogMessage, type Viewer } from '../../inbox/mailbox/mailbox.js';
import type { Reader } from '../../inbox/threads/held-answers.js';
import { idOf } from '../ids.js';
import type { Shared } from '../shared.js';

/** What is larger is taken apart in a thread. */
const AT_ONCE_BYTES = 16 * 1024;

/** How many small messages are taken apart in one turn. */
const SHARE = 8;

/** The messages of one answer in MailHog's shape, each made when it is asked for. */
export class Items {
  readonly #shared: Shared;
  readonly #viewer: Viewer;
  readonly #reader: Reader;
  #count = 0;

  constructor(shared: Shared, viewer: Viewer, reader: Reader) {
    this.#shared = shared;
    this.#viewer = viewer;
    this.#reader = reader;
  }

  /** How many were there by now. */
  get count(): number {
    return this.#count;
  }

  /** Their JSON, with commas in between. */
  async *pieces(messages: readonly Message[]): AsyncGenerator<Uint8Array> {
    for (const [i, message] of messages.entries()) {
      if (i % SHARE === SHARE - 1) await this.#shared.mailbox.turn();
      // What was made counts as held until the next is asked for.
      const held = new AbortController();
      const end = () => held.abort(this.#reader.signal.reason);
      this.#reader.signal.addEventListener('abort', end, { once: true });
      try {
        const item = await this.#item(message, { ...this.#reader, signal: held.signal });
        if (item === null) continue;
        this.#count += 1;
        if (this.#count > 1) yield COMMA;
        yield item;
      } finally {
        this.#reader.signal.removeEventListener('abort', end);
        held.abort();
      }
    }
  }

  async #item(message: Message, reader: Reader): Promise<Uint8Array | null> {
    const { mailbox, inboxes, access } = this.#shared;
    const head = await mailbox.head(message);
    if (head === null) return null;
    const { envelopeFrom, recipients } = head;
    const email = await mailbox.standIn(message, head, this.#viewer);
    const mailhog = { id: idOf(email), envelopeFrom, recipients, receivedAt: new Date(email.receivedAt).toISOString() };
    const raw = head.size <= AT_ONCE_BYTES ? await mailbox.source(message) : null;
    if (raw !== null) return Buffer.from(mailhogMessage(raw, mailhog));
    const [{ inbox, receivedAt } = email] = message.emails;
    return ifThere(access, inboxes.inspect(inbox, receivedAt, { mailhog }, reader));
  }
}

const COMMA = Buffer.from(',');
