import type { EmailParts, Envelope } from 'mayfly-protocol';
import type { Clock } from '../../base/clock.js';
import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import { EmailGoneError, type Store, type StoredEmail } from '../../store/store.js';
import { isHidden, isUnlisted } from '../held-back.js';
import { openMessage, rawPieces, type StoredMessage } from '../ingest/stored-message.js';
import { valuesOf } from '../ingest/summary-record.js';
import { outsideSpace, spaceIn } from '../spaces/space.js';
import {
  type ByteText,
  briefJson,
  type EmailHead,
  emailHeadJson,
  emailJson,
  isSmall,
  type ReadyJson,
  smallMessageJson,
} from './email-json.js';

/** Bounded pieces made on demand. Throws `EmailGoneError` if the email is deleted meanwhile. */
export type Pieces = AsyncIterable<Uint8Array>;

/** JSON in UTF-8; whole if small. */
export type Json = ByteText | Pieces;

export type Message = Uint8Array | Pieces;

export interface Showing {
  readonly compat: boolean;
  readonly ready: ReadyJson;
}

/** Text around an email's JSON, in ASCII. */
export interface Frame {
  readonly before: string;
  readonly behind: string;
}

/** Bytes of a list made in one go; its last email may exceed them. */
const SHARE_BYTES = 256 * 1024;

/** An email's JSON in its frame. Throws `EmailGoneError`, or rejects with it, if deleted since it was listed. */
export function framedEmail(store: Store, email: StoredEmail, frame: Frame, showing: Showing): MaybePromise<Json> {
  return withAnswer(readyOrMessage(store, email, showing), (found): Json => {
    if (typeof found !== 'string' && !isSmall(found)) return largeEmail(store, email, found, frame, showing);
    return frame.before + smallEmail(store, email, found, showing) + frame.behind;
  });
}

/** An email's JSON without its message. Throws as `framedEmail`. */
export function briefEmail(store: Store, email: StoredEmail): MaybePromise<ByteText> {
  return withAnswer(messageOf(store, email), (message) => briefJson(email, message));
}

async function* largeEmail(
  store: Store,
  email: StoredEmail,
  message: StoredMessage,
  { before, behind }: Frame,
  showing: Showing,
): AsyncGenerator<Uint8Array> {
  yield bytesOf(before);
  yield* emailPieces(store, email, message, showing);
  yield bytesOf(behind);
}

export function messageBytes(store: Store, email: StoredEmail): MaybePromise<Message> {
  return withAnswer(messageOf(store, email), (message) => (message.rest === null ? message.first : rawPieces(message)));
}

/** How a message came; its bytes do not tell. */
export interface Sending {
  readonly envelope: Envelope;
  readonly sendApi: EmailParts['sendApi'];
}

export function sentMessage(store: Store, email: StoredEmail): MaybePromise<{ sending: Sending; pieces: Pieces }> {
  return withAnswer(messageOf(store, email), (message) => {
    const from: string | null = JSON.parse(message.json('envelopeFrom').toString());
    const sendApi: Sending['sendApi'] = JSON.parse(message.json('sendApi').toString());
    return { sending: { envelope: { from: from ?? '', to: email.to }, sendApi }, pieces: rawPieces(message) };
  });
}

/** The JSON of an InboxResponse (interface section 2.2), without emails deleted since they were listed. */
export function inboxJson(store: Store, emails: readonly StoredEmail[], showing: Showing): Json {
  const list = new InboxList(store, emails, showing);
  const first = list.share();
  return list.isOver ? first : list.piecesAfter(first);
}

class InboxList {
  readonly #store: Store;
  readonly #emails: readonly StoredEmail[];
  readonly #showing: Showing;
  #done = 0;
  #count = 0;
  /** The next email's opened message if it is large or still awaited. */
  #opened: MaybePromise<StoredMessage | null> | undefined;
  #isOver = false;

  constructor(store: Store, emails: readonly StoredEmail[], showing: Showing) {
    this.#store = store;
    this.#emails = emails;
    this.#showing = showing;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  share(): ByteText {
    let json = this.#done === 0 ? '{"emails":[' : '';
    while (json.length < SHARE_BYTES) {
      const email = this.#emails[this.#done];
      if (email === undefined) {
        this.#isOver = true;
        return `${json}],"count":${this.#count}}`;
      }
      const found = this.#showing.ready.get(this.#store.contentKey(email)) ?? messageIfThere(this.#store, email);
      if (found instanceof Promise || !(found === null || typeof found === 'string' || isSmall(found))) {
        this.#opened = found;
        return json;
      }
      this.#done += 1;
      if (found !== null) json += this.#comma() + smallEmail(this.#store, email, found, this.#showing);
    }
    return json;
  }

  async *piecesAfter(first: ByteText): AsyncGenerator<Uint8Array> {
    yield bytesOf(first);
    while (!this.#isOver) {
      yield* this.#openedEmail();
      yield bytesOf(this.share());
    }
  }

