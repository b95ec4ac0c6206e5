import { isUtf8 } from 'node:buffer';
import type { Reading } from 'mayfly-mail/internal/message-reading';
import { firstCharacters } from 'mayfly-mail/internal/text';
import type { EmailSummary, SendApiRequest, SummaryCut } from 'mayfly-protocol';
import type { Content } from '../../store/store.js';
import { filterIndex } from '../read/selecting.js';

/**
 * A message is stored as a record of its values, followed by its raw bytes. The wire format is not stored (D25), so it
 * can change without rewriting stored mail. The record: version and flags (a byte each), the length of
 * the rest (32 bits, little-endian), then each value as its number (a byte), its length (32 bits) and its JSON in
 * UTF-8. Readers skip unknown values and read missing ones as null, so values can be added; no number is ever reused.
 */
const VALUE_NUMBERS = {
  id: 1,
  from: 2,
  subject: 3,
  otp: 4,
  magicLink: 5,
  body: 6,
  envelopeFrom: 7,
  recipients: 8,
  files: 9,
  sendApi: 10,
} as const;

type ValueName = keyof typeof VALUE_NUMBERS;

const NUMBERED = Object.entries(VALUE_NUMBERS) as [ValueName, number][];

export interface KeptFiles {
  readonly names: readonly string[];
  readonly inline: number;
}

/** How to decode the bytes: as UTF-8 if valid, otherwise one character per byte (D5). */
export type RawEncoding = 'utf8' | 'latin1';

const VERSION = 1;
const RAW_IS_LATIN1 = 1;

const HEAD_BYTES = 6;
const VALUE_HEAD_BYTES = 5;

const NULL = Buffer.from('null');

/** Makes the record that precedes the message's bytes. */
export function messageRecord(values: Partial<Record<ValueName, unknown>>, encoding: RawEncoding): Buffer {
  const parts = [Buffer.allocUnsafe(HEAD_BYTES)];
  for (const [name, number] of NUMBERED) {
    const value = values[name] ?? null;
    if (value === null) continue;
    const json = JSON.stringify(value);
    const part = Buffer.allocUnsafe(VALUE_HEAD_BYTES + Buffer.byteLength(json));
    part[0] = number;
    part.writeUInt32LE(part.write(json, VALUE_HEAD_BYTES), 1);
    parts.push(part);
  }
  const record = Buffer.concat(parts);
  record[0] = VERSION;
  record[1] = encoding === 'latin1' ? RAW_IS_LATIN1 : 0;
  record.writeUInt32LE(record.length - HEAD_BYTES, 2);
  return record;
}

export interface StoredMessage {
  readonly encoding: RawEncoding;
  /** The JSON of a value, in UTF-8; `null` if none was stored. */
  json(name: ValueName): Buffer;
  /** The message's bytes, up to the end of the store's first piece. */
  readonly first: Buffer;
  /** The rest of the message in the store's pieces, to be read once; null if `first` is all. */
  readonly rest: AsyncIterable<Uint8Array> | null;
}

export async function openMessage({ first, rest }: Content): Promise<StoredMessage> {
  const pieces = rest?.[Symbol.asyncIterator]();
  let held = Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  while (held.length < recordEnd(held)) {
    const next = await pieces?.next();
    if (next === undefined || next.done) throw new Error('The store has a message without its record.');
    held = Buffer.concat([held, next.value]);
  }
  if (held[0] !== VERSION) throw new Error(`The store has a message of unknown version ${held[0]}.`);
  const end = recordEnd(held);
  const values = valuesIn(held.subarray(HEAD_BYTES, end));
  return {
    encoding: (held[1] ?? 0) & RAW_IS_LATIN1 ? 'latin1' : 'utf8',
    json: (name) => values.get(VALUE_NUMBERS[name]) ?? NULL,
    first: held.subarray(end),
    rest: pieces === undefined ? null : { [Symbol.asyncIterator]: () => pieces },
  };
}

