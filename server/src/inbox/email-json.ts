import { isUtf8 } from 'node:buffer';
import type { Reading } from '../mail/reading.js';

/** How many bytes of a message become JSON at once, so that no copy of the whole is made on the way. */
const PIECE_BYTES = 256 * 1024;

const QUOTE = Buffer.from('"');

/** What comes before the raw message. In no string of JSON can a quotation mark follow a comma and be followed by a letter. */
export const RAW_BODY_FIELD = ',"rawBody":';

/** How bytes become text: as UTF-8 where they are that, and one character a byte otherwise (design D5). */
export type RawEncoding = 'utf8' | 'latin1';

export function rawEncodingOf(raw: Uint8Array): RawEncoding {
  return isUtf8(raw) ? 'utf8' : 'latin1';
}

/**
 * The beginning of an Email's JSON, which is each recipient's own. The tail follows it directly.
 * `receivedAt` is in milliseconds since the epoch.
 */
export function emailHead(to: string, receivedAt: number): string {
  return `{"to":${JSON.stringify(to)},"receivedAt":"${new Date(receivedAt).toISOString()}",`;
}

/** What the rest of an Email's JSON is made of. */
export interface EmailTail {
  readonly reading: Reading;
  /** The id where the message has no Message-ID (design D4). */
  readonly generatedId: string;
  /** The sender where no From header can be read (design D3). */
  readonly envelopeFrom: string;
  /** Byte for byte what DATA carried. */
  readonly raw: Uint8Array;
  /** Whether to repeat `rawBody` as `raw` (design D16). */
  readonly compat: boolean;
}

/** The rest of an Email's JSON in UTF-8, in pieces that are joined in order. All recipients of a message share it. */
export function emailTail({ reading, generatedId, envelopeFrom, raw, compat }: EmailTail): Uint8Array[] {
  const fields = JSON.stringify({
    id: reading.messageId ?? generatedId,
    from: reading.from ?? envelopeFrom,
    subject: reading.subject,
    otp: reading.otp,
    magicLink: reading.magicLink,
    body: reading.body,
  });
  const rawBody = jsonString(raw);
  const pieces = [Buffer.from(fields.slice(1, -1) + RAW_BODY_FIELD), ...rawBody];
  if (compat) pieces.push(Buffer.from(',"raw":'), ...rawBody);
  pieces.push(Buffer.from('}'));
  return pieces;
}

/** Bytes as a JSON string in UTF-8. */
function jsonString(bytes: Uint8Array): Buffer[] {
  const encoding = rawEncodingOf(bytes);
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces = [QUOTE];
  for (let start = 0; start < source.length; ) {
    let end = Math.min(start + PIECE_BYTES, source.length);
    if (encoding === 'utf8') while (isContinuation(source[end])) end -= 1;
    pieces.push(Buffer.from(JSON.stringify(source.toString(encoding, start, end)).slice(1, -1)));
    start = end;
  }
  pieces.push(QUOTE);
  return pieces;
}

/** Whether a byte is inside a UTF-8 sequence (RFC 3629 section 3): no piece may begin there. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
