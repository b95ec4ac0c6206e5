import type { EmailParts, Envelope } from 'mayfly-protocol';
import type { Clock } from '../../base/clock.js';
import { inTurns, type Turns } from '../../limits/event-loop.js';
import { EmailGoneError, type Store, type StoredEmail } from '../../store/store.js';
import { adHocIn, bareInbox } from '../ad-hoc.js';
import { isHidden, isUnlisted } from '../held-back.js';
import { openMessage, rawPieces, type StoredMessage, valuesOf } from '../ingest/stored-message.js';
import {
  type ByteText,
  type EmailHead,
  emailHeadJson,
  jsonOf,
  type MessageJson,
  messageJson,
  type ReadyJson,
  sourceJson,
  valuesJson,
} from './email-json.js';
import type { Shelf } from './selecting.js';

/** Bounded pieces made on demand. Throws `EmailGoneError` if the email is deleted meanwhile. */
export type Pieces = AsyncIterable<Uint8Array>;

/** JSON in UTF-8: one text if small, otherwise pieces. */
export type Json = ByteText | Pieces;

export type Message = Uint8Array | Pieces;

export interface Showing extends Shelf {
  /** Whether emails also have `raw` (D16). */
  readonly zerodrop: boolean;
  readonly ready: ReadyJson;
}

const WHOLE_BYTES = 256 * 1024;

/** Lets other work run between the pieces of a large answer. */
async function answerOf(texts: AsyncGenerator<ByteText>, turns: Turns): Promise<Json> {
  let begun = '';
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    begun += next.value;
    if (begun.length >= WHOLE_BYTES) return inTurns(piecesOf(begun, texts), turns);
  }
  return begun;
}

async function* piecesOf(begun: ByteText, texts: AsyncIterable<ByteText>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(begun, 'latin1');
  for await (const text of texts) yield Buffer.from(text, 'latin1');
}

/** An email's JSON between two ASCII texts. Rejects with `EmailGoneError` if it was deleted since it was listed. */
export async function framedEmail(showing: Showing, email: StoredEmail, before: string, behind: string): Promise<Json> {
  const rest = await restOf(showing, email);
  const head = before + emailHeadJson(email);
  if (typeof rest === 'string' && rest.length < WHOLE_BYTES) return head + rest + behind;
  async function* texts(): AsyncGenerator<ByteText> {
    yield head;
    if (typeof rest === 'string') yield rest;
    else yield* rest;
    yield behind;
  }
  return answerOf(texts(), showing.turns);
}

/** The email's JSON without `rawBody` and `raw`. Rejects like `framedEmail`. */
export async function briefEmail(store: Store, email: StoredEmail): Promise<ByteText> {
  return `${emailHeadJson(email)}${valuesJson(await messageOf(store, email))}}`;
}

/** The JSON of an InboxResponse (interface section 2.2), without emails deleted since they were listed. */
export function inboxJson(showing: Showing, emails: readonly StoredEmail[]): Promise<Json> {
  return answerOf(inboxTexts(showing, emails), showing.turns);
}

/** Outside `inboxJson`, because a new generator function in each fetch would take a twentieth of its time. */
async function* inboxTexts(showing: Showing, emails: readonly StoredEmail[]): AsyncGenerator<ByteText> {
  let before = '{"emails":[';
  let count = 0;
  for (const email of emails) {
    const rest = await restOf(showing, email).catch(nullIfGone);
    if (rest === null) continue;
    const head = before + emailHeadJson(email);
    if (typeof rest === 'string') yield head + rest;
    else {
      yield head;
      yield* rest;
    }
    before = ',';
    count += 1;
  }
  yield `${count === 0 ? before : ''}],"count":${count}}`;
}

async function restOf({ store, zerodrop, ready }: Showing, email: StoredEmail): Promise<MessageJson> {
  const key = store.contentKey(email);
  const known = ready.get(key);
  if (known !== null) return known;
  const made = messageJson(await messageOf(store, email), zerodrop ? () => messageOf(store, email) : null);
  if (typeof made === 'string') ready.keep(key, made);
  return made;
}

