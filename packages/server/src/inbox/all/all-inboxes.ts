import type { MaybePromise } from '../../base/maybe-promise.js';
import { Turns } from '../../limits/event-loop.js';
import type { Recipient, StoredEmail } from '../../store/store.js';
import type { Addressee, Addressing, RefusedRecipient } from '../addressing.js';
import { isHidden } from '../held-back.js';
import type { Inboxes, OpenedPart, Message as SentMessage } from '../inboxes.js';
import { openMessage, type StoredMessage } from '../ingest/stored-message.js';
import { nullIfGone } from '../read/read.js';
import { emailAt, type Leaving, type Look, type StoreAndClock, select } from '../read/selecting.js';
import type { Reader } from '../threads/inspector.js';
import type { PluginWork } from '../threads/tasks.js';
import { Catalogue, MOST_LISTED } from './catalogue.js';
import { type Head, Heads, headFor, type WholeHead } from './heads.js';
import { Listing, type Message } from './message-list.js';

export type { Head, Message };

export interface Viewer {
  mayOpen(inbox: string): boolean;
  /** Whether `mayOpen` is true of every inbox. */
  readonly seesAll: boolean;
  /** The space that all of it is in; null outside of every space (D66). */
  readonly space: string | null;
  readonly leaving: Leaving;
}

/** Heads read, or messages opened, in one turn of the event loop. */
const SHARE = 8;

const KNOWN_SHARE = 1_000;

/** Messages cleared at a time: a client that clears its own inbox waits behind as many. */
const MESSAGES_AT_ONCE = 8;

const CLEARED_AT_ONCE = 64;

/** How far apart the emails of one message usually are: an inbox moves on from a time that is taken. */
const NEAR_MS = 20;

/** Bounds `clearAll` if there is more than is listed, or mail keeps coming. */
const CLEARING_ROUNDS = 100;

export interface AllInboxesOptions extends StoreAndClock {
  readonly inboxes: Pick<Inboxes, 'clear' | 'messages'>;
  readonly addressing: Addressing;
}

/** The mail of all inboxes: each message once, whatever its recipients. A `Viewer` says what a caller may see. */
export class AllInboxes {
  readonly #options: AllInboxesOptions;
  readonly #catalogue: Catalogue;
  readonly #heads: Heads;
  readonly #turns = new Turns();
  readonly #watchers = new Set<() => void>();
  #opened = 0;

  constructor(options: AllInboxesOptions) {
    this.#options = options;
    this.#catalogue = new Catalogue(options);
    this.#heads = new Heads(options.store, options.addressing);
  }

  /** Walks the store, so that the first caller need not wait. Rejects if that fails. */
  async warmUp(): Promise<void> {
    await this.#catalogue.messages();
  }

