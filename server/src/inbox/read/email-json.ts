import type { MaybePromise } from '../../base/maybe-promise.js';
import type { RawEncoding } from '../ingest/stored-message.js';
import { rawPieces, type StoredMessage } from '../ingest/stored-message.js';
import { escapedBytes, SLICE_BYTES } from './json-escapes.js';

/**
 * Bytes as a text of one character for each, which `latin1` makes bytes of again. What is put together from many parts is that
 * until it is sent: a buffer of some ten KB costs several times as much to make and to forget.
 */
export type ByteText = string;

/** The fields of an Email that its message's record holds, each with what stands before its value, in the order of the JSON. */
const FIELDS = (['id', 'from', 'subject', 'otp', 'magicLink', 'body'] as const).map(
  (name) => [name, `,"${name}":`] as const,
);

export interface EmailHead {
  readonly to: string;
  readonly receivedAt: number;
}

export function isSmall({ first, rest }: StoredMessage): boolean {
  return rest === null && first.length <= SLICE_BYTES;
}

/**
 * The JSON of an Email (interface section 2.1) in UTF-8 begins with whose it is; the rest is the message's own, whoever has it.
 */
export function emailHeadJson({ to, receivedAt }: EmailHead): ByteText {
  return `{"to":${utf8(JSON.stringify(to), 'latin1')},"receivedAt":"${new Date(receivedAt).toISOString()}"`;
}

/** That rest, of a message that is small. `twice` makes it carry the message as `raw` too (D16). */
export function smallMessageJson(message: StoredMessage, { twice }: { twice: boolean }): ByteText {
  const raw = utf8(escapedBytes(message.first), message.encoding);
  return `${valuesJson(message)},"rawBody":"${raw}${twice ? `","raw":"${raw}` : ''}"}`;
}

/** The JSON of an email without its message: small, whatever the mail. */
export function briefJson(head: EmailHead, message: StoredMessage): ByteText {
  return `${emailHeadJson(head)}${valuesJson(message)}}`;
}

/** The whole JSON of any email, in bounded pieces. `again` opens it a second time for its `raw`; null leaves that out. */
export async function* emailJson(
  head: EmailHead,
  message: StoredMessage,
  again: (() => MaybePromise<StoredMessage>) | null,
): AsyncGenerator<ByteText> {
  yield `${emailHeadJson(head)}${valuesJson(message)},"rawBody":"`;
  yield* jsonText(message);
  if (again !== null) {
    yield '","raw":"';
    yield* jsonText(await again());
  }
  yield '"}';
}

function valuesJson(message: StoredMessage): ByteText {
  let values = '';
  for (const [name, before] of FIELDS) values += before + message.json(name).toString('latin1');
  return values;
}

/** A message as the inside of a JSON string, in bounded pieces. */
async function* jsonText(message: StoredMessage): AsyncGenerator<ByteText> {
  for await (const piece of rawPieces(message)) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      yield utf8(escapedBytes(bytes.subarray(start, start + SLICE_BYTES)), message.encoding);
    }
  }
}

/**
 * JSON of a text in UTF-8. Where the bytes of a message are that, its text was not decoded: JSON escapes none but ASCII characters,
 * so the bytes of all others are in it as they came, and a character may be cut in two.
 */
function utf8(json: string, encoding: RawEncoding): ByteText {
  if (encoding === 'utf8' || Buffer.byteLength(json) === json.length) return json;
  return Buffer.from(json).toString('latin1');
}
