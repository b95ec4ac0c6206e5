import { isPhoneNumber } from 'mayfly-protocol/inbox-name';
import { BoundedMap } from '../../base/bounded-map.js';
import type { Clock } from '../../base/clock.js';
import type { ContentKey, StoredEmail } from '../../store/store.js';
import { type RawEncoding, rawPieces, type StoredMessage } from '../ingest/stored-message.js';

/** Bytes as a text with one character per byte (`latin1`). A buffer costs several times as much to make and collect. */
export type ByteText = string;

const FIELDS = ['id', 'from', 'subject', 'otp', 'magicLink', 'body'] as const;

const SLICE_BYTES = 64 * 1024;

export type EmailHead = Pick<StoredEmail, 'to' | 'receivedAt'>;

export function jsonOf(text: string): ByteText {
  return utf8(JSON.stringify(text), 'latin1');
}

/** The beginning of an Email's JSON (interface section 2.1) in UTF-8. The rest is the same for all recipients. */
export function emailHeadJson({ to, receivedAt }: EmailHead): ByteText {
  return `{"to":${jsonOf(to)}${sourceJson(to)},"receivedAt":"${new Date(receivedAt).toISOString()}"`;
}

/** Marks a text message, whose recipient is a phone number; empty for an email. */
export function sourceJson(to: string): string {
  return isPhoneNumber(to) ? ',"source":"sms"' : '';
}

/** One text if small, otherwise pieces. */
export type MessageJson = ByteText | AsyncGenerator<ByteText>;

type Again = (() => Promise<StoredMessage>) | null;

/** An email's JSON after `emailHeadJson`, in pieces if large. `again` reopens the message for the field `raw` (D16). */
export function messageJson(message: StoredMessage, again: Again): MessageJson {
  const { first, rest, encoding } = message;
  if (rest !== null || first.length > SLICE_BYTES) return piecesOf(message, again);
  const raw = utf8(escapedBytes(first), encoding);
  return `${valuesJson(message)},"rawBody":"${raw}${again === null ? '' : `","raw":"${raw}`}"}`;
}

async function* piecesOf(message: StoredMessage, again: Again): AsyncGenerator<ByteText> {
  yield `${valuesJson(message)},"rawBody":"`;
  yield* rawJson(message);
  if (again !== null) {
    yield '","raw":"';
    yield* rawJson(await again());
  }
  yield '"}';
}

/** The values of an Email that all recipients share, without `rawBody`. */
export function valuesJson(message: StoredMessage): ByteText {
  return FIELDS.map((name) => `,"${name}":${message.json(name).toString('latin1')}`).join('');
}

async function* rawJson(message: StoredMessage): AsyncGenerator<ByteText> {
  for await (const piece of rawPieces(message)) {
    for (let start = 0; start < piece.length; start += SLICE_BYTES) {
      yield utf8(escapedBytes(piece.subarray(start, start + SLICE_BYTES)), message.encoding);
    }
  }
}

/** Encodes JSON as UTF-8. For a UTF-8 message, `json` already has UTF-8 bytes, because pieces may split characters. */
function utf8(json: string, encoding: RawEncoding): ByteText {
  if (encoding === 'utf8' || Buffer.byteLength(json) === json.length) return json;
  return Buffer.from(json).toString('latin1');
}

/** Escapes bytes for a JSON string (RFC 8259 section 7). A byte without an escape stays a character, also above ASCII. */
function escapedBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return JSON.stringify(text).slice(1, -1);
}

/** Room for about 500 emails of 14 KB. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Short, because the JSON of deleted mail may stay in memory for this long. */
const KEPT_MS = 1_000;

const KEY_BYTES = 100;

export type ReadyJson = ReturnType<typeof readyJson>;

/**
 * The JSON of emails, for streams that wait for the same mail and clients that poll. Keeps an email's JSON only after
 * making it again: most mail is read once, and keeping all JSON made garbage collection the costliest part of a read.
 */
export function readyJson(clock: Clock) {
  /** JSON by content key; an empty text for a message whose JSON was made only once. */
  const texts = new BoundedMap<ContentKey, ByteText>(MAX_BYTES, ({ length }) => length + KEY_BYTES);
  return {
    get: (key: ContentKey): ByteText | null => texts.get(key) || null,
    keep(key: ContentKey, text: ByteText): void {
      if (texts.size === 0) clock.after(KEPT_MS, () => texts.clear());
      texts.set(key, texts.has(key) ? text : '');
    },
  };
}
