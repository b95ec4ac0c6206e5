import { setTimeout as delay } from 'node:timers/promises';
import { RawClient } from '../smtp/client.js';
import type { Book, Mail } from './book.js';
import type { Nodes } from './nodes.js';

/** Senders at the same time, each sending one message after another. */
const SENDERS = 24;

/** Pause of a sender after a message: the load should last without filling the inboxes. */
const PAUSE_MS = 5;

/** How long a sender waits before it repeats what was not taken. */
const REPEAT_MS = 100;

/** Sizes of texts in turn; the store keeps large ones in another way. */
const SIZES = [300, 300, 300, 2_000, 300, 300, 14_000];

/** One in this many senders leaves in the middle of the message, and one after the final dot without the reply. */
const CUT_EVERY = 31;
const LEAVE_EVERY = 37;

/** One in this many messages goes to three inboxes. */
const SEVERAL_EVERY = 5;

/** People who send mail to some inboxes through any node, and repeat what was not taken. */
export class Senders {
  readonly #nodes: Nodes;
  readonly #book: Book;
  readonly #inboxes: readonly string[];
  #attempts = 0;
  #isOver = false;
  readonly #running: Promise<unknown>;

  constructor(nodes: Nodes, book: Book, inboxes: readonly string[]) {
    this.#nodes = nodes;
    this.#book = book;
    this.#inboxes = inboxes;
    this.#running = Promise.all(Array.from({ length: SENDERS }, (_, n) => this.#send(n)));
  }

  /** Resolves once each of them has heard what became of its last attempt. Rejects with what went wrong with them. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #send(first: number): Promise<void> {
    let client: RawClient | null = null;
    for (let n = first; !this.#isOver; n += SENDERS) {
      const mail = this.#book.begin(this.#inboxesOf(n), SIZES[n % SIZES.length] ?? 0);
      while (!this.#isOver && mail.acknowledgedAt === null) {
        client ??= await RawClient.greeted(this.#nodes.any().smtpPort).catch(() => null);
        if (client !== null && (await this.#attempt(client, mail))) break;
        client?.destroy();
        client = null;
        await delay(REPEAT_MS);
      }
      await delay(PAUSE_MS);
    }
    client?.destroy();
  }

  #inboxesOf(n: number): string[] {
    const several = n % SEVERAL_EVERY === 0 ? [0, 1, 2] : [0];
    return several.map((next) => this.#inboxes[(n + next) % this.#inboxes.length] ?? '');
  }

  /** Sends a message once, and resolves to whether it was accepted. If not, the connection is unusable. */
  async #attempt(client: RawClient, mail: Mail): Promise<boolean> {
    this.#attempts += 1;
    const [isCut, isLeft] = [this.#attempts % CUT_EVERY === 0, this.#attempts % LEAVE_EVERY === 0];
    try {
      const recipients = mail.inboxes.map((inbox) => `RCPT TO:<${inbox}@inbox.example.com>\r\n`);
      await client.send(`MAIL FROM:<app@app.test>\r\n${recipients.join('')}DATA\r\n`);
      for (let reply = 0; reply < recipients.length + 2; reply += 1) {
        if (!/^[23]/.test(await client.reply())) return false;
      }
      const content = `Subject: ${mail.id}\r\n\r\n${(mail.text.match(/.{1,500}/g) ?? []).join('\r\n')}\r\n`;
      if (isCut) {
        mail.cut += 1;
        await client.send(content.slice(0, content.length / 2));
        client.reset();
        return false;
      }
      // From here on it may be taken, whatever is heard of it.
      mail.finished += 1;
      await client.send(`${content}.\r\n`);
      if (isLeft) {
        mail.left += 1;
        return false;
      }
      if (!/^250/.test(await client.reply())) return false;
      mail.acknowledgedAt = performance.now();
      return true;
    } catch {
      // The node has died, or closed the connection: the sender knows nothing.
      return false;
    }
  }
}
