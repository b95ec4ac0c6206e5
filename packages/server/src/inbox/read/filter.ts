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

/** Most texts have nothing to normalize. */
const UNUSUAL = /[^\n\r -~]| {2}/;
/** Characters without a width, which nobody sees. */
const UNSEEN = /\p{DI}+/gu;
/** Blanks within a line. */
const BLANKS = /[^\S\n]+/g;

/** A text as filters compare it: what a reader sees, in any case, with every kind and number of blanks as one blank. */
export function comparable(text: string): string {
  const lower = text.toLowerCase();
  return UNUSUAL.test(lower) ? lower.normalize('NFC').replace(UNSEEN, '').replace(BLANKS, ' ') : lower;
}

/**
 * What filters read instead of mail: a byte of flags, then each field as it is compared, after its length (32 bits,
 * LE).
 */
export function filterIndex(values: FilteredValues): Uint8Array {
  const flags = (values.otp === null ? 0 : HAS_OTP) | (values.magicLink === null ? 0 : HAS_MAGIC_LINK);
  const fields = SEARCHED.flatMap((name) => {
    const field = Buffer.from(comparable(values[name]));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(field.length);
    return [length, field];
  });
  return Buffer.concat([Buffer.of(flags), ...fields]);
}

export function foundIn(index: Uint8Array): Found {
  const [flags = 0] = index;
  return { hasOtp: Boolean(flags & HAS_OTP), hasMagicLink: Boolean(flags & HAS_MAGIC_LINK) };
}

function fieldsIn(bytes: Uint8Array): Buffer[] {
  const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = 1;
  return SEARCHED.map(() => {
    const start = end + LENGTH_BYTES;
    end = start + index.readUInt32LE(end);
    return index.subarray(start, end);
  });
}

export function isFilter({ from, subject, body, hasOtp, hasMagicLink }: EmailFilter): boolean {
  return Boolean(from || subject || body) || hasOtp !== undefined || hasMagicLink !== undefined;
}

/** The words, as they are compared, that no field of an index holds. */
export function wordsMissingIn(index: Uint8Array, words: readonly string[]): readonly string[] {
  const fields = fieldsIn(index);
  return words.filter((word) => !fields.some((field) => field.includes(word)));
}

/** A test of index bytes; null if the filter accepts everything. */
export function indexTest(filter: EmailFilter): ((index: Uint8Array) => boolean) | null {
  if (!isFilter(filter)) return null;
  const needles = SEARCHED.map((field) => Buffer.from(comparable(filter[field] ?? '')));
  const { hasOtp, hasMagicLink } = filter;
  return (index) => {
    const found = foundIn(index);
    if (hasOtp !== undefined && hasOtp !== found.hasOtp) return false;
    if (hasMagicLink !== undefined && hasMagicLink !== found.hasMagicLink) return false;
    const fields = fieldsIn(index);
    return needles.every((needle, n) => needle.length === 0 || fields[n]?.includes(needle));
  };
}
