import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { locatePart } from '../mail/mime/part-list.js';
import { type Soon, withAnswer } from '../soon.js';
import { type Appended, EmailGoneError, type Recipient, type Store, StoreAwayError } from '../store/store.js';
import { type AcceptedDomains, type RefusedRecipient, recipientOf } from './address.js';
import { Arrivals } from './arrivals.js';
import type { ByteText } from './email-json.js';
import { foundIn } from './filter.js';
import type { InboxEvents } from './inbox-events.js';
import type { IncomingMail, MailSlot, Outcome } from './incoming.js';
import { type OpenedPart, openPart } from './part.js';
import { PassedOver } from './passed-over.js';
import {
  briefEmail,
  type Frame,
  framedEmail,
  ifThere,
  inboxJson,
  type Json,
  type Message,
  messageBytes,
  nullIfGone,
  type Pieces,
  type Showing,
  sentMessage,
} from './read.js';
import { ReadyJson } from './ready-json.js';
import { emailAt, type Leaving, type Look, type Selection, select } from './selecting.js';
import { NO_SUMMARIES, summariesJson } from './summaries.js';
import { jsonBytes } from './summary.js';
import { Composer } from './threads/composer.js';
import type { Reader } from './threads/held-answers.js';
import type { Inspection } from './threads/inspect.js';
import { Inspector } from './threads/inspector.js';
import type { ReadingThreads } from './threads/reading-threads.js';
import { inTurns, Turns } from './turns.js';
import { type FoundEmail, type Wait, type Waiter, Waiting } from './waiting.js';

export { EmailGoneError, type FoundEmail, NO_SUMMARIES, StoreAwayError };

/** Which of the emails that match are wanted: those before a `receivedAt`, and at most so many of them. */
export type Page = Pick<Look, 'before' | 'limit'>;

const NO_FRAME: Frame = { before: '', behind: '' };

/** What the inboxes are made of. */
export interface InboxesOptions {
  readonly store: Store;
  readonly domains: AcceptedDomains;
  /** Whether each email is shown with `raw` too (D16). */
  readonly compat: boolean;
  /** What reads mail. Its owner closes it, after the last delivery, as the store. */
  readonly threads: ReadingThreads;
  readonly clock: Clock;
  readonly log: Log;
  /** Who is told whenever mail came into inboxes or was cleared, once a list shows it; null where nobody is. */
  readonly mailbox?: { changed(inboxes: Iterable<string>): void } | null;
  /** Left out where nobody counts. */
  readonly events?: InboxEvents | undefined;
}

/** All inboxes: the only way in (for SMTP) and out (for HTTP). Times are in milliseconds since the epoch. */
export class Inboxes implements MailSlot {
  readonly #options: InboxesOptions;
  readonly #composer: Composer;
  readonly #inspector: Inspector;
  readonly #arrivals: Arrivals;
  // Each kind of work takes turns among its like: neither mail nor a large answer queues behind those who filter.
  readonly #turns = { looking: new Turns(), answering: new Turns() };
  readonly #waiting: Waiting;
  readonly #showing: Showing;
  /** How many messages are on their way into the store. */
  #delivering = 0;