/** The message byte for byte. To be read once. */
export async function* rawPieces({ first, rest }: StoredMessage): AsyncGenerator<Uint8Array> {
  yield first;
  if (rest !== null) yield* rest;
}

/** The length of the record, which its head states. Until `held` has the whole head, returns the head's length. */
export function recordEnd(held: Buffer): number {
  return held.length < HEAD_BYTES ? HEAD_BYTES : HEAD_BYTES + held.readUInt32LE(2);
}

function valuesIn(record: Buffer): Map<number, Buffer> {
  const values = new Map<number, Buffer>();
  for (let at = 0; at < record.length; ) {
    const start = at + VALUE_HEAD_BYTES;
    const end = start + record.readUInt32LE(at + 1);
    values.set(record.readUInt8(at), record.subarray(start, end));
    at = end;
  }
  return values;
}

export interface ReceivedMail {
  readonly raw: Uint8Array;
  readonly envelopeFrom: string;
  /** Used if the message has no Message-ID (D4). */
  readonly generatedId: string;
  /** Bytes of the longest recipient address, as JSON in a summary. */
  readonly recipientBytes: number;
  /** The accepted addresses as the sender wrote them; null for a single address that equals the email's `to`. */
  readonly recipients: readonly string[] | null;
  readonly sendApi?: SendApiRequest | null;
}

export type IngestedMail = readonly [index: Uint8Array, record: Uint8Array, summary: Uint8Array];

const UNREAD: Reading = {
  messageId: null,
  from: null,
  fromName: '',
  subject: '',
  body: '',
  attachments: 0,
  fileNames: [],
  inlineFiles: 0,
  otp: null,
  magicLink: null,
  code: null,
  action: false,
};

/** The stored form of a message whose parsing failed or took too long (D20). */
export function ingestUnread(mail: ReceivedMail): IngestedMail {
  return ingestReading(UNREAD, mail);
}

export function ingestReading(reading: Reading, mail: ReceivedMail): IngestedMail {
  const { raw, envelopeFrom, generatedId, recipientBytes, recipients, sendApi = null } = mail;
  const { fromName, subject, otp, magicLink, code, action, body, attachments, fileNames, inlineFiles } = reading;
  const files = fileNames.length + inlineFiles > 0 ? { names: fileNames, inline: inlineFiles } : null;
  const id = reading.messageId ?? generatedId;
  const from = reading.from ?? envelopeFrom;
  const found = { otp, magicLink, code, action };
  const shown = { id, from, fromName, subject, ...found, size: raw.length, attachments, body };
  const recorded = { id, from, subject, otp, magicLink, body, envelopeFrom, recipients, files, sendApi };
  return [
    filterIndex(shown),
    messageRecord(recorded, isUtf8(raw) ? 'utf8' : 'latin1'),
    summaryRecord(shown, recipientBytes),
  ];
}

/** Maximum bytes of a summary's JSON, so that any list is small. */
const MAX_SUMMARY_BYTES = 1_000;

export const TEXT_CHARS = 200;

/** Values by importance, in case not all fit. A cut address, link or id would look complete, so it is omitted. */
const SHARES = [
  { name: 'from', maxBytes: 200, isWhole: true },
  { name: 'magicLink', maxBytes: 400, isWhole: true },
  { name: 'subject', maxBytes: 200, isWhole: false },
  { name: 'id', maxBytes: 200, isWhole: true },
  { name: 'fromName', maxBytes: 100, isWhole: false },
] as const;

const ELLIPSIS = '…';
const ELLIPSIS_BYTES = 3;

type Kept = Omit<EmailSummary, 'receivedAt' | 'to'>;

export interface Summarized extends Omit<Kept, 'text' | 'cut'> {
  readonly id: string;
  readonly from: string;
  readonly body: string;
}

