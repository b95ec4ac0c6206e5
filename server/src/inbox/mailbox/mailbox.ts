import type { Clock } from '../../base/clock.js';
import { Turns } from '../../fairness/event-loop.js';
import type { Recipient, Store, StoredEmail } from '../../store/store.js';
import type { Inboxes } from '../inboxes.js';
import { openMessage, type StoredMessage } from '../ingest/stored-message.js';
import { nullIfGone } from '../read/read.js';
import { emailAt, type Leaving, type Look, select } from '../read/selecting.js';
import { Catalogue, MOST_LISTED } from './catalogue.js';
import { type Head, Heads, headFor, type WholeHead } from './heads.js';
import { Listing, type Message } from './message-list.js';

export { mailhogMessage } from '../../mail/catchers/mailhog.js';
export { mailpitAddress, withoutBrackets } from '../../mail/catchers/mailpit.js';
export type { Head, Message };

/** Who asks, and what of the mail is his to see. */
export interface Viewer {
  mayOpen(inbox: string): boolean;
  /** Whether there is none that he may not see. */
  readonly seesAll: boolean;
  readonly leaving: Leaving;
}

/** How many heads are read in one turn, or messages opened. */
const SHARE = 8;

/** How many messages are looked at in one turn whose heads are at hand. */
const KNOWN_SHARE = 1_000;

/** How many messages are cleared at the same time: who clears an inbox of his own waits behind as many. */
const MESSAGES_AT_ONCE = 8;

const CLEARED_AT_ONCE = 64;

/** How far apart the emails of one message are, as a rule: each inbox gives its own a time behind what it has. */
const NEAR_MS = 20;

/** How often all that is there is cleared where more than is listed is there, or mail comes meanwhile. */
const CLEARING_ROUNDS = 100;

export interface MailboxOptions {
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * All inboxes as the one mailbox that other mail catchers have: messages, each once, however many recipients it has. For those who look
 * at everything; what may be seen by whom is for its user to say.
 */
export class Mailbox {
  readonly #options: MailboxOptions;
  readonly #catalogue: Catalogue;
  readonly #heads: Heads;
  readonly #turns = new Turns();
  readonly #watchers = new Set<() => void>();
  /** How many messages were opened, by whomever. */
  #contents = 0;

  constructor(options: MailboxOptions) {
    this.#options = options;
    this.#catalogue = new Catalogue(options);
    this.#heads = new Heads(options.store);
  }

  /** Goes through the store, for which the first to ask would otherwise wait. Rejects when that fails. */
  async warmUp(): Promise<void> {
    await this.#catalogue.messages();
  }