  constructor(options: InboxesOptions) {
    this.#options = options;
    this.#composer = new Composer(options);
    this.#inspector = new Inspector(options.threads, options.clock);
    const { store, clock } = options;
    this.#showing = { compat: options.compat, ready: new ReadyJson(clock) };
    this.#arrivals = new Arrivals(store);
    const shared = { arrivals: this.#arrivals, passedOver: new PassedOver(), turns: this.#turns.looking };
    this.#waiting = new Waiting({ store, clock, ...shared });
  }

  recipientOf(address: string): Recipient | RefusedRecipient {
    return recipientOf(address, this.#options.domains);
  }

  /** Begins what the first mails would otherwise wait for. Rejects when that fails; they are read all the same. */
  async warmUp(): Promise<void> {
    await this.#composer.warmUp();
  }

  async deliver(mail: IncomingMail): Promise<Outcome> {
    const taken = await this.take(mail);
    return taken.stored ? 'stored' : taken.reason;
  }

  /** The same for whoever wants to know what each recipient's email was given as its `receivedAt`. */
  async take(mail: IncomingMail): Promise<Appended> {
    this.#delivering += 1;
    try {
      return await this.#take(mail);
    } finally {
      this.#delivering -= 1;
    }
  }

  async #take({ client, raw, envelopeFrom, recipients, receivedAt }: IncomingMail): Promise<Appended> {
    const { store, clock, events } = this.#options;
    const startedAt = events === undefined ? 0 : clock.monotonic();
    const domain = recipients[0]?.to.split('@')[1];
    const generatedId = `<${randomUUID()}@${domain}>`;
    const isAlone = this.#delivering === 1;
    const recipientBytes = Math.max(...recipients.map(({ to }) => jsonBytes(to)));
    const addresses = recipients.length > 1 ? recipients.map(({ to }) => to) : null;
    const composition = { raw, envelopeFrom, generatedId, recipientBytes, recipients: addresses };
    const { index, record, summary } = await this.#composer.compose(composition, { client, isAlone });
    const readAt = events === undefined ? 0 : clock.monotonic();
    events?.extracted(readAt - startedAt, foundIn(index));
    const delivery = { receivedAt, recipients, index, summary, content: [record, raw] };
    const appended = await store.append(delivery, clock.now());
    if (!appended.stored) return appended;
    const names = new Set(recipients.map(({ inbox }) => inbox));
    this.#options.mailbox?.changed(names);
    if (events === undefined) this.#arrivals.announce(names);
    else this.#announce(names, readAt, events);
    return appended;
  }

  /** Announces a message that was read at `readAt` and is stored now, and reports how long either took. */
  #announce(inboxes: ReadonlySet<string>, readAt: number, events: InboxEvents): void {
    const { clock } = this.#options;
    const storedAt = clock.monotonic();
    events.stored(storedAt - readAt);
    this.#arrivals.announce(inboxes, () => events.told(clock.monotonic() - storedAt));
  }

