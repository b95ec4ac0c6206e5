import type { Soon } from '../soon.js';
import type { RawEncoding } from './raw-encoding.js';
import { rawPieces, type StoredMessage } from './stored-message.js';

/** How many bytes of a message become JSON at once. At the worst, six times as many come of them. */
const SLICE_BYTES = 64 * 1024;

const QUOTE = Buffer.from('"');

/** The fields of an Email that its message's record holds, each with what stands before its value, in the order of the JSON. */
const FIELDS = (['id', 'from', 'subject', 'otp', 'magicLink', 'body'] as const).map(
  (name, i) => [name, Buffer.from(`${i === 0 ? '' : ','}"${name}":`)] as const,
);

const RAW_BODY = Buffer.from(',"rawBody":"');
const RAW = Buffer.from('","raw":"');
const END = Buffer.from('"}');

/** Whose an email is. */
export interface EmailHead {
  readonly to: string;
  /** In milliseconds since the epoch. */
  readonly receivedAt: number;
}

/**
 * The JSON of an Email (interface section 2.1) in UTF-8, in bounded pieces: one piece where the message is small. `before` is
 * put before it. `again` opens the message a second time and makes the Email carry `raw` too (D16); null leaves it out.
 */
export async function* emailJson(
  before: string,
  head: EmailHead,
  message: StoredMessage,
  again: (() => Soon<StoredMessage>) | null,
): AsyncGenerator<Uint8Array> {
  const opening = openingOf(before, head, message);
  const { encoding, first, rest } = message;
  if (rest === null && first.length <= SLICE_BYTES) {
    const text = escaped(first, encoding, 0, first.length);
    yield Buffer.concat([...opening, text, ...(again === null ? [] : [RAW, text]), END]);
    return;
  }
  yield Buffer.concat(opening);
  yield* jsonText(rawPieces(message), encoding);
  if (again !== null) {
    yield RAW;
    yield* jsonText(rawPieces(await again()), encoding);
  }
  yield END;
}

/** The JSON of an Email up to the inside of its `rawBody`. */
function openingOf(before: string, { to, receivedAt }: EmailHead, message: StoredMessage): Buffer[] {
  const head = `${before}{"to":${JSON.stringify(to)},"receivedAt":"${new Date(receivedAt).toISOString()}",`;
  return [Buffer.from(head), ...FIELDS.flatMap(([name, prefix]) => [prefix, message.json(name)]), RAW_BODY];
}

/** Bytes as the inside of a JSON string in UTF-8, in bounded pieces. */
async function* jsonText(pieces: AsyncIterable<Uint8Array>, encoding: RawEncoding): AsyncGenerator<Uint8Array> {
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes =
      held.length === 0 ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength) : Buffer.concat([held, piece]);
    let start = 0;
    while (bytes.length - start > SLICE_BYTES) {
      const end = start + wholeLength(bytes.subarray(start, start + SLICE_BYTES), encoding);
      yield escaped(bytes, encoding, start, end);
      start = end;
    }
    const end = start + wholeLength(bytes.subarray(start), encoding);
    if (end > start) yield escaped(bytes, encoding, start, end);
    held = bytes.subarray(end);
  }
  if (held.length > 0) yield escaped(held, encoding, 0, held.length);
}

function escaped(bytes: Buffer, encoding: RawEncoding, start: number, end: number): Buffer {
  const json = Buffer.from(JSON.stringify(bytes.toString(encoding, start, end)));
  return json.subarray(QUOTE.length, -QUOTE.length);
}

/** How many of the bytes are whole characters; those of one that is cut off at the end are left (RFC 3629 section 3). */
function wholeLength(bytes: Buffer, encoding: RawEncoding): number {
  if (encoding === 'latin1') return bytes.length;
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** How many bytes a character has that begins with this byte of several. */
function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
