import { isUtf8 } from 'node:buffer';
import type { Reading } from 'mayfly-mail/internal/message-reading';
import type { SendApiRequest } from 'mayfly-protocol';
import type { Content } from '../../store/store.js';
import { filterIndex } from '../read/selecting.js';
import { summaryRecord } from './summary-record.js';

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

/** All but the last four are fields of the Email (interface section 2.1). */
interface MessageValues extends Record<Exclude<ValueName, 'recipients' | 'files' | 'sendApi'>, string | null> {
  /** Address of MAIL FROM; `""` for the null sender. */
  readonly envelopeFrom: string;
  /** The accepted addresses as the sender wrote them; null for a single address that equals the email's `to`. */
  readonly recipients: readonly string[] | null;
  readonly files?: KeptFiles | null;
  readonly sendApi?: SendApiRequest | null;
}

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
export function messageRecord(values: MessageValues, encoding: RawEncoding): Buffer {
  const parts: Buffer[] = [];
  for (const [name, number] of NUMBERED) {
    const value = values[name] ?? null;
    if (value === null) continue;
    const json = Buffer.from(JSON.stringify(value));
    const head = Buffer.allocUnsafe(VALUE_HEAD_BYTES);
    head[0] = number;
    head.writeUInt32LE(json.length, 1);
    parts.push(head, json);
  }
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head[0] = VERSION;
  head[1] = encoding === 'latin1' ? RAW_IS_LATIN1 : 0;
  head.writeUInt32LE(
    parts.reduce((sum, part) => sum + part.length, 0),
    2,
  );
  return Buffer.concat([head, ...parts]);
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