export async function messageBytes(store: Store, email: StoredEmail): Promise<Message> {
  const message = await messageOf(store, email);
  return message.rest === null ? message.first : rawPieces(message);
}

/** How a message arrived, which its bytes do not show. */
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

/** Returns null for the error of a deleted email. Throws any other error. */
export function nullIfGone(error: unknown): null {
  if (error instanceof EmailGoneError) return null;
  throw error;
}

async function messageOf(store: Store, email: StoredEmail): Promise<StoredMessage> {
  return openMessage(await store.content(email));
}

export const NO_SUMMARIES = '{"emails":[],"count":0}';

/** Number of summaries that are read and formatted in one turn: at most 150 KB of JSON. */
const SHARE = 128;

type Listing<T> = (email: StoredEmail, record: Uint8Array) => T;

/** `{"emails": […], "count": n}`, without emails deleted since they were listed; `more` are fields after the count. */
export function listJson(
  { store, turns }: Shelf,
  emails: readonly StoredEmail[],
  textOf: Listing<ByteText>,
  more = '',
) {
  async function* texts(): AsyncGenerator<ByteText> {
    let before = '{"emails":[';
    let count = 0;
    for (let start = 0; start < emails.length; start += SHARE) {
      const share = await withSummaries(store, emails.slice(start, start + SHARE), textOf);
      if (share.length === 0) continue;
      yield before + share.join();
      before = ',';
      count += share.length;
    }
    yield `${count === 0 ? before : ''}],"count":${count}${more}}`;
  }
  return answerOf(texts(), turns);
}

async function withSummaries<T>(store: Store, emails: readonly StoredEmail[], shown: Listing<T>): Promise<T[]> {
  const records = await store.summaries(emails);
  return emails.flatMap((email, at) => {
    const record = records[at];
    return record ? [shown(email, record)] : [];
  });
}

export function summaryJson({ to, receivedAt }: EmailHead, record: Uint8Array): ByteText {
  return `{"receivedAt":"${new Date(receivedAt).toISOString()}","to":${jsonOf(to)}${sourceJson(to)},${valuesOf(record)}`;
}

export function listedJson(email: StoredEmail, record: Uint8Array): ByteText {
  return `{"inbox":${jsonOf(bareInbox(email.inbox))},${summaryJson(email, record).slice('{'.length)}`;
}

export interface ListedText {
  readonly inbox: string;
  readonly json: ByteText;
}

export function listedTexts(store: Store, emails: readonly StoredEmail[]): Promise<readonly ListedText[]> {
  return withSummaries(store, emails, (email, record) => ({ inbox: email.inbox, json: listedJson(email, record) }));
}

export interface KeptMessage {
  readonly inbox: string;
  readonly receivedAt: number;
  /** To be read before the next email is requested. */
  readonly pieces: Pieces;
}

const PAGE = 128;

/** Messages by inbox, newest first; if `adHoc` is null, of inboxes in no ad-hoc workspace. A service may be running. */
export async function* keptMessages(store: Store, clock: Clock, adHoc: string | null): AsyncGenerator<KeptMessage> {
  for await (const inbox of store.inboxes()) {
    // Credentials also open the private inboxes of their ad-hoc workspace, so only hidden inboxes are left out.
    const isLeftOut = adHoc === null ? isUnlisted(inbox) : isHidden(inbox);
    if (!isLeftOut && adHocIn(inbox) === adHoc) yield* messagesOf(inbox, store, clock);
  }
}

async function* messagesOf(inbox: string, store: Store, clock: Clock): AsyncGenerator<KeptMessage> {
  for (let before: number | undefined = Number.POSITIVE_INFINITY; before !== undefined; ) {
    const page = await store.list(inbox, { before, limit: PAGE }, clock.now());
    for (const email of page) {
      const message = await sentMessage(store, email).catch(nullIfGone);
      if (message !== null) yield { inbox: bareInbox(inbox), receivedAt: email.receivedAt, pieces: message.pieces };
    }
    before = page.length < PAGE ? undefined : page.at(-1)?.receivedAt;
  }
}
