import type { Addressee, Clock, PluginWork, Reader, Records, StoredEmail, Viewer } from 'mayfly-inbox/plugin';
import { type Head, Heads, headFor } from './heads.js';
import { byAdHoc, type Message, MOST_LISTED, Newest } from './newest.js';
import { placeOf } from './requests.js';

export type { Head, Message };

/** Number of heads read in one turn of the event loop. */
const SHARE = 50;

/** Number of messages opened in one turn of the event loop. */
const OPENED_SHARE = 8;

/** Number of messages, and of inboxes, cleared at a time. Small, because other clients' deletions wait meanwhile. */
const MESSAGES_AT_ONCE = 8;
const CLEARED_AT_ONCE = 64;

/** The other emails of a message are first searched this close to the known one, because their times hardly differ. */
const NEAR_MS = 20;

/** Maximum number of times that `clearAll` lists and clears mail, because a list has a limit and mail may arrive. */
const CLEARING_ROUNDS = 100;
const OPENED = new WeakMap<Records, AllInboxes>();

/** Returns the instance that all plugins of a service share. */
export function allInboxes(records: Records, clock: Clock): AllInboxes {
  const opened = OPENED.get(records) ?? new AllInboxes(records, clock);
  OPENED.set(records, opened);
  return opened;
}

/** The mail of all inboxes, each message once, even with several recipients. A `Viewer` limits what is visible. */
export class AllInboxes {
  readonly #records: Records;
  readonly #newest: Newest;
  readonly #heads: Heads;
  #opened = 0;

  constructor(records: Records, clock: Clock) {
    this.#records = records;
    this.#newest = new Newest(records, clock);
    this.#heads = new Heads(records);
    records.onChange((inboxes) => {
      for (const inbox of inboxes) this.#newest.changed(inbox);
    });
  }

  /** Reads the store in advance, so that the first caller need not wait. */
  async warmUp(): Promise<void> {
    await this.#newest.messages();
  }

  /** Returns the newest messages, newest first, with at most `MOST_LISTED` emails. See `Newest.messages`. */
  async list({ mayOpen, seesAll, adHoc }: Viewer, { isWhole = false } = {}): Promise<readonly Message[]> {
    const messages = await this.#newest.messages(adHoc, { isWhole });
    if (seesAll) return messages;
    return messages.flatMap((message) => {
      const emails = message.emails.filter(({ inbox }) => mayOpen(inbox));
      if (emails.length === message.emails.length) return message;
      return emails.length === 0 ? [] : { key: message.key, emails };
    });
  }

