import { ifThere, type Reader, type Viewer } from 'mayfly-inbox/plugin';
import type { Message } from 'mayfly-plugins-shared/all-inboxes';
import { type DropIn, handOut } from 'mayfly-plugins-shared/drop-in';
import { idOf } from 'mayfly-plugins-shared/requests';
import { mailhogMessage } from './read-mailhog.js';

/** Larger messages are parsed in a thread. */
const AT_ONCE_BYTES = 16 * 1024;

const SHARE = 8;

export class Items {
  readonly #shared: DropIn;
  readonly #viewer: Viewer;
  readonly #reader: Reader;
  #count = 0;

  constructor(shared: DropIn, viewer: Viewer, reader: Reader) {
    this.#shared = shared;
    this.#viewer = viewer;
    this.#reader = reader;
  }

  get count(): number {
    return this.#count;
  }

  async *pieces(messages: readonly Message[]): AsyncGenerator<Uint8Array> {
    for (const [i, message] of messages.entries()) {
      if (i % SHARE === SHARE - 1) await this.#shared.records.turn();
      const item = await this.#item(message);
      if (item === null) continue;
      this.#count += 1;
      if (this.#count > 1) yield COMMA;
      yield item;
    }
  }

  async #item(message: Message): Promise<Uint8Array | null> {
    const { inboxes, access, task } = this.#shared;
    const head = await inboxes.head(message, this.#viewer);
    if (head === null) return null;
    const { envelopeFrom } = head;
    const recipients = head.recipients.map(({ to, written = to }) => written);
    const email = await inboxes.standIn(message, head, this.#viewer);
    handOut(this.#shared, message, this.#reader.client);
    const details = { id: idOf(email), envelopeFrom, recipients, receivedAt: new Date(email.receivedAt).toISOString() };
    const raw = head.size <= AT_ONCE_BYTES ? await inboxes.source(message) : null;
    if (raw !== null) return Buffer.from(mailhogMessage(raw, details));
    return ifThere(access, inboxes.read(message, task('mailhogMessage', details), this.#reader));
  }
}

const COMMA = Buffer.from(',');
