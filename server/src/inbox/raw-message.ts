import { RAW_BODY_FIELD, type RawEncoding } from './email-json.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Bytes that JSON writes as a letter (RFC 8259 section 7); behind a backslash every other character stands for itself. */
const LETTER_ESCAPES = new Map([...'bfnrt'].map((letter, i) => [letter.charCodeAt(0), '\b\f\n\r\t'.charCodeAt(i)]));

/** What is decoded of one piece of a JSON string. */
interface Decoded {
  readonly bytes: Buffer;
  /** An escape that is cut off. */
  readonly rest: Buffer;
  /** Whether the string has ended. */
  readonly isOver: boolean;
}

/**
 * The bytes of a message again, out of the JSON of its email (see `emailTail`): piece by piece, without ever parsing the whole.
 * `content` comes in bounded pieces, and so does the message.
 */
export async function* rawMessage(
  content: AsyncIterable<Uint8Array>,
  encoding: RawEncoding,
): AsyncGenerator<Uint8Array> {
  const utf8 = new TextDecoder();
  const opening = `${RAW_BODY_FIELD}"`;
  let isInside = false;
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of content) {
    held = Buffer.concat([held, piece]);
    if (!isInside) {
      // What is before the raw message is bounded by what is read of a mail, so little is searched twice.
      const start = held.indexOf(opening);
      if (start < 0) continue;
      isInside = true;
      held = held.subarray(start + opening.length);
    }
    const { bytes, rest, isOver } = decodeString(held);
    held = rest;
    yield encoding === 'utf8' ? bytes : Buffer.from(utf8.decode(bytes, { stream: true }), 'latin1');
    if (isOver) return;
  }
}

/** Decodes a JSON string in UTF-8 up to its end, or up to an escape that is cut off. */
function decodeString(written: Buffer): Decoded {
  const bytes = Buffer.allocUnsafe(written.length);
  let length = 0;
  for (let at = 0; at < written.length; ) {
    const byte = written[at] as number;
    if (byte === QUOTE) return { bytes: bytes.subarray(0, length), rest: written.subarray(at), isOver: true };
    const escapeLength = byte !== BACKSLASH ? 1 : written[at + 1] === LETTER_U ? '\\u0000'.length : '\\n'.length;
    if (at + escapeLength > written.length) {
      return { bytes: bytes.subarray(0, length), rest: written.subarray(at), isOver: false };
    }
    bytes[length++] = byte === BACKSLASH ? escapedByte(written, at + 1) : byte;
    at += escapeLength;
  }
  return { bytes: bytes.subarray(0, length), rest: Buffer.alloc(0), isOver: false };
}

/** What an escape stands for. Those with a number stand for control characters here, since all else is written as it is. */
function escapedByte(written: Buffer, at: number): number {
  const letter = written[at] as number;
  if (letter !== LETTER_U) return LETTER_ESCAPES.get(letter) ?? letter;
  return 16 * hexDigit(written[at + 3] as number) + hexDigit(written[at + 4] as number);
}

function hexDigit(character: number): number {
  return (character & 0x0f) + (character > 0x39 ? 9 : 0);
}
