import type { EmailParts, Envelope } from 'mayfly-protocol';
import type { Clock } from '../../base/clock.js';
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

/** Yields pieces of JSON and returns the last one: a small answer has no other. */
type Making = AsyncGenerator<Uint8Array, ByteText>;

async function made(making: Making): Promise<Json> {
  const { value, done } = await making.next();
  return done ? value : restOf(value, making);
}

async function* restOf(first: Uint8Array, making: Making): AsyncGenerator<Uint8Array> {
  yield first;
  yield bytesOf(yield* making);
}

/** An email's JSON in its frame. Rejects with `EmailGoneError` if deleted since it was listed. */
export function framedEmail(store: Store, email: StoredEmail, frame: Frame, showing: Showing): Promise<Json> {
  return made(makeFramed(store, email, frame, showing));
}

async function* makeFramed(store: Store, email: StoredEmail, { before, behind }: Frame, showing: Showing): Making {
  const found = showing.ready.get(store.contentKey(email)) ?? (await messageOf(store, email));
  if (typeof found === 'string' || isSmall(found)) return before + smallEmail(store, email, found, showing) + behind;
  yield bytesOf(before);
  yield* emailPieces(store, email, found, showing);
  return behind;
}

/** An email's JSON without its message. Rejects as `framedEmail`. */
export async function briefEmail(store: Store, email: StoredEmail): Promise<ByteText> {
  return briefJson(email, await messageOf(store, email));
}

export async function messageBytes(store: Store, email: StoredEmail): Promise<Message> {
  const message = await messageOf(store, email);
  return message.rest === null ? message.first : rawPieces(message);
}

/** How a message came; its bytes do not tell. */
export interface Sending {
  readonly envelope: Envelope;
  readonly sendApi: EmailParts['sendApi'];
}

export async function sentMessage(store: Store, email: StoredEmail): Promise<{ sending: Sending; pieces: Pieces }> {
  const message = await messageOf(store, email);
  const from: string | null = JSON.parse(message.json('envelopeFrom').toString());
  const sendApi: Sending['sendApi'] = JSON.parse(message.json('sendApi').toString());
  return { sending: { envelope: { from: from ?? '', to: email.to }, sendApi }, pieces: rawPieces(message) };
}

/** The JSON of an InboxResponse (interface section 2.2), without emails deleted since they were listed. */
export function inboxJson(store: Store, emails: readonly StoredEmail[], showing: Showing): Promise<Json> {
  return made(makeInbox(store, emails, showing));
}

async function* makeInbox(store: Store, emails: readonly StoredEmail[], showing: Showing): Making {
  let json = '{"emails":[';
  let count = 0;
  for (const email of emails) {
    const ready = showing.ready.get(store.contentKey(email));
    const found = ready ?? (await messageOf(store, email).catch(nullIfGone));
    if (found === null) continue;
    if (count > 0) json += ',';
    count += 1;
    const isWhole = typeof found === 'string' || isSmall(found);
    if (isWhole) json += smallEmail(store, email, found, showing);
    if (isWhole && json.length < SHARE_BYTES) continue;
    yield bytesOf(json);
    json = '';
    if (!isWhole) yield* emailPieces(store, email, found, showing);
  }
  return `${json}],"count":${count}}`;
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

/** Null if the email is deleted; throws any other error. */
export function nullIfGone(error: unknown): null {
  if (error instanceof EmailGoneError) return null;
  throw error;
}

async function messageOf(store: Store, email: StoredEmail): Promise<StoredMessage> {
  return openMessage(await store.content(email));
}

export const NO_SUMMARIES = '{"emails":[],"count":0}';

/** Summaries read and made in one go: at most 150 KB of JSON. */
const SHARE = 128;

/** The JSON of summaries, `{"emails": […], "count": n}`. */
export function summariesJson(store: Store, emails: readonly StoredEmail[]): Promise<Json> {
  return listJson(emails, (share) => withSummaries(store, share, summaryJson));
}

/** `textsOf` omits emails deleted since; `more` are fields behind the count. */
export function listJson(
  emails: readonly StoredEmail[],
  textsOf: (share: readonly StoredEmail[]) => Promise<readonly ByteText[]>,
  more = '',
): Promise<Json> {
  return made(makeList(emails, textsOf, more));
}

async function* makeList(...[emails, textsOf, more]: Required<Parameters<typeof listJson>>): Making {
  let json = '{"emails":[';
  let count = 0;
  for (let start = 0; start < emails.length; start += SHARE) {
    if (start > 0) {
      yield bytesOf(json);
      json = '';
    }
    const texts = await textsOf(emails.slice(start, start + SHARE));
    if (count > 0 && texts.length > 0) json += ',';
    json += texts.join();
    count += texts.length;
  }
  return `${json}],"count":${count}${more}}`;
}

async function withSummaries<T>(
  store: Store,
  emails: readonly StoredEmail[],
  shown: (email: StoredEmail, record: Uint8Array) => T,
): Promise<readonly T[]> {
  const records = await store.summaries(emails);
  return emails.flatMap((email, at) => {
    const record = records[at];
    return record ? [shown(email, record)] : [];
  });
}

export function summaryJson({ to, receivedAt }: EmailHead, record: Uint8Array): ByteText {
  const recipient = Buffer.from(JSON.stringify(to)).toString('latin1');
  return `{"receivedAt":"${new Date(receivedAt).toISOString()}","to":${recipient},${valuesOf(record)}`;
}

export interface ListedText {
  readonly inbox: string;
  readonly json: ByteText;
}

export function listedTexts(store: Store, emails: readonly StoredEmail[]): Promise<readonly ListedText[]> {
  return withSummaries(store, emails, (email, record) => {
    const inbox = Buffer.from(JSON.stringify(outsideSpace(email.inbox))).toString('latin1');
    return { inbox: email.inbox, json: `{"inbox":${inbox},${summaryJson(email, record).slice('{'.length)}` };
  });
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
      const message = await sentMessage(store, email).catch(nullIfGone);
      if (message !== null) yield { inbox: outsideSpace(inbox), receivedAt: email.receivedAt, pieces: message.pieces };
    }
    before = page.length < PAGE ? undefined : page.at(-1)?.receivedAt;
  }
}