  async listFor({ inbox, to }: Addressee, { mayOpen, leaving }: Viewer): Promise<readonly Message[]> {
    if (!mayOpen(inbox)) return [];
    const emails = (await this.#records.of(inbox, {}, leaving)).filter((email) => email.to === to);
    return [...byAdHoc(emails, this.#records).values()].flat();
  }

  /** Returns the message of the email with this ID; null if the email is missing or hidden from the viewer. */
  async find(id: string, { mayOpen }: Viewer): Promise<Message | null> {
    const place = placeOf(id);
    const email = place && mayOpen(place.inbox) ? await this.#records.at(place.inbox, place.receivedAt) : null;
    return email && { key: this.#records.keyOf(email), emails: [email] };
  }

  /** Returns the head and the email that represents the message; null for a deleted message. */
  async shown(message: Message, viewer: Viewer) {
    const head = await this.head(message, viewer);
    return head && { head, email: await this.#standIn(message, head, viewer) };
  }

  /** The email that represents a message: the email of the first recipient whom the viewer may see. */
  async #standIn({ key, emails }: Message, { recipients }: Head, { mayOpen }: Viewer): Promise<StoredEmail> {
    const inOrder = byTime(emails);
    const found = inOrder[0] as StoredEmail;
    for (const { inbox, to } of recipients) {
      if (!mayOpen(inbox)) continue;
      const known = inOrder.find((email) => email.to === to);
      if (known !== undefined) return known;
      // This recipient's email may not be listed. Usually it has the same time as the others.
      const email = await this.#records.at(inbox, found.receivedAt);
      if (email !== null && this.#records.keyOf(email) === key) return email;
    }
    return found;
  }

  /** Like the email in `shown`, but without reading the store. The message may be deleted. */
  knownStandIn(message: Message, { mayOpen }: Viewer): StoredEmail {
    const inOrder = byTime(message.emails);
    // A client that knows a message's ID has read its head, so the head is cached.
    const recipients = this.#heads.known(message)?.recipients ?? [];
    const first = recipients.find(({ inbox, to }) => mayOpen(inbox) && inOrder.some((email) => email.to === to));
    return inOrder.find(({ to }) => to === first?.to) ?? (inOrder[0] as StoredEmail);
  }

  /** Returns the head as the viewer may see it; null for a deleted message. */
  async head(message: Message, { mayOpen }: Viewer): Promise<Head | null> {
    const head = await this.#heads.of(message);
    return head && headFor(head, mayOpen);
  }

  /** Messages whose heads, as the viewer sees them, pass a test. Yields to other work. Ends if the viewer leaves. */
  async matching(
    messages: readonly Message[],
    test: (head: Head, message: Message) => boolean | Promise<boolean>,
    { leaving, mayOpen, seesAll }: Viewer,
  ): Promise<readonly Message[]> {
    const found: Message[] = [];
    for (const [at, message] of messages.entries()) {
      if (leaving.aborted) return found;
      if (at % SHARE === 0) await this.#records.turn();
      const head = await this.#heads.of(message);
      if (head !== null && (await test(seesAll ? head : headFor(head, mayOpen), message))) found.push(message);
    }
    return found;
  }

  /** Reads the stored values of a message; null if it is deleted. */
  async record(message: Message) {
    // Yields regularly, because a word search reads every message, and hundreds of searches may run at a time.
    this.#opened += 1;
    if (this.#opened % OPENED_SHARE === 0) await this.#records.turn();
    return this.#records.read(firstOf(message));
  }

  async whole(message: Message) {
    const { inbox, receivedAt } = firstOf(message);
    return this.#records.messages.whole(inbox, receivedAt);
  }

  part(message: Message, path: string, by: Reader) {
    const { inbox, receivedAt } = firstOf(message);
    return this.#records.messages.part(inbox, receivedAt, path, by);
  }

  /** Returns the result of a plugin's task, or the JSON of the contents; null if the message is deleted. */
  read(message: Message, work: PluginWork | 'contents', by: Reader): Promise<Uint8Array | null> {
    const { inbox, receivedAt } = firstOf(message);
    return this.#records.messages.inspect(inbox, receivedAt, work, by);
  }

  async clear(message: Message, viewer: Viewer): Promise<void> {
    const emails = await this.#emailsOf(message, viewer);
    // Deletes the email with the message's ID last, because clients may request the message in between.
    const { inbox, receivedAt } = this.knownStandIn(message, viewer);
    const isLast = (email: StoredEmail) => email.inbox === inbox && email.receivedAt === receivedAt;
    for (const email of emails.toSorted((one, other) => Number(isLast(one)) - Number(isLast(other)))) {
      await this.#records.clear(email.inbox, email.receivedAt);
    }
  }

  async clearEach(messages: readonly Message[], viewer: Viewer): Promise<void> {
    for (let start = 0; start < messages.length; start += MESSAGES_AT_ONCE) {
      const share = messages.slice(start, start + MESSAGES_AT_ONCE);
      await Promise.all(share.map((message) => this.clear(message, viewer)));
      await this.#records.turn();
    }
  }

  /** Clears every inbox that the viewer may see, including held mail, unless the viewer disconnected. */
  async clearAll(viewer: Viewer): Promise<void> {
    for (let round = 0; round < CLEARING_ROUNDS; round += 1) {
      // Includes mail that another process has just stored.
      const messages = await this.list(viewer, { isWhole: true });
      if (viewer.leaving.aborted) return;
      const emails = messages.flatMap((message) => message.emails);
      const held = this.#newest.holding.filter(viewer.mayOpen);
      const names = [...new Set([...emails.map(({ inbox }) => inbox), ...held])];
      for (let start = 0; start < names.length; start += CLEARED_AT_ONCE) {
        await Promise.all(names.slice(start, start + CLEARED_AT_ONCE).map((inbox) => this.#records.clear(inbox)));
      }
      if (emails.length < MOST_LISTED && held.length < MOST_LISTED) return;
    }
  }

  async #emailsOf(message: Message, { mayOpen, leaving }: Viewer): Promise<readonly StoredEmail[]> {
    const head = await this.#heads.of(message);
    const [found] = message.emails;
    if (head === null || found === undefined || head.recipients.length === message.emails.length) return message.emails;
    const inInbox = async (inbox: string, range = {}) => {
      const listed = await this.#records.of(inbox, range, leaving);
      return listed.filter((email) => this.#records.keyOf(email) === message.key);
    };
    const near = { after: found.receivedAt - NEAR_MS, before: found.receivedAt + NEAR_MS };
    const emails: StoredEmail[] = [];
    const names = head.recipients.map(({ inbox }) => inbox);
    for (const inbox of new Set(names)) {
      if (!mayOpen(inbox)) continue;
      const isNear = await inInbox(inbox, near);
      const isAll = isNear.length === names.filter((name) => name === inbox).length;
      emails.push(...(isAll ? isNear : await inInbox(inbox)));
    }
    return emails;
  }
}

/** Sorts a message's emails by time. Those in the same inbox always have different times. */
function byTime(emails: readonly StoredEmail[]): StoredEmail[] {
  return emails.toSorted((one, other) => one.receivedAt - other.receivedAt);
}

function firstOf({ emails }: Message): StoredEmail {
  return emails[0] as StoredEmail;
}
