import { isUtf8 } from 'node:buffer';
import type { SendApiRequest } from 'mayfly-protocol';
import { startingWith } from '../../base/starting-with.js';
import type { Content } from '../../store/store.js';

/**
 * A message is kept as a record of its values, followed by its bytes as they came. Nothing of its wire shape is kept
 * (D25), so that can change without rewriting stored mail. The record: version and flags (a byte each), the length of
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

/** The values that are kept of a message. All but the last four are fields of the Email (interface section 2.1). */
export interface MessageValues extends Record<Exclude<ValueName, 'recipients' | 'files' | 'sendApi'>, string | null> {
  /** Address of MAIL FROM; `""` for the null sender. */
  readonly envelopeFrom: string;
  /** The accepted addresses as the sender wrote them; null for a single one that equals its email's `to`. */
  readonly recipients: readonly string[] | null;
  /** For searches; null or omitted without files. */
  readonly files?: KeptFiles | null;
  /** The send API request that sent it; null or omitted for mail over SMTP. */
  readonly sendApi?: SendApiRequest | null;
}

export interface KeptFiles {
  readonly names: readonly string[];
  readonly inline: number;
}

/** How the bytes become text: as UTF-8 if valid, otherwise one character a byte (D5). */
export type RawEncoding = 'utf8' | 'latin1';

export function rawEncodingOf(raw: Uint8Array): RawEncoding {
  return isUtf8(raw) ? 'utf8' : 'latin1';
}

const VERSION = 1;
const RAW_IS_LATIN1 = 1;

const HEAD_BYTES = 6;
const VALUE_HEAD_BYTES = 5;

const NULL = Buffer.from('null');

/** The record; the message's bytes follow it. */
export function messageRecord(values: MessageValues, encoding: RawEncoding): Buffer {
  const texts = [];
  let length = 0;
  for (const [name, number] of NUMBERED) {
    const value = values[name] ?? null;
    if (value === null) continue;
    const json = JSON.stringify(value);
    const bytes = Buffer.byteLength(json);
    texts.push({ number, json, bytes });
    length += VALUE_HEAD_BYTES + bytes;
  }
  const record = Buffer.allocUnsafe(HEAD_BYTES + length);
  record[0] = VERSION;
  record[1] = encoding === 'latin1' ? RAW_IS_LATIN1 : 0;
  record.writeUInt32LE(length, 2);
  let at = HEAD_BYTES;
  for (const { number, json, bytes } of texts) {
    record[at] = number;
    record.writeUInt32LE(bytes, at + 1);
    record.write(json, at + VALUE_HEAD_BYTES);
    at += VALUE_HEAD_BYTES + bytes;
  }
  return record;
}

export interface StoredMessage {
  readonly encoding: RawEncoding;
  /** The JSON of a value, in UTF-8; `null` where none was kept. */
  json(name: ValueName): Buffer;
  /** The message's bytes, up to the end of the store's first piece. */
  readonly first: Buffer;
  /** The rest in the store's pieces, to be read once; null if `first` is all. */
  readonly rest: AsyncIterable<Uint8Array> | null;
}

/** Reads the record, which nearly always lies in the first piece. */
export async function openMessage({ first, rest }: Content): Promise<StoredMessage> {
  let held = bufferOf(first);
  if (rest === null || held.length >= recordEnd(held)) return messageIn(held, rest);
  const pieces = rest[Symbol.asyncIterator]();
  while (held.length < recordEnd(held)) {
    const next = await pieces.next();
    if (next.done) break;
    held = Buffer.concat([held, next.value]);
  }
  return messageIn(held, { [Symbol.asyncIterator]: () => pieces });
}

/** The message byte for byte, in the store's pieces. To be read once. */
export function rawPieces({ first, rest }: StoredMessage): AsyncIterable<Uint8Array> {
  return startingWith([first], rest ?? NO_PIECES);
}

const NO_PIECES: readonly Uint8Array[] = [];

/** Where the record that begins here ends, as far as known yet. */
export function recordEnd(held: Buffer): number {
  return held.length < HEAD_BYTES ? HEAD_BYTES : HEAD_BYTES + held.readUInt32LE(2);
}

function messageIn(held: Buffer, rest: AsyncIterable<Uint8Array> | null): StoredMessage {
  const end = recordEnd(held);
  if (held.length < end) throw new Error('The store has a message without its record.');
  if (held[0] !== VERSION) throw new Error(`The store has a message of unknown version ${held[0]}.`);
  const values = valuesIn(held.subarray(HEAD_BYTES, end));
  return {
    encoding: (held[1] ?? 0) & RAW_IS_LATIN1 ? 'latin1' : 'utf8',
    json: (name) => values.get(VALUE_NUMBERS[name]) ?? NULL,
    first: held.subarray(end),
    rest,
  };
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

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
