import { isUtf8 } from 'node:buffer';
import type { Reading } from 'mayfly-mail/internal/message-reading';
import type { SendApiRequest } from 'mayfly-protocol';
import type { Content } from '../../store/store.js';
import { filterIndex } from '../read/selecting.js';
import { summaryRecord } from './summary-record.js';

/**
 * A message is stored as a record of its values, followed by its raw bytes. The wire format is not stored (D25), so it
 * can change without rewriting stored mail. The record is its version (a byte), the length of the rest (32 bits,
 * little-endian), and a line of JSON for each value, in this order. A new value is added at the end, and is null in
 * older records.
 */
const NAMES = [
  ...(['encoding', 'id', 'from', 'subject', 'otp', 'magicLink', 'body'] as const),
  ...(['envelopeFrom', 'recipients', 'files', 'sendApi'] as const),
] as const;

interface MessageValues {
  readonly encoding: RawEncoding;
  readonly id: string;
  readonly from: string;
  readonly subject: string;
  readonly otp: string | null;
  readonly magicLink: string | null;
  readonly body: string;
  /** Address of MAIL FROM; `""` for the null sender. */
  readonly envelopeFrom: string;
  /** The accepted addresses as the sender wrote them; null for a single one that equals its email's `to`. */
  readonly recipients: readonly string[] | null;
  readonly files: KeptFiles | null;
  readonly sendApi: SendApiRequest | null;
}

export interface KeptFiles {
  readonly names: readonly string[];
  readonly inline: number;
}

/** Bytes as a text with one character per byte (`latin1`): a buffer costs several times as much to make and collect. */
export type ByteText = string;

/** How to decode the bytes: as UTF-8 if valid, otherwise one character per byte (D5). */
export type RawEncoding = 'utf8' | 'latin1';

const VERSION = 2;
const HEAD_BYTES = 5;

/** The record; the message's bytes follow it. */
export function messageRecord(values: MessageValues): Buffer {
  const lines = NAMES.map((name) => JSON.stringify(values[name])).join('\n');
  const record = Buffer.allocUnsafe(HEAD_BYTES + Buffer.byteLength(lines));
  record[0] = VERSION;
  record.writeUInt32LE(record.length - HEAD_BYTES, 1);
  record.write(lines, HEAD_BYTES);
  return record;
}

export interface StoredMessage {
  readonly encoding: RawEncoding;
  /** The JSON of a value; `null` where none was kept. */
  json(name: keyof MessageValues): ByteText;
  values(): MessageValues;
  /** The message's bytes, up to the end of the store's first piece. */
  readonly first: Buffer;
  /** The rest in the store's pieces, to be read once; null if `first` is all. */
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
  const lines = held.toString('latin1', HEAD_BYTES, end).split('\n');
  return {
    encoding: lines[0] === '"latin1"' ? 'latin1' : 'utf8',
    json: (name) => lines[NAMES.indexOf(name)] ?? 'null',
    values() {
      const texts = held.toString('utf8', HEAD_BYTES, end).split('\n');
      return Object.fromEntries(NAMES.map((name, n) => [name, JSON.parse(texts[n] ?? 'null')])) as MessageValues;
    },
    first: held.subarray(end),
    rest: pieces === undefined ? null : { [Symbol.asyncIterator]: () => pieces },
  };
}

/** The message byte for byte. To be read once. */
export async function* rawPieces({ first, rest }: StoredMessage): AsyncGenerator<Uint8Array> {
  yield first;
  if (rest !== null) yield* rest;
}

/** The end of the record that begins here, as far as known yet. */
export function recordEnd(held: Buffer): number {
  return held.length < HEAD_BYTES ? HEAD_BYTES : HEAD_BYTES + held.readUInt32LE(1);
}

export interface ReceivedMail {
  readonly raw: Uint8Array;
  readonly envelopeFrom: string;
  /** Used if the message has no Message-ID (D4). */
  readonly generatedId: string;
  /** Bytes of its longest recipient address as JSON in a summary. */
  readonly recipientBytes: number;
  /** The accepted addresses as they were written; null for a single one that equals its email's `to`. */
  readonly recipients: readonly string[] | null;
  readonly sendApi?: SendApiRequest | null;
}

export type IngestedMail = readonly [index: Uint8Array, record: Uint8Array, summary: Uint8Array];

/** For a message whose parsing failed or took too long (D20). */
export const UNREAD: Reading = {
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

export function ingestReading(reading: Reading, mail: ReceivedMail): IngestedMail {
  const { raw, envelopeFrom, generatedId, recipientBytes, recipients, sendApi = null } = mail;
  const { fromName, subject, otp, magicLink, code, action, body, attachments, fileNames, inlineFiles } = reading;
  const files = fileNames.length + inlineFiles > 0 ? { names: fileNames, inline: inlineFiles } : null;
  const id = reading.messageId ?? generatedId;
  const from = reading.from ?? envelopeFrom;
  const found = { otp, magicLink, code, action };
  const shown = { id, from, fromName, subject, ...found, size: raw.length, attachments, body };
  const encoding = isUtf8(raw) ? 'utf8' : 'latin1';
  const recorded = {
    encoding,
    id,
    from,
    subject,
    otp,
    magicLink,
    body,
    envelopeFrom,
    recipients,
    files,
    sendApi,
  } as const;
  return [filterIndex(shown), messageRecord(recorded), summaryRecord(shown, recipientBytes)];
}
