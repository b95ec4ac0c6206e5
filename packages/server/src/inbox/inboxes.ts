import { randomUUID } from 'node:crypto';
import type { SendApiRequest } from 'mayfly-protocol';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { SmtpError } from '../errors.js';
import { HeldBytes } from '../limits/client-memory.js';
import { Turns } from '../limits/event-loop.js';
import type { Appended, Store, StoredEmail } from '../store/store.js';
import type { AdHocFull, AdHocQuota } from './ad-hoc.js';
import type { Addressee, Addressing, RefusedRecipient } from './addressing.js';
import { Changes, STREAM_MS, type Taker, Wait, type WaitContext, type Waiter } from './changes.js';
import { type HeldBack, heldBackOf, hiddenInbox, isHidden } from './held-back.js';
import { jsonBytes } from './ingest/stored-message.js';
import { type ByteText, readyJson, sourceJson } from './read/email-json.js';
import { type Messages, messagesOf } from './read/messages.js';
import {
  briefEmail,
  framedEmail,
  inboxJson,
  type Json,
  listJson,
  nullIfGone,
  type Showing,
  summaryJson,
} from './read/read.js';
import { emailAt, type Found, foundIn, type Leaving, type Look, type Selection, select } from './read/selecting.js';
import { type Ingester, ingesterOf } from './threads/ingester.js';
import type { ParserPool } from './threads/parser-pool.js';

// Other parts import these names from here. `service.ts` imports the classes that it creates from their modules.
export { EmailGoneError, StoreAwayError, StoreFullDiskError, StoreFullError } from '../store/store.js';
export type { HeldMail, Released } from './held-back.js';
export { TEXT_CHARS } from './ingest/stored-message.js';
export { InspectorBusyError, type OpenedPart, type Reader } from './read/messages.js';
export type { Json, Message, Pieces } from './read/read.js';
export { NO_SUMMARIES } from './read/read.js';
export type { Leaving, Selection } from './read/selecting.js';
export { ThreadsClosedError } from './threads/parser-pool.js';
export type { Inspection, PluginWork } from './threads/tasks.js';
export type { Addressee, Appended, RefusedRecipient, StoredEmail, Taker, Wait, Waiter };

/** A message as DATA carried it, and its SMTP envelope. */
export interface IncomingMail {
  /** Identifies the client (see `clientKey`). Parsing takes turns by client. */
  readonly client: string;
  /** The content of DATA, dot-unstuffed (D5). Must not change until `deliver` has settled. */
  readonly raw: Uint8Array;
  readonly envelopeFrom: string;
  readonly recipients: readonly Addressee[];
  /** The end of DATA, in milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly sendApi?: SendApiRequest | null;
}

/** How a plugin ends a delivery: it delays the reply, and then sends it or (`isLost`) closes the connection. */
export interface Ending {
  readonly delayMs: number;
  readonly isLost: boolean;
}

export type Delivered = (
  | Appended
  | AdHocFull
  | { readonly stored: false; readonly reason: 'rehearsed'; readonly error: SmtpError }
) & { readonly ending?: Ending };

export interface MailSlot {
  recipientOf(address: string, adHoc?: string | null): Addressee | RefusedRecipient;
  /** Why a recipient is refused. A send API has no RCPT, so its `until` is 'data' to include refusals after DATA. */
  refusalOf?(recipient: Addressee, envelopeFrom: string, until?: 'rcpt' | 'data'): Promise<SmtpError | null>;
  /** Stores a message for all recipients or none; resolves once it is on disk and readable. */
  deliver(mail: IncomingMail): Promise<Delivered>;
}

export interface Patience extends Taker {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What the metrics count. No method may throw or block. */
export interface InboxEvents {
  /** A message was parsed, `ms` after DATA ended. */
  extracted(ms: number, found: Found): void;
  stored(ms: number): void;
  /** All waiters have been called, `ms` after the message was stored. */
  told(ms: number): void;
}

export interface InboxesOptions {
  readonly store: Store;
  readonly addressing: Addressing;
  readonly adHocQuota?: AdHocQuota | null;
  /** Whether emails also have `raw` (D16). */
  readonly zerodrop: boolean;
  /** Parses mail. The owner closes this pool, like the store, after the last delivery. */
  readonly threads: ParserPool;
  readonly clock: Clock;
  readonly log: Log;
  /** Called whenever a client gets emails of an inbox. */
  handedOut?(inbox: string, emails: readonly StoredEmail[], taker: Taker): void;
  released?(inbox: string, heldAt: number, receivedAt: number): void;
  readonly events?: InboxEvents | undefined;
}

/** All inboxes: the only way in (SMTP) and out (HTTP). Times are in milliseconds since the epoch. */
export class Inboxes implements MailSlot {
  readonly held = new HeldBytes();
  readonly #options: InboxesOptions;
  readonly messages: Messages;
  readonly heldBack: HeldBack;
  readonly ingester: Ingester;
  readonly changes: Changes;
  readonly #waits: WaitContext;
  readonly #showing: Showing;

  constructor(options: InboxesOptions) {
    this.#options = options;
    const { store, clock, threads, zerodrop, adHocQuota = null, released } = options;
    this.ingester = ingesterOf(options);
    this.changes = new Changes(store);
    const answering = { store, clock, turns: new Turns() };
    this.messages = messagesOf({ ...answering, threads, held: this.held });
    this.#showing = { ...answering, zerodrop, ready: readyJson(clock) };
    this.heldBack = heldBackOf({ store, clock, adHocQuota, changes: this.changes, ...(released && { released }) });
    // Filters have separate turns, so that mail and large answers do not wait for filters.
    this.#waits = { store, clock, turns: new Turns(), changes: this.changes };
  }

