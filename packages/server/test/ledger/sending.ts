import { setTimeout as delay } from 'node:timers/promises';
import { RawClient } from '../smtp/client.js';
import type { Book, Mail } from './book.js';
import type { Nodes } from './nodes.js';

/** Concurrent senders, each of which sends one message after another. */
const SENDERS = 24;

/** Pause of a sender after a message, so that the load lasts without filling the inboxes. */
const PAUSE_MS = 5;

/** Pause before a sender repeats a message that was not accepted. */
const REPEAT_MS = 100;

/** Text sizes in rotation; the store handles large texts differently. */
const SIZES = [300, 300, 300, 2_000, 300, 300, 14_000];

/** One send in `CUT_EVERY` disconnects within the message; one in `LEAVE_EVERY` disconnects after the final dot. */
const CUT_EVERY = 31;
const LEAVE_EVERY = 37;

/** One in this many messages goes to three inboxes. */
const SEVERAL_EVERY = 5;

/** Senders that use any node, and repeat messages that were not accepted. */
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

  /** Resolves once each sender has the result of its last attempt. Rejects with a sender's error. */
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
      // From here on, the message may be accepted even without a reply.
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
      // The node died or closed the connection, so the result is unknown.
      return false;
    }
  }
}