  async *#openedEmail(): AsyncGenerator<Uint8Array> {
    const email = this.#emails[this.#done];
    if (this.#opened === undefined || email === undefined) return;
    const message = await this.#opened;
    this.#opened = undefined;
    this.#done += 1;
    if (message === null) return;
    yield bytesOf(this.#comma());
    yield* emailPieces(this.#store, email, message, this.#showing);
  }

  #comma(): ByteText {
    this.#count += 1;
    return this.#count === 1 ? '' : ',';
  }
}

function readyOrMessage(store: Store, email: StoredEmail, { ready }: Showing): MaybePromise<ByteText | StoredMessage> {
  return ready.get(store.contentKey(email)) ?? messageOf(store, email);
}

function smallEmail(store: Store, email: StoredEmail, found: ByteText | StoredMessage, showing: Showing): ByteText {
  if (typeof found === 'string') return emailHeadJson(email) + found;
  const made = smallMessageJson(found, { twice: showing.compat });
  showing.ready.keep(store.contentKey(email), made);
  return emailHeadJson(email) + made;
}

async function* emailPieces(
  store: Store,
  email: StoredEmail,
  message: StoredMessage,
  { compat }: Showing,
): AsyncGenerator<Uint8Array> {
  const json = emailJson(email, message, compat ? () => messageOf(store, email) : null);
  for await (const piece of json) yield bytesOf(piece);
}

function bytesOf(text: ByteText): Buffer {
  return Buffer.from(text, 'latin1');
}

function messageIfThere(store: Store, email: StoredEmail): MaybePromise<StoredMessage | null> {
  return ifThere(() => messageOf(store, email));
}

/** What is read of a listed email; null if that is deleted. */
export function ifThere<T>(read: () => MaybePromise<T>): MaybePromise<T | null> {
  try {
    const answer = read();
    if (!(answer instanceof Promise)) return answer;
    const there = answer.catch(nullIfGone);
    // A waiting caller handles the error; a client that left has none.
    there.catch(() => {});
    return there;
  } catch (error) {
    return nullIfGone(error);
  }
}

/** Null if the email is deleted; throws any other error. */
export function nullIfGone(error: unknown): null {
  if (error instanceof EmailGoneError) return null;
  throw error;
}

function messageOf(store: Store, email: StoredEmail): MaybePromise<StoredMessage> {
  return withAnswer(store.content(email), openMessage);
}

export const NO_SUMMARIES = '{"emails":[],"count":0}';

/** Summaries read and made in one go: at most 150 KB of JSON. */
const SHARE = 128;

/** The JSON of summaries, `{"emails": […], "count": n}`. */
export function summariesJson(store: Store, emails: readonly StoredEmail[]): MaybePromise<Json> {
  return listJson(emails, (share) => withAnswer(store.summaries(share), (records) => shownOf(share, records)));
}

/** At once if short and at hand. `textsOf` omits emails deleted since; `more` are fields behind the count. */
export function listJson(
  emails: readonly StoredEmail[],
  textsOf: (share: readonly StoredEmail[]) => MaybePromise<readonly ByteText[]>,
  more = '',
): MaybePromise<Json> {
  if (emails.length > SHARE) return listPieces(emails, textsOf, more);
  return withAnswer(textsOf(emails), (texts) => `{"emails":[${texts.join()}],"count":${texts.length}${more}}`);
}

async function* listPieces(...[emails, textsOf, more = '']: Parameters<typeof listJson>): AsyncGenerator<Uint8Array> {
  let count = 0;
  let before = '{"emails":[';
  for (let start = 0; start < emails.length; start += SHARE) {
    const texts = await textsOf(emails.slice(start, start + SHARE));
    if (texts.length === 0) continue;
    yield bytesOf(before + texts.join());
    before = ',';
    count += texts.length;
  }
  yield bytesOf(`${count === 0 ? before : ''}],"count":${count}${more}}`);
}

function shownOf(emails: readonly StoredEmail[], records: readonly (Uint8Array | null)[]): ByteText[] {
  const shown: ByteText[] = [];
  for (const [i, email] of emails.entries()) {
    const record = records[i];
    if (record) shown.push(summaryJson(email, record));
  }
  return shown;
}

export function summaryJson({ to, receivedAt }: EmailHead, record: Uint8Array): ByteText {
  const recipient = Buffer.from(JSON.stringify(to)).toString('latin1');
  return `{"receivedAt":"${new Date(receivedAt).toISOString()}","to":${recipient},${valuesOf(record)}`;
}

export interface ListedText {
  readonly inbox: string;
  readonly json: ByteText;
}

export function listedTexts(store: Store, emails: readonly StoredEmail[]): MaybePromise<readonly ListedText[]> {
  return withAnswer(store.summaries(emails), (records) =>
    emails.flatMap((email, at) => {
      const record = records[at];
      if (!record) return [];
      const inbox = Buffer.from(JSON.stringify(outsideSpace(email.inbox))).toString('latin1');
      return [{ inbox: email.inbox, json: `{"inbox":${inbox},${summaryJson(email, record).slice('{'.length)}` }];
    }),
  );
}

export interface KeptMessage {
  readonly inbox: string;
  readonly receivedAt: number;
  /** To be read before the next email is requested. */
  readonly pieces: Pieces;
}

const PAGE = 128;

/** By inbox, newest first: those of a space, or those in none (null). The store may be in use. */
export async function* keptMessages(store: Store, clock: Clock, space: string | null): AsyncGenerator<KeptMessage> {
  for await (const inbox of store.inboxes()) {
    // A pair opens the private inboxes of its space, too.
    const isLeftOut = space === null ? isUnlisted(inbox) : isHidden(inbox);
    if (!isLeftOut && spaceIn(inbox) === space) yield* messagesOf(inbox, store, clock);
  }
}

async function* messagesOf(inbox: string, store: Store, clock: Clock): AsyncGenerator<KeptMessage> {
  for (let before: number | undefined = Number.POSITIVE_INFINITY; before !== undefined; ) {
    const page = await store.list(inbox, { before, limit: PAGE }, clock.now());
    for (const email of page) {
      const message = await ifThere(() => sentMessage(store, email));
      if (message !== null) yield { inbox: outsideSpace(inbox), receivedAt: email.receivedAt, pieces: message.pieces };
    }
    before = page.length < PAGE ? undefined : page.at(-1)?.receivedAt;
  }
}