  recipientOf(address: string, adHoc: string | null = null): Addressee | RefusedRecipient {
    return this.#options.addressing.recipientOf(address, adHoc);
  }

  deliver(mail: IncomingMail): Promise<Appended | AdHocFull> {
    const { adHocQuota = null, clock } = this.#options;
    const { client, raw, recipients } = mail;
    if (adHocQuota === null) return this.#append(mail);
    // All recipients of a message are in the ad-hoc workspace of its sender.
    const inbox = recipients[0]?.inbox ?? '';
    const load = { client, bytes: raw.length, recipients: recipients.length };
    return adHocQuota.append(inbox, load, clock.now(), () => this.#append(mail));
  }

  async #append(mail: IncomingMail): Promise<Appended> {
    const { client, raw, envelopeFrom, recipients, receivedAt, sendApi = null } = mail;
    const { store, clock, events } = this.#options;
    const startedAt = clock.monotonic();
    const generatedId = `<${randomUUID()}@${recipients[0]?.to.split('@')[1]}>`;
    const recipientBytes = Math.max(...recipients.map(({ to }) => jsonBytes(to) + sourceJson(to).length));
    const isPlain = recipients.length === 1 && recipients[0]?.written === undefined;
    const addresses = isPlain ? null : recipients.map(({ to, written }) => written ?? to);
    // Names each value, because a spread takes longer than the rest of this method.
    const received = { raw, envelopeFrom, generatedId, recipientBytes, recipients: addresses, sendApi };
    const [index, record, summary] = await this.ingester.ingest(received, client);
    const parsedAt = clock.monotonic();
    events?.extracted(parsedAt - startedAt, foundIn(index));
    const names = new Set(recipients.map(({ inbox }) => inbox));
    const delivery = { receivedAt, recipients, index, summary, content: [record, raw] };
    const appended = await store.append(delivery, clock.now()).catch((error) => {
      // The message may be stored anyway. Without an announcement, waits would not read the inbox.
      this.changes.came(names);
      throw error;
    });
    if (!appended.stored) return appended;
    const storedAt = clock.monotonic();
    events?.stored(storedAt - parsedAt);
    const stored = recipients.map(({ inbox }, at) => ({ inbox, receivedAt: appended.receivedAt[at] as number }));
    const arrived = stored.filter(({ inbox }) => !isHidden(inbox));
    this.changes.came(names, arrived, events && (() => events.told(clock.monotonic() - storedAt)));
    return appended;
  }

  /** The JSON of an InboxResponse: matching emails, newest first. An aborted signal ends the search. */
  async read(inbox: string, selection: Selection, signal: Leaving, taker: Taker): Promise<Json> {
    const emails = await select(this.#waits, { inbox, selection, signal });
    this.#options.handedOut?.(inbox, emails, taker);
    return inboxJson(this.#showing, emails);
  }

  async readSummaries(inbox: string, selection: Selection, page: Pick<Look, 'before' | 'limit'>, signal: Leaving) {
    const emails = await select(this.#waits, { inbox, selection, ...page, signal });
    return listJson(this.#showing, emails, summaryJson);
  }

  /** The JSON of one email, or null for an unknown `receivedAt`. */
  async readOne(inbox: string, receivedAt: number, taker: Taker): Promise<Json | null> {
    const email = await emailAt(this.#showing, inbox, receivedAt);
    return email && this.show(email, taker).catch(nullIfGone);
  }

  wait(inbox: string, selection: Selection, waiter: Waiter, waitMs = STREAM_MS): Wait {
    return new Wait(this.#waits, inbox, selection, waiter, waitMs);
  }

  /** Resolves to the newest match, or else to the next; null on timeout. Rejects if the store fails, or on abort. */
  next(inbox: string, selection: Selection, { timeoutMs, signal, way, client }: Patience): Promise<StoredEmail | null> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const waiter = { way, client, found: resolve, timedOut: () => resolve(null), failed: reject };
      const wait = this.wait(inbox, selection, waiter, timeoutMs);
      signal.addEventListener('abort', () => {
        wait.leave();
        reject(signal.reason);
      });
    });
  }

  /** The JSON of an email between two texts. Rejects with `EmailGoneError` if the email was deleted. */
  show(email: StoredEmail, taker: Taker, before = '', behind = ''): Promise<Json> {
    this.#options.handedOut?.(email.inbox, [email], taker);
    return framedEmail(this.#showing, email, before, behind);
  }

  brief(email: StoredEmail, taker: Taker): Promise<ByteText | null> {
    this.#options.handedOut?.(email.inbox, [email], taker);
    return briefEmail(this.#options.store, email).catch(nullIfGone);
  }

  /** The JSON of an email without `rawBody`, for plugins that listen; null if the email was deleted. */
  async briefAt(inbox: string, receivedAt: number): Promise<ByteText | null> {
    const email = await emailAt(this.#showing, inbox, receivedAt);
    return email && briefEmail(this.#options.store, email).catch(nullIfGone);
  }

  /** Immediately clears an inbox, or only the email with `receivedAt`; resolves to false if that email is missing. */
  async clear(inbox: string, receivedAt?: number): Promise<boolean> {
    const { store, clock } = this.#options;
    const now = clock.now();
    let wasThere = true;
    for (const name of this.heldBack.mayHold(inbox) ? [inbox, hiddenInbox(inbox)] : [inbox]) {
      if (receivedAt === undefined) await store.clear(name, now);
      else wasThere = await store.clearOne(name, receivedAt, now);
      if (receivedAt !== undefined && wasThere) break;
    }
    this.changes.cleared(new Set([inbox]));
    return wasThere;
  }
}