/** The longest possible summary without texts. A text that may be missing is null, which is longer than `""`. */
const EMPTY: EmailSummary = {
  receivedAt: new Date(8.64e15).toISOString(),
  to: '',
  id: null,
  from: null,
  fromName: '',
  subject: '',
  otp: '12345678',
  magicLink: null,
  size: Number.MAX_SAFE_INTEGER,
  attachments: 9_999,
  text: '',
  cut: ['id', 'from', 'fromName', 'subject', 'magicLink'],
  // Four groups of six, the longest code that extraction accepts.
  code: '123456-123456-123456-123456',
  action: false,
};

const ROOM_BYTES = MAX_SUMMARY_BYTES - Buffer.byteLength(JSON.stringify(EMPTY));

/** Bytes of the JSON that differs by recipient, without the characters of `to`. */
const RECIPIENT_HEAD_BYTES = '{"receivedAt":"","to":"",'.length + EMPTY.receivedAt.length - '{'.length;

/** A message's summary for lists (D25), as JSON in UTF-8. `recipientBytes` is the size of the longest `to`. */
export function summaryRecord(values: Summarized, recipientBytes: number): Buffer {
  const most = MAX_SUMMARY_BYTES - RECIPIENT_HEAD_BYTES - recipientBytes;
  // Without this check, a sender could make the service serialize long values.
  if (SHARES.every(({ name }) => (values[name] ?? '').length <= most)) {
    const record = recordOf(values, firstCharacters(values.body, TEXT_CHARS), []);
    if (record.length <= most) return record;
  }
  return cutToFit(values, ROOM_BYTES - recipientBytes);
}

/** Names each value, because a spread (`...values`) would add a tenth to the time that a small message takes. */
function recordOf(values: Omit<Kept, 'text' | 'cut'>, text: string, cut: readonly SummaryCut[]): Buffer {
  const { id, from, fromName, subject, otp, magicLink, size, attachments, code, action } = values;
  const inOrder = { id, from, fromName, subject, otp, magicLink, size, attachments, text, cut, code, action };
  return Buffer.from(JSON.stringify(inOrder));
}

/** Records of earlier versions, without `code` and `action`, end with the list `cut`. */
const END_WITHOUT_CODE = ']}';

/** A record's JSON without its opening brace; each character is a byte. */
export function valuesOf(record: Uint8Array): string {
  const values = Buffer.from(record.buffer, record.byteOffset, record.byteLength).toString('latin1', '{'.length);
  if (!values.endsWith(END_WITHOUT_CODE)) return values;
  const { otp, magicLink, cut }: Omit<Kept, 'code' | 'action'> = JSON.parse(`{${values}`);
  const added = { code: otp, action: magicLink !== null || cut.includes('magicLink') };
  return `${values.slice(0, -'}'.length)},${JSON.stringify(added).slice('{'.length)}`;
}

/** Divides the room among values that do not all fit; the text gets the rest. `cut` lists cut and omitted values. */
function cutToFit({ body, ...values }: Summarized, bytes: number): Buffer {
  let left = Math.max(bytes, 0);
  const cut: SummaryCut[] = [];
  const shares = SHARES.map(({ name, maxBytes, isWhole }) => {
    const value = values[name] ?? '';
    const most = Math.min(maxBytes, left);
    const isCut = fitting(value, most) !== value;
    if (isCut) cut.push(name);
    const shown = isCut ? shortened(value, isWhole ? 0 : most) : value;
    left -= jsonBytes(shown);
    return [name, (isCut && isWhole) || values[name] === null ? null : shown];
  });
  const text = fitting(firstCharacters(body, TEXT_CHARS), left);
  return recordOf({ ...values, ...Object.fromEntries(shares) }, text, cut);
}

function shortened(value: string, most: number): string {
  return most < ELLIPSIS_BYTES ? '' : fitting(value, most - ELLIPSIS_BYTES) + ELLIPSIS;
}

export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** The longest prefix of whole characters whose JSON has at most this many bytes. */
function fitting(text: string, most: number): string {
  let left = most;
  let end = 0;
  for (const char of firstCharacters(text, most)) {
    left -= jsonBytes(char);
    if (left < 0) break;
    end += char.length;
  }
  return text.slice(0, end);
}
