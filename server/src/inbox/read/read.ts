import type { EmailParts, Envelope } from 'mayfly-client';
import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import { EmailGoneError, type Store, type StoredEmail } from '../../store/store.js';
import { openMessage, rawPieces, type StoredMessage } from '../ingest/stored-message.js';
import { type ByteText, briefJson, emailHeadJson, emailJson, isSmall, smallMessageJson } from './email-json.js';
import type { ReadyJson } from './ready-json.js';

/** Bounded pieces, each made when it is asked for. Throws `EmailGoneError` when the email that is read is deleted in the middle. */
export type Pieces = AsyncIterable<Uint8Array>;

/** JSON in UTF-8: all of it where that is small. */
export type Json = ByteText | Pieces;

/** A message byte for byte: all of it where it is of one piece. */
export type Message = Uint8Array | Pieces;

export interface Showing {
  readonly compat: boolean;
  readonly ready: ReadyJson;
}

/** What stands before and behind the JSON of an email, in ASCII. */
export interface Frame {
  readonly before: string;
  readonly behind: string;
}

/** How many bytes of a list are made in one go; the last email of a share may go beyond that. */
const SHARE_BYTES = 256 * 1024;

/** The JSON of one email in its frame. Throws `EmailGoneError`, or rejects with it, when it has been deleted since it was listed. */
export function framedEmail(store: Store, email: StoredEmail, frame: Frame, showing: Showing): MaybePromise<Json> {
  return withAnswer(readyOrMessage(store, email, showing), (found): Json => {
    if (typeof found !== 'string' && !isSmall(found)) return largeEmail(store, email, found, frame, showing);
    return frame.before + smallEmail(store, email, found, showing) + frame.behind;
  });
}

/** The JSON of one email without its message. Throws as `framedEmail` does. */
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

/** The bytes of an email's message. Throws as `framedEmail` does. */
export function messageBytes(store: Store, email: StoredEmail): MaybePromise<Message> {
  return withAnswer(messageOf(store, email), (message) => (message.rest === null ? message.first : rawPieces(message)));
}

/** How a message came, which its bytes do not tell. */
export interface Sending {
  readonly envelope: Envelope;
  readonly sendApi: EmailParts['sendApi'];
}

/** The message of an email, and how it came. Throws as `framedEmail` does. */
export function sentMessage(store: Store, email: StoredEmail): MaybePromise<{ sending: Sending; pieces: Pieces }> {
  return withAnswer(messageOf(store, email), (message) => {
    const from: string | null = JSON.parse(message.json('envelopeFrom').toString());
    const sendApi: Sending['sendApi'] = JSON.parse(message.json('sendApi').toString());
    return { sending: { envelope: { from: from ?? '', to: email.to }, sendApi }, pieces: rawPieces(message) };
  });
}

/** The JSON of a whole InboxResponse (interface section 2.2). What has been deleted since it was listed is left out. */
export function inboxJson(store: Store, emails: readonly StoredEmail[], showing: Showing): Json {
  const list = new InboxList(store, emails, showing);
  const first = list.share();
  return list.isOver ? first : list.piecesAfter(first);
}

/** The JSON of a list, which is made as far as it is at hand, and waited for otherwise. */
class InboxList {
  readonly #store: Store;
  readonly #emails: readonly StoredEmail[];
  readonly #showing: Showing;
  #done = 0;
  #count = 0;
  /** The message of the next email where it was opened and is not small, or not there yet. */
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

  /** The next small emails, up to a share of them; the end of the list where there are no more. */
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

/** What the JSON of an email is made of: the part that is ready, or its message. */
function readyOrMessage(store: Store, email: StoredEmail, { ready }: Showing): MaybePromise<ByteText | StoredMessage> {
  return ready.get(store.contentKey(email)) ?? messageOf(store, email);
}

/** The JSON of an email of which a part is ready, or whose message is small. */
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

/** The message of an email, begun, so that it is certain to be there; null when it has been deleted since it was listed. */
function messageIfThere(store: Store, email: StoredEmail): MaybePromise<StoredMessage | null> {
  return ifThere(() => messageOf(store, email));
}

/** What is read of a listed email; null when it turns out to be deleted. */
export function ifThere<T>(read: () => MaybePromise<T>): MaybePromise<T | null> {
  try {
    const answer = read();
    if (!(answer instanceof Promise)) return answer;
    const there = answer.catch(nullIfGone);
    // Whoever waits for it hears of an error; that nobody does, since the client has left, is none.
    there.catch(() => {});
    return there;
  } catch (error) {
    return nullIfGone(error);
  }
}

/** Null for the error that an email has been deleted; throws any other. */
export function nullIfGone(error: unknown): null {
  if (error instanceof EmailGoneError) return null;
  throw error;
}

function messageOf(store: Store, email: StoredEmail): MaybePromise<StoredMessage> {
  return withAnswer(store.content(email), openMessage);
}
