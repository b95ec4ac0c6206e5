import { randomUUID } from 'node:crypto';
import type { SendApiRequest } from 'mayfly-client';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { type MaybePromise, withAnswer } from '../base/maybe-promise.js';
import { HeldBytes } from '../fairness/client-memory.js';
import { inTurns, Turns } from '../fairness/event-loop.js';
import type { Appended, Store } from '../store/store.js';
import type { InboxEvents } from './inbox-events.js';
import { type AcceptedDomains, type Addressee, type RefusedRecipient, recipientOf } from './ingest/recipient.js';
import { jsonBytes } from './ingest/summary-record.js';
import { type ByteText, ReadyJson } from './read/email-json.js';
import { foundIn } from './read/filter.js';
import { Messages } from './read/messages.js';
import {
  briefEmail,
  type Frame,
  framedEmail,
  ifThere,
  inboxJson,
  type Json,
  type Showing,
  summariesJson,
} from './read/read.js';
import { emailAt, type Leaving, type Look, type Selection, select } from './read/selecting.js';
import { Ingester } from './threads/ingester.js';
import { Inspector } from './threads/inspector.js';
import type { ReadingThreads } from './threads/reading-threads.js';
import { Arrivals } from './wait/arrivals.js';
import { type FoundEmail, PassedOver, type Wait, type Waiter, Waiting } from './wait/waiting.js';

// What other parts of the service know of the inboxes, beside the objects that only `service.ts` makes.
export { EmailGoneError, StoreAwayError, StoreFullDiskError } from '../store/store.js';
export { namedInbox } from './ingest/recipient.js';
export { TEXT_CHARS } from './ingest/summary-record.js';
export type { OpenedPart } from './read/messages.js';
export type { Json, Message, Pieces } from './read/read.js';
export { NO_SUMMARIES } from './read/read.js';
export type { Leaving, Selection } from './read/selecting.js';
export type { ExtensionWork, Inspection } from './threads/inspect.js';
export { InspectorBusyError, InspectorClosedError } from './threads/inspector.js';
export type { Reader } from './threads/reader.js';
export { nextEmail } from './wait/next-email.js';
export { type FoundEmail, WAIT_MS, type Wait, type Waiter } from './wait/waiting.js';
export type { AcceptedDomains, Appended };

export type Page = Pick<Look, 'before' | 'limit'>;

/** A message as DATA carried it, and what SMTP knew of it. */
export interface IncomingMail {
  /** What stands for the client where clients are counted: reading takes its turn by it. */
  readonly client: string;
  /** What DATA carried, dot-unstuffed (D5). Unchanged until `deliver` settles, which has copied what is kept. */
  readonly raw: Uint8Array;
  /** Address of MAIL FROM; `""` for the null sender. */
  readonly envelopeFrom: string;
  /** One email comes of each; at least one. */
  readonly recipients: readonly Addressee[];
  /** When DATA had ended, in milliseconds since the epoch. */
  readonly receivedAt: number;
  /** The request that sent it, where that was one to a send API: kept with it. */
  readonly sendApi?: SendApiRequest | null;
}

/** What receiving mail needs to know of the inboxes: the way in. */
export interface MailSlot {
  /** Whom a recipient address (without its angle brackets) names, or why it is refused. */
  recipientOf(address: string): Addressee | RefusedRecipient;
  /** Keeps a message for all of its recipients or for none; resolves when it is on disk and a read would find it. */
  deliver(mail: IncomingMail): Promise<Appended>;
}

const NO_FRAME: Frame = { before: '', behind: '' };

export interface InboxesOptions {
  readonly store: Store;
  readonly domains: AcceptedDomains;
  /** Whether each email is shown with `raw` too (D16). */
  readonly compat: boolean;
  /** What reads mail. Its owner closes it, after the last delivery, as the store. */
  readonly threads: ReadingThreads;
  readonly clock: Clock;
  readonly log: Log;
  /** What counts the bytes that are held for clients over HTTP; left out where nothing else counts with it. */
  readonly held?: HeldBytes;
  /** Told whenever mail came into inboxes or was cleared, once a list shows it. */
  changed?(inboxes: Iterable<string>): void;
  /** Told whenever emails of an inbox are given to a client, with their messages. */
  handedOut?(inbox: string, emails: readonly FoundEmail[]): void;
  readonly events?: InboxEvents | undefined;
}

/** All inboxes: the only way in (for SMTP) and out (for HTTP). Times are in milliseconds since the epoch. */
export class Inboxes implements MailSlot {
  /** What is held in memory for clients over HTTP. */
  readonly held: HeldBytes;
  readonly #options: InboxesOptions;
  readonly messages: Messages;
  readonly #ingester: Ingester;
  readonly #arrivals: Arrivals;
  // Each kind of work takes turns among its like: neither mail nor a large answer queues behind those who filter.
  readonly #turns = { looking: new Turns(), answering: new Turns() };
  readonly #waiting: Waiting;
  readonly #showing: Showing;
  #delivering = 0;

