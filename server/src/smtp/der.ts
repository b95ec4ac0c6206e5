// DER, in which certificates are written: a tag, a length, and the content (ITU-T X.690). As much of it as one of ours needs.

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;

/** Up to here a length is one byte; above, a byte with the high bit says how many bytes of length follow. */
const MAX_SHORT_LENGTH = 0x7f;

/** RFC 5280 section 4.1.2.5: the short form, with two digits of the year, is for the years before. */
const FIRST_LONG_YEAR = 2050;

/** TRUE. */
export const yes = Buffer.of(0x01, 0x01, 0xff);

/** A value with a tag. */
export function tagged(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length <= MAX_SHORT_LENGTH) return Buffer.concat([Buffer.of(tag, content.length), content]);
  const length = bytesOf(content.length);
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, content]);
}

export function sequence(...values: readonly Buffer[]): Buffer {
  return tagged(SEQUENCE, ...values);
}

export function set(value: Buffer): Buffer {
  return tagged(SET, value);
}

/** A number in the fewest bytes that hold it, as two's complement. */
export function integer(bytes: Buffer): Buffer {
  return tagged(INTEGER, bytes);
}

/** Bits, of which so many of the last byte do not count. */
export function bitString(bytes: Buffer, unusedBits = 0): Buffer {
  return tagged(BIT_STRING, Buffer.of(unusedBits), bytes);
}

export function octets(bytes: Buffer): Buffer {
  return tagged(OCTET_STRING, bytes);
}

export function text(value: string): Buffer {
  return tagged(UTF8_STRING, Buffer.from(value));
}

/** An object identifier, written with dots. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return tagged(OBJECT_IDENTIFIER, Buffer.from([first * 40 + second, ...others].flatMap(base128)));
}

/** A time in milliseconds since the epoch, to the second. */
export function time(ms: number): Buffer {
  const date = new Date(ms);
  const digits = `${date.toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length).replace(/[-:T]/g, '')}Z`;
  const isLong = date.getUTCFullYear() >= FIRST_LONG_YEAR;
  return tagged(isLong ? GENERALIZED_TIME : UTC_TIME, Buffer.from(isLong ? digits : digits.slice('20'.length)));
}

/** A number in groups of seven bits, the highest first; all but the last have the high bit set. */
function base128(value: number): number[] {
  const groups = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return groups;
}

/** A number in the fewest bytes, the highest first. */
function bytesOf(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from(bytes);
}