  /** Tells that mail came into inboxes of this process or went, which a list of them must show already. */
  changed(inboxes: Iterable<string>): void {
    for (const inbox of inboxes) this.#catalogue.changed(inbox);
    for (const wake of this.#watchers) wake();
  }

  /** Calls `wake` whenever something has changed, until the returned function is called. */
  watch(wake: () => void): () => void {
    this.#watchers.add(wake);
    return () => this.#watchers.delete(wake);
  }

  /** What a viewer may see, the newest first: `MOST_LISTED` emails at most. `options` are those of `Catalogue.messages`. */
  async messages(
    { mayOpen, seesAll }: Viewer,
    options: { readonly isWhole?: boolean } = {},
  ): Promise<readonly Message[]> {
    const messages = await this.#catalogue.messages(options);
    if (seesAll) return messages;
    return messages.flatMap((message) => openPart(message, mayOpen) ?? []);
  }

  /** The messages that one recipient has, the newest first. Only his inbox is looked at. */
  async messagesTo({ inbox, to }: Recipient, { mayOpen, leaving }: Viewer): Promise<readonly Message[]> {
    if (!mayOpen(inbox)) return [];
    const { store, clock } = this.#options;
    const look = { inbox, selection: {}, now: clock.now(), signal: leaving };
    const emails = await select({ store, turns: this.#turns }, look);
    const listing = new Listing(store);
    for (const email of emails) if (email.to === to) listing.append(email);
    return listing.messages;
  }

  /** The message of one email; null when it is not there, or not the viewer's to see. */
  async message(inbox: string, receivedAt: number, { mayOpen }: Viewer): Promise<Message | null> {
    if (!mayOpen(inbox)) return null;
    const { store, clock } = this.#options;
    const email = await emailAt(store, inbox, receivedAt, clock.now());
    return email === null ? null : { key: store.contentKey(email), emails: [email] };
  }

  /**
   * The email that stands for a message: that of its first recipient whom the viewer may see, so that it is the same one of whichever
   * recipient the message was found.
   */
  async standIn({ key, emails }: Message, { recipients }: Head, { mayOpen }: Viewer): Promise<StoredEmail> {
    // Of several in one inbox all but the first have times of their own.
    const inOrder = [...emails].sort((one, other) => one.receivedAt - other.receivedAt);
    const found = inOrder[0] as StoredEmail;
    const { store, clock } = this.#options;
    for (const { inbox, to } of recipients) {
      if (!mayOpen(inbox)) continue;
      const known = inOrder.find((email) => email.to === to);
      if (known !== undefined) return known;
      // As a rule, all recipients' emails have the same time.
      const email = await emailAt(store, inbox, found.receivedAt, clock.now());
      if (email !== null && store.contentKey(email) === key) return email;
    }
    return found;
  }

  /** The same of a message that may have been deleted meanwhile, as far as is known without reading it. */
  knownStandIn(message: Message, { mayOpen }: Viewer): StoredEmail {
    const inOrder = [...message.emails].sort((one, other) => one.receivedAt - other.receivedAt);
    // Whoever knows a message's ID has seen its head, so that it is kept.
    const recipients = this.#heads.known(message)?.recipients ?? [];
    const first = recipients.find(({ inbox, to }) => mayOpen(inbox) && inOrder.some((email) => email.to === to));
    return inOrder.find(({ to }) => to === first?.to) ?? (inOrder[0] as StoredEmail);
  }

  /** The head of a message as the viewer may see it; null when it has been deleted. */
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
   * The messages that pass a test of their heads as the viewer may see them, in their order, with turns for others in between. Ends when
   * the viewer has left.
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

  /** The text of a message's body as its Email has it; empty when the message has been deleted. */
  async body(message: Message): Promise<string> {
    const stored = await this.#stored(message);
    return stored === null ? '' : (JSON.parse(stored.json('body').toString()) ?? '');
  }

  /** The beginning of a message as it was sent, some 64 KB; empty when it has been deleted. */
  async beginning(message: Message): Promise<string> {
    return (await this.#stored(message))?.first.toString() ?? '';
  }

  /** A message byte for byte; null when it has been deleted, or is of several pieces in the store. */
  async source(message: Message): Promise<Uint8Array | null> {
    const stored = await this.#stored(message);
    return stored === null || stored.rest !== null ? null : stored.first;
  }

  async #stored({ emails }: Message): Promise<StoredMessage | null> {
    // Whoever looks for a word reads as many as there are, and hundreds may do so at the same time.
    this.#contents += 1;
    if (this.#contents % SHARE === 0) await this.#turns.next();
    try {
      return await openMessage(await this.#options.store.content(emails[0] as StoredEmail));
    } catch (error) {
      return nullIfGone(error);
    }
  }

  turn(): Promise<void> {
    return this.#turns.next();
  }

  /** Clears a message for all of its recipients whose inboxes the viewer may see. */
  async clear(message: Message, inboxes: Inboxes, viewer: Viewer): Promise<void> {
    for (const { inbox, receivedAt } of await this.#emailsOf(message, viewer)) await inboxes.clear(inbox, receivedAt);
  }

  async clearEach(messages: readonly Message[], inboxes: Inboxes, viewer: Viewer): Promise<void> {
    for (let start = 0; start < messages.length; start += MESSAGES_AT_ONCE) {
      const share = messages.slice(start, start + MESSAGES_AT_ONCE);
      await Promise.all(share.map((message) => this.clear(message, inboxes, viewer)));
      await this.#turns.next();
    }
  }

  /** Clears every inbox that the viewer may see and that has mail, unless he has left before. */
  async clearAll(inboxes: Inboxes, viewer: Viewer): Promise<void> {
    for (let round = 0; round < CLEARING_ROUNDS; round += 1) {
      // What another process has taken a moment ago is among "all", too.
      const messages = await this.messages(viewer, { isWhole: true });
      if (viewer.leaving.aborted) return;
      const emails = messages.flatMap((message) => message.emails);
      const names = [...new Set(emails.map(({ inbox }) => inbox))];
      for (let start = 0; start < names.length; start += CLEARED_AT_ONCE) {
        await Promise.all(names.slice(start, start + CLEARED_AT_ONCE).map((inbox) => inboxes.clear(inbox)));
      }
      if (emails.length < MOST_LISTED) return;
    }
  }

  /** The emails of a message, of whichever recipient it was found. */
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

/** What a viewer may see of a message; null where that is nothing. */
function openPart(message: Message, mayOpen: Viewer['mayOpen']): Message | null {
  const emails = message.emails.filter(({ inbox }) => mayOpen(inbox));
  if (emails.length === message.emails.length) return message;
  return emails.length === 0 ? null : { key: message.key, emails };
}