  constructor(options: InboxesOptions) {
    this.#options = options;
    this.held = options.held ?? new HeldBytes(options.clock);
    this.#ingester = new Ingester(options);
    const { store, clock, threads } = options;
    const inspector = new Inspector(threads, clock, this.held);
    this.messages = new Messages({ store, clock, inspector, turns: this.#turns.answering });
    this.#showing = { compat: options.compat, ready: new ReadyJson(clock) };
    this.#arrivals = new Arrivals(store);
    const shared = { arrivals: this.#arrivals, passedOver: new PassedOver(), turns: this.#turns.looking };
    this.#waiting = new Waiting({ store, clock, ...shared });
  }

  recipientOf(address: string): Addressee | RefusedRecipient {
    return recipientOf(address, this.#options.domains);
  }

  /** Begins what the first mails would otherwise wait for. Rejects when that fails; they are read all the same. */
  async warmUp(): Promise<void> {
    await this.#ingester.warmUp();
  }

  async deliver(mail: IncomingMail): Promise<Appended> {
    this.#delivering += 1;
    try {
      return await this.#deliver(mail);
    } finally {
      this.#delivering -= 1;
    }
  }

  async #deliver({
    client,
    raw,
    envelopeFrom,
    recipients,
    receivedAt,
    sendApi = null,
  }: IncomingMail): Promise<Appended> {
    const { store, clock, events } = this.#options;
    const startedAt = events === undefined ? 0 : clock.monotonic();
    const domain = recipients[0]?.to.split('@')[1];
    const generatedId = `<${randomUUID()}@${domain}>`;
    const isAlone = this.#delivering === 1;
    const recipientBytes = Math.max(...recipients.map(({ to }) => jsonBytes(to)));
    const isPlain = recipients.length === 1 && recipients[0]?.written === undefined;
    const addresses = isPlain ? null : recipients.map(({ to, written }) => written ?? to);
    const mail = { raw, envelopeFrom, generatedId, recipientBytes, recipients: addresses, sendApi };
    const { index, record, summary } = await this.#ingester.ingest(mail, { client, isAlone });
    const readAt = events === undefined ? 0 : clock.monotonic();
    events?.extracted(readAt - startedAt, foundIn(index));
    const delivery = { receivedAt, recipients, index, summary, content: [record, raw] };
    const names = new Set(recipients.map(({ inbox }) => inbox));
    const appended = await store.append(delivery, clock.now()).catch((error) => {
      // It may be there all the same, and no look of the schedule would find it.
      this.#arrivals.announce(names);
      throw error;
    });
    if (!appended.stored) return appended;
    this.#options.changed?.(names);
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
   * The JSON of an InboxResponse: the emails that match, newest first. Looking for them ends when the signal is
   * aborted; what was found by then is nobody's to read.
   */
  read(inbox: string, selection: Selection, signal: Leaving): MaybePromise<Json> {
    const { store, clock } = this.#options;
    const emails = select({ store, turns: this.#turns.looking }, { inbox, selection, now: clock.now(), signal });
    return withAnswer(emails, (listed) => {
      this.#options.handedOut?.(inbox, listed);
      return this.#inTurns(inboxJson(store, listed, this.#showing));
    });
  }

  /** The JSON of the summaries of the same emails, of which a page may be asked for. No message is touched for it. */
  readSummaries(inbox: string, selection: Selection, page: Page, signal: Leaving): MaybePromise<Json> {
    const { store, clock } = this.#options;
    const look = { inbox, selection, ...page, now: clock.now(), signal };
    const emails = select({ store, turns: this.#turns.looking }, look);
    return withAnswer(emails, (listed) => withAnswer(summariesJson(store, listed), (json) => this.#inTurns(json)));
  }

  /** The JSON of one email, or null for an unknown `receivedAt`. */
  readOne(inbox: string, receivedAt: number): MaybePromise<Json | null> {
    const { store, clock } = this.#options;
    return withAnswer(emailAt(store, inbox, receivedAt, clock.now()), (email): MaybePromise<Json | null> => {
      if (email === null) return null;
      return ifThere(() => this.show(email, NO_FRAME));
    });
  }

  wait(inbox: string, selection: Selection, waiter: Waiter): Wait {
    return this.#waiting.begin(inbox, selection, waiter);
  }

  /** The JSON of an email that a wait found, in a frame. Throws `EmailGoneError`, or rejects with it, if deleted. */
  show(email: FoundEmail, frame: Frame): MaybePromise<Json> {
    this.#options.handedOut?.(email.inbox, [email]);
    return withAnswer(framedEmail(this.#options.store, email, frame, this.#showing), (json) => this.#inTurns(json));
  }

  /** The same without its message, or null when it has been deleted. */
  brief(email: FoundEmail): MaybePromise<ByteText | null> {
    this.#options.handedOut?.(email.inbox, [email]);
    return ifThere(() => briefEmail(this.#options.store, email));
  }

  /**
   * Clears an inbox: from now on it shows none of the emails that it has. With `receivedAt`, clears that email alone;
   * resolves to false where it is not there.
   */
  async clear(inbox: string, receivedAt?: number): Promise<boolean> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const wasThere = receivedAt === undefined ? true : await store.clearOne(inbox, receivedAt, now);
    if (receivedAt === undefined) await store.clear(inbox, now);
    this.#options.changed?.([inbox]);
    return wasThere;
  }

  #inTurns(json: Json): Json {
    return typeof json === 'string' ? json : inTurns(json, this.#turns.answering);
  }
}
