import type { Email } from 'mayfly-protocol';

/** Which emails a test waits for (D9). Texts match parts of what people see of fields, ignoring case. */
export interface EmailFilter {
  readonly from?: string;
  readonly subject?: string;
  readonly body?: string;
  readonly hasOtp?: boolean;
  readonly hasMagicLink?: boolean;
}

export interface Found {
  readonly hasOtp: boolean;
  readonly hasMagicLink: boolean;
}

const HAS_OTP = 1;
const HAS_MAGIC_LINK = 2;

const SEARCHED = ['from', 'subject', 'body'] as const;

export type FilteredValues = Pick<Email, (typeof SEARCHED)[number] | 'otp' | 'magicLink'>;

const LENGTH_BYTES = 4;

/** Characters without a width, which nobody sees. */
const UNSEEN = /\p{DI}+/gu;
/** Blanks within a line. */
const BLANKS = /[^\S\n]+/g;

/** A text as filters compare it: what a reader sees, in any case, with every kind and number of blanks as one blank. */
export function comparable(text: string): string {
  return withBytes(text).lower;
}

function withBytes(text: string): { lower: string; bytes: number } {
  const lower = text.toLowerCase();
  const bytes = Buffer.byteLength(lower);
  const isAscii = bytes === lower.length;
  // Every arriving email passes through here, and in most of them this is all.
  if (isAscii && !lower.includes('\t') && !/ {2}/.test(lower)) return { lower, bytes };
  const seen = lower.normalize('NFC').replace(UNSEEN, '').replace(BLANKS, ' ');
  return { lower: seen, bytes: Buffer.byteLength(seen) };
}

/**
 * What filters read instead of mail: a byte of flags, then each field as it is compared, after its length (32 bits,
 * LE).
 */
export function filterIndex(values: FilteredValues): Uint8Array {
  const flags = (values.otp === null ? 0 : HAS_OTP) | (values.magicLink === null ? 0 : HAS_MAGIC_LINK);
  const fields = SEARCHED.map((name) => withBytes(values[name]));
  const index = Buffer.allocUnsafe(fields.reduce((sum, { bytes }) => sum + LENGTH_BYTES + bytes, 1));
  index[0] = flags;
  let at = 1;
  for (const { lower, bytes } of fields) {
    index.writeUInt32LE(bytes, at);
    index.write(lower, at + LENGTH_BYTES);
    at += LENGTH_BYTES + bytes;
  }
  return index;
}

export function foundIn(index: Uint8Array): Found {
  const [flags = 0] = index;
  return { hasOtp: Boolean(flags & HAS_OTP), hasMagicLink: Boolean(flags & HAS_MAGIC_LINK) };
}

export function isFilter({ from, subject, body, hasOtp, hasMagicLink }: EmailFilter): boolean {
  return Boolean(from || subject || body) || hasOtp !== undefined || hasMagicLink !== undefined;
}

/** The words, as they are compared, that no field of an index holds. */
export function wordsMissingIn(bytes: Uint8Array, words: readonly string[]): readonly string[] {
  const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 1;
  let missing = words;
  for (let field = 0; field < SEARCHED.length && missing.length > 0; field += 1) {
    const start = at + LENGTH_BYTES;
    at = start + index.readUInt32LE(at);
    const value = index.subarray(start, at);
    missing = missing.filter((word) => !value.includes(word));
  }
  return missing;
}

/** A test of index bytes; null if the filter accepts everything. */
export function indexTest(filter: EmailFilter): ((index: Uint8Array) => boolean) | null {
  if (!isFilter(filter)) return null;
  const needles = SEARCHED.map((field) => Buffer.from(comparable(filter[field] ?? '')));
  const { hasOtp, hasMagicLink } = filter;

  return (bytes) => {
    const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const flags = index.readUInt8(0);
    if (hasOtp !== undefined && hasOtp !== Boolean(flags & HAS_OTP)) return false;
    if (hasMagicLink !== undefined && hasMagicLink !== Boolean(flags & HAS_MAGIC_LINK)) return false;
    let at = 1;
    return needles.every((needle) => {
      const start = at + LENGTH_BYTES;
      at = start + index.readUInt32LE(at);
      return needle.length === 0 || index.subarray(start, at).includes(needle);
    });
  };
}