  changed(inboxes: Iterable<string>): void {
    for (const inbox of inboxes) this.#catalogue.changed(inbox);
    for (const wake of this.#watchers) wake();
  }

  watch(wake: () => void): () => void {
    this.#watchers.add(wake);
    return () => this.#watchers.delete(wake);
  }

  /** The newest messages first, at most `MOST_LISTED` emails. See `Catalogue.messages`. */
  async list(
    { mayOpen, seesAll, space }: Viewer,
    options: { readonly isWhole?: boolean } = {},
  ): Promise<readonly Message[]> {
    const messages = await this.#catalogue.messages({ ...options, space });
    if (seesAll) return messages;
    return messages.flatMap((message) => openPart(message, mayOpen) ?? []);
  }

  /** A recipient's messages, newest first. Looks only at that inbox. */
  async listFor({ inbox, to }: Recipient, { mayOpen, leaving }: Viewer): Promise<readonly Message[]> {
    if (!mayOpen(inbox)) return [];
    const { store, clock } = this.#options;
    const look = { inbox, selection: {}, now: clock.now(), signal: leaving };
    const emails = await select({ store, turns: this.#turns }, look);
    const listing = new Listing(store);
    for (const email of emails) if (email.to === to) listing.append(email);
    return listing.messages;
  }

  /** An email's message; null if missing or not the viewer's to see. */
  async find(inbox: string, receivedAt: number, { mayOpen }: Viewer): Promise<Message | null> {
    // A client may name a held mail, which is not listed (D56).
    if (isHidden(inbox) || !mayOpen(inbox)) return null;
    const { store, clock } = this.#options;
    const email = await emailAt(store, inbox, receivedAt, clock.now());
    return email === null ? null : { key: store.contentKey(email), emails: [email] };
  }

  /** The email that stands for a message: of the first recipient that the viewer may see. */
  async standIn({ key, emails }: Message, { recipients }: Head, { mayOpen }: Viewer): Promise<StoredEmail> {
    // Within one inbox, a message's emails have different times.
    const inOrder = [...emails].sort((one, other) => one.receivedAt - other.receivedAt);
    const found = inOrder[0] as StoredEmail;
    const { store, clock } = this.#options;
    for (const { inbox, to } of recipients) {
      if (!mayOpen(inbox)) continue;
      const known = inOrder.find((email) => email.to === to);
      if (known !== undefined) return known;
      // Usually all recipients' emails have the same time.
      const email = await emailAt(store, inbox, found.receivedAt, clock.now());
      if (email !== null && store.contentKey(email) === key) return email;
    }
    return found;
  }

  /** The same as far as known without reading; the message may be deleted. */
  knownStandIn(message: Message, { mayOpen }: Viewer): StoredEmail {
    const inOrder = [...message.emails].sort((one, other) => one.receivedAt - other.receivedAt);
    // A client that knows a message's ID has seen its head, so the head is kept.
    const recipients = this.#heads.known(message)?.recipients ?? [];
    const first = recipients.find(({ inbox, to }) => mayOpen(inbox) && inOrder.some((email) => email.to === to));
    return inOrder.find(({ to }) => to === first?.to) ?? (inOrder[0] as StoredEmail);
  }

  /** As the viewer may see it; null for a deleted message. */
  async head(message: Message, { mayOpen }: Viewer): Promise<Head | null> {
    const head = await this.#head(message);
    return head && headFor(head, mayOpen);
  }

  async #head(message: Message): Promise<WholeHead | null> {
    try {
      return await this.#heads.of(message);
    } catch (error) {
      return nullIfGone(error);
    }
  }

  /**
   * The messages whose heads, as the viewer may see them, pass a test. Yields to others; ends when the viewer leaves.
   */
  async matching(
    messages: readonly Message[],
    test: (head: Head, message: Message) => boolean | Promise<boolean>,
    { leaving, mayOpen, seesAll }: Viewer,
  ): Promise<readonly Message[]> {
    const found: Message[] = [];
    let [known, read] = [0, 0];
    for (const message of messages) {
      if (leaving.aborted) return found;
      let head: WholeHead | null | undefined = this.#heads.known(message);
      if (head === undefined) {
        if (read % SHARE === 0) await this.#turns.next();
        read += 1;
        head = await this.#head(message);
      } else {
        known += 1;
        if (known % KNOWN_SHARE === 0) await this.#turns.next();
      }
      if (head !== null && (await test(seesAll ? head : headFor(head, mayOpen), message))) found.push(message);
    }
    return found;
  }

  async body(message: Message): Promise<string> {
    const stored = await this.#stored(message);
    return stored === null ? '' : (JSON.parse(stored.json('body').toString()) ?? '');
  }

  /** The first piece of a message as sent, some 64 KB; empty if deleted. */
  async beginning(message: Message): Promise<string> {
    return (await this.#stored(message))?.first.toString() ?? '';
  }

  /** A message byte for byte; null if deleted, or stored in several pieces. */
  async source(message: Message): Promise<Uint8Array | null> {
    const stored = await this.#stored(message);
    return stored === null || stored.rest !== null ? null : stored.first;
  }

  async #stored(message: Message): Promise<StoredMessage | null> {
    // A word search reads every message, and hundreds may run.
    this.#opened += 1;
    if (this.#opened % SHARE === 0) await this.#turns.next();
    try {
      return await openMessage(await this.#options.store.content(firstOf(message)));
    } catch (error) {
      return nullIfGone(error);
    }
  }

  whole(message: Message): MaybePromise<SentMessage | null> {
    const { inbox, receivedAt } = firstOf(message);
    return this.#options.inboxes.messages.whole(inbox, receivedAt);
  }

  part(message: Message, path: string, by: Reader): Promise<OpenedPart | 'no part' | 'multipart' | null> {
    const { inbox, receivedAt } = firstOf(message);
    return this.#options.inboxes.messages.part(inbox, receivedAt, path, by);
  }

  /** The result of a plugin's task; null if the message is deleted. See `Messages.inspect`. */
  read(message: Message, work: PluginWork, by: Reader): Promise<Uint8Array | null> {
    const { inbox, receivedAt } = firstOf(message);
    return this.#options.inboxes.messages.inspect(inbox, receivedAt, work, by);
  }

  /** The JSON of a message's contents; null if it is deleted. See `Messages.inspect`. */
  contents(message: Message, by: Reader): Promise<Uint8Array | null> {
    const { inbox, receivedAt } = firstOf(message);
    return this.#options.inboxes.messages.inspect(inbox, receivedAt, 'contents', by);
  }

  turn(): Promise<void> {
    return this.#turns.next();
  }

  recipientOf(address: string, { space }: Pick<Viewer, 'space'>): Addressee | RefusedRecipient {
    return this.#options.addressing.recipientOf(address, space);
  }

  async clear(message: Message, viewer: Viewer): Promise<void> {
    const { inboxes } = this.#options;
    for (const { inbox, receivedAt } of await this.#emailsOf(message, viewer)) await inboxes.clear(inbox, receivedAt);
  }

  async clearEach(messages: readonly Message[], viewer: Viewer): Promise<void> {
    for (let start = 0; start < messages.length; start += MESSAGES_AT_ONCE) {
      const share = messages.slice(start, start + MESSAGES_AT_ONCE);
      await Promise.all(share.map((message) => this.clear(message, viewer)));
      await this.#turns.next();
    }
  }

  /** Clears every inbox with mail that the viewer may see, held mail included, unless the viewer left. */
  async clearAll(viewer: Viewer): Promise<void> {
    const { inboxes } = this.#options;
    for (let round = 0; round < CLEARING_ROUNDS; round += 1) {
      // "All" includes what another process just stored.
      const messages = await this.list(viewer, { isWhole: true });
      if (viewer.leaving.aborted) return;
      const emails = messages.flatMap((message) => message.emails);
      const held = this.#catalogue.holding.filter(viewer.mayOpen);
      const names = [...new Set([...emails.map(({ inbox }) => inbox), ...held])];
      for (let start = 0; start < names.length; start += CLEARED_AT_ONCE) {
        await Promise.all(names.slice(start, start + CLEARED_AT_ONCE).map((inbox) => inboxes.clear(inbox)));
      }
      if (emails.length < MOST_LISTED && held.length < MOST_LISTED) return;
    }
  }

  /** All emails of a message, whichever recipient found it. */
  async #emailsOf(message: Message, { mayOpen, leaving }: Viewer): Promise<readonly StoredEmail[]> {
    const head = await this.#head(message);
    const [found] = message.emails;
    if (head === null || found === undefined || head.recipients.length === message.emails.length) return message.emails;
    const { store, clock } = this.#options;
    const inInbox = async (inbox: string, range: Pick<Look, 'selection' | 'before'>) => {
      const look = { inbox, ...range, now: clock.now(), signal: leaving };
      const listed = await select({ store, turns: this.#turns }, look);
      return listed.filter((email) => store.contentKey(email) === message.key);
    };
    const { receivedAt } = found;
    const near = { selection: { after: receivedAt - NEAR_MS }, before: receivedAt + NEAR_MS };
    const emails: StoredEmail[] = [];
    const names = head.recipients.map(({ inbox }) => inbox);
    for (const inbox of new Set(names)) {
      if (!mayOpen(inbox)) continue;
      const isNear = await inInbox(inbox, near);
      const isAll = isNear.length === names.filter((name) => name === inbox).length;
      emails.push(...(isAll ? isNear : await inInbox(inbox, { selection: {} })));
    }
    return emails;
  }
}

function firstOf({ emails }: Message): StoredEmail {
  return emails[0] as StoredEmail;
}

function openPart(message: Message, mayOpen: Viewer['mayOpen']): Message | null {
  const emails = message.emails.filter(({ inbox }) => mayOpen(inbox));
  if (emails.length === message.emails.length) return message;
  return emails.length === 0 ? null : { key: message.key, emails };
}