  /**
   * The JSON of an InboxResponse: the emails that match, newest first. Looking for them ends when the signal is aborted; what was
   * found by then is nobody's to read.
   */
  read(inbox: string, selection: Selection, signal: Leaving): Soon<Json> {
    const { store, clock } = this.#options;
    const emails = select({ store, turns: this.#turns.looking }, { inbox, selection, now: clock.now(), signal });
    return withAnswer(emails, (listed) => this.#inTurns(inboxJson(store, listed, this.#showing)));
  }

  /** The JSON of the summaries of the same emails, of which a page may be asked for. No message is touched for it. */
  readSummaries(inbox: string, selection: Selection, page: Page, signal: Leaving): Soon<Json> {
    const { store, clock } = this.#options;
    const look = { inbox, selection, ...page, now: clock.now(), signal };
    const emails = select({ store, turns: this.#turns.looking }, look);
    return withAnswer(emails, (listed) => withAnswer(summariesJson(store, listed), (json) => this.#inTurns(json)));
  }

  /** The JSON of one email, or null when there is none with this `receivedAt`. */
  readOne(inbox: string, receivedAt: number): Soon<Json | null> {
    const { store, clock } = this.#options;
    return withAnswer(emailAt(store, inbox, receivedAt, clock.now()), (email): Soon<Json | null> => {
      if (email === null) return null;
      return ifThere(() => this.show(email, NO_FRAME));
    });
  }

  /** Waits for an email that matches (see `Waiting.begin`). */
  wait(inbox: string, selection: Selection, waiter: Waiter): Wait {
    return this.#waiting.begin(inbox, selection, waiter);
  }

  /** The JSON of an email that a wait found, in a frame. Throws `EmailGoneError`, or rejects with it, when it has been deleted. */
  show(email: FoundEmail, frame: Frame): Soon<Json> {
    return withAnswer(framedEmail(this.#options.store, email, frame, this.#showing), (json) => this.#inTurns(json));
  }

  /** The same without its message, or null when it has been deleted. */
  brief(email: FoundEmail): Soon<ByteText | null> {
    return ifThere(() => briefEmail(this.#options.store, email));
  }

  /**
   * The message of one email, byte for byte what DATA carried, or null when there is no email with this `receivedAt`.
   * Throws as `show` does.
   */
  message(inbox: string, receivedAt: number): Soon<Message | null> {
    const { store, clock } = this.#options;
    return withAnswer(emailAt(store, inbox, receivedAt, clock.now()), (email): Soon<Message | null> => {
      if (email === null) return null;
      return withAnswer(messageBytes(store, email), (message) => this.#inTurns(message));
    });
  }

  /** What an inspection of one email's message finds, in UTF-8, or null as in `message`. Rejects as `InspectionTurns.wait` does. */
  async inspect(inbox: string, receivedAt: number, inspection: Inspection, by: Reader): Promise<Uint8Array | null> {
    const { store, clock } = this.#options;
    const find = () => emailAt(store, inbox, receivedAt, clock.now());
    // Who asks for what is not there has his answer without a turn.
    if ((await find()) === null) return null;
    const open = () =>
      withAnswer(find(), (email) => {
        // It may have expired or been deleted while it waited for its turn.
        if (email === null) throw new EmailGoneError();
        return withAnswer(sentMessage(store, email), ({ envelope, pieces }) => {
          return { envelope, pieces: inTurns(pieces, this.#turns.answering) };
        });
      });
    return this.#inspector.inspect(open, inspection, by).catch(nullIfGone);
  }

  /** Has nobody wait any more who wants to inspect a message: the service stops. */
  endInspections(): void {
    this.#inspector.close();
  }

  /**
   * One part of an email's message, decoded: null as in `message`, `'no part'` where the message has none of this path,
   * `'multipart'` where that has no content of its own. Rejects as `inspect` does.
   */
  async part(
    inbox: string,
    receivedAt: number,
    path: string,
    by: Reader,
  ): Promise<OpenedPart | 'no part' | 'multipart' | null> {
    const found = await this.inspect(inbox, receivedAt, { part: path }, by);
    if (found === null) return null;
    const located: ReturnType<typeof locatePart> = JSON.parse(Buffer.from(found).toString());
    if (located === null || located === 'multipart') return located ?? 'no part';
    const { store, clock } = this.#options;
    const email = await emailAt(store, inbox, receivedAt, clock.now());
    if (email === null) return null;
    try {
      return openPart(located, (await sentMessage(store, email)).pieces, this.#turns.answering);
    } catch (error) {
      return nullIfGone(error);
    }
  }

  /** Clears an inbox: from now on it shows none of the emails that it has. */
  async clear(inbox: string): Promise<void> {
    const { store, clock, mailbox } = this.#options;
    await store.clear(inbox, clock.now());
    mailbox?.changed([inbox]);
  }

  /** Clears one email in the same way; resolves to whether it was there. */
  async clearOne(inbox: string, receivedAt: number): Promise<boolean> {
    const { store, clock, mailbox } = this.#options;
    const wasThere = await store.clearOne(inbox, receivedAt, clock.now());
    mailbox?.changed([inbox]);
    return wasThere;
  }

  /** Puts an address on the waitlist; one that is on it stays as it is (D18). */
  async joinWaitlist(email: string): Promise<void> {
    await this.#options.store.joinWaitlist(email.toLowerCase(), this.#options.clock.now());
  }

  /** What is large, with turns for others between its pieces. */
  #inTurns<A extends Json | Message>(answer: A): A | Pieces {
    const isWhole = typeof answer === 'string' || answer instanceof Uint8Array;
    return isWhole ? answer : inTurns(answer as Pieces, this.#turns.answering);
  }
}
