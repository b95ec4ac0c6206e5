import { ifThere } from '../../http/http.js';
import type { Reader } from '../../inbox/inboxes.js';
import { type Message, mailhogMessage, type Viewer } from '../../inbox/mailbox/mailbox.js';
import { idOf } from '../ids.js';
import type { Shared } from '../shared.js';

/** Larger messages are parsed in a thread. */
const AT_ONCE_BYTES = 16 * 1024;

const SHARE = 8;

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

  get count(): number {
    return this.#count;
  }

  async *pieces(messages: readonly Message[]): AsyncGenerator<Uint8Array> {
    for (const [i, message] of messages.entries()) {
      if (i % SHARE === SHARE - 1) await this.#shared.mailbox.turn();
      const item = await this.#item(message);
      if (item === null) continue;
      this.#count += 1;
      if (this.#count > 1) yield COMMA;
      yield item;
    }
  }

  async #item(message: Message): Promise<Uint8Array | null> {
    const { mailbox, inboxes, access } = this.#shared;
    const head = await mailbox.head(message, this.#viewer);
    if (head === null) return null;
    const { envelopeFrom } = head;
    const recipients = head.recipients.map(({ to, written = to }) => written);
    const email = await mailbox.standIn(message, head, this.#viewer);
    const mailhog = { id: idOf(email), envelopeFrom, recipients, receivedAt: new Date(email.receivedAt).toISOString() };
    const raw = head.size <= AT_ONCE_BYTES ? await mailbox.source(message) : null;
    if (raw !== null) return Buffer.from(mailhogMessage(raw, mailhog));
    const [{ inbox, receivedAt } = email] = message.emails;
    return ifThere(access, inboxes.messages.inspect(inbox, receivedAt, { mailhog }, this.#reader));
  }
}

const COMMA = Buffer.from(',');
