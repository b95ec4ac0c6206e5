import { isUtf8 } from 'node:buffer';
import type { SendApiRequest } from 'mayfly-client';
import { type MaybePromise, startingWith } from '../../base/maybe-promise.js';
import type { Content } from '../../store/store.js';

/**
 * What is kept of a message: a record of its values, and then its bytes as they came. Nothing of how the interface
 * shows it is kept (D25), so what is shown can change without rewriting mail that is there.
 *
 * The record: its version and flags (a byte each), the length of what follows in it (32 bits, little-endian), and then
 * each value as its number (a byte), its length (32 bits) and its JSON in UTF-8. A value that a reader does not know is
 * passed over, and one that is not there reads as null: so values can be added. A number is never given to another
 * value.
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
  /** Whom it was accepted for, each address as its sender wrote it; null where that is one, which its email has. */
  readonly recipients: readonly string[] | null;
  /** What searches ask of its files; null, or left out, where it has none. */
  readonly files?: KeptFiles | null;
  /** The request that sent it; null, or left out, for mail that came over SMTP. */
  readonly sendApi?: SendApiRequest | null;
}

export interface KeptFiles {
  readonly names: readonly string[];
  readonly inline: number;
}

/** How a message's bytes become text: as UTF-8 where they are that, and one character a byte otherwise (D5). */
export type RawEncoding = 'utf8' | 'latin1';

export function rawEncodingOf(raw: Uint8Array): RawEncoding {
  return isUtf8(raw) ? 'utf8' : 'latin1';
}

const VERSION = 1;
const RAW_IS_LATIN1 = 1;

const HEAD_BYTES = 6;
const VALUE_HEAD_BYTES = 5;

const NULL = Buffer.from('null');

/** The record of a message whose bytes have this encoding. The bytes themselves follow it. */
export function messageRecord(values: MessageValues, encoding: RawEncoding): Buffer {
  const texts = NUMBERED.filter(([name]) => (values[name] ?? null) !== null).map(([name, number]) => {
    const json = JSON.stringify(values[name]);
    return { number, json, bytes: Buffer.byteLength(json) };
  });
  const length = texts.reduce((sum, { bytes }) => sum + VALUE_HEAD_BYTES + bytes, 0);
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
  /** The message byte for byte, up to where the store's first piece of it ends. */
  readonly first: Buffer;
  /** What follows, in pieces as the store has them; null where `first` is the whole message. To be read once. */
  readonly rest: AsyncIterable<Uint8Array> | null;
}

/** Reads the record at the start of what was kept: at once if it lies in the first piece, as it nearly always does. */
export function openMessage({ first, rest }: Content): MaybePromise<StoredMessage> {
  const held = bufferOf(first);
  if (held.length >= recordEnd(held)) return messageIn(held, rest);
  return rest === null ? messageIn(held, rest) : openLongRecord(held, rest);
}

/** The message byte for byte, in pieces as the store has them. To be read once. */
export function rawPieces({ first, rest }: StoredMessage): AsyncIterable<Uint8Array> {
  return startingWith([first], rest ?? NO_PIECES);
}

const NO_PIECES: readonly Uint8Array[] = [];

async function openLongRecord(first: Buffer, pieces: AsyncIterable<Uint8Array>): Promise<StoredMessage> {
  const rest = pieces[Symbol.asyncIterator]();
  let held = first;
  while (held.length < recordEnd(held)) {
    const next = await rest.next();
    if (next.done) break;
    held = Buffer.concat([held, next.value]);
  }
  return messageIn(held, { [Symbol.asyncIterator]: () => rest });
}

/** Where the record ends that begins here, as far as that can be told by now. */
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
