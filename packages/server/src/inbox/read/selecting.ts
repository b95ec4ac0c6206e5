import type { Email } from 'mayfly-protocol';
import type { Clock } from '../../base/clock.js';
import type { Turns } from '../../limits/event-loop.js';
import type { ListQuery, Store, StoredEmail } from '../../store/store.js';

/** Each text must occur in the visible text of its field, ignoring case (D9). */
export interface EmailFilter {
  readonly from?: string | undefined;
  readonly subject?: string | undefined;
  readonly body?: string | undefined;
  readonly hasOtp?: boolean | undefined;
  readonly hasMagicLink?: boolean | undefined;
}

export type Found = Readonly<Record<'hasOtp' | 'hasMagicLink', boolean>>;

const HAS_OTP = 1;
const HAS_MAGIC_LINK = 2;

const SEARCHED = ['from', 'subject', 'body'] as const;

type FilteredValues = Pick<Email, (typeof SEARCHED)[number] | 'otp' | 'magicLink'>;

const LENGTH_BYTES = 4;

/** Zero-width characters. */
const UNSEEN = /\p{DI}+/gu;
const BLANKS = /[^\S\n]+/g;

/** A text in lower case, as a reader sees it: without zero-width characters, and with each run of blanks as a space. */
export function comparable(text: string): string {
  const lower = text.toLowerCase();
  const isAscii = Buffer.byteLength(lower) === lower.length;
  // Most texts have nothing to normalize.
  if (isAscii && !lower.includes('\t') && !/ {2}/.test(lower)) return lower;
  return lower.normalize('NFC').replace(UNSEEN, '').replace(BLANKS, ' ');
}

/** The index that filters read instead of mail: a byte of flags, then each field after its length (32 bits, LE). */
export function filterIndex(values: FilteredValues): Uint8Array {
  const flags = (values.otp === null ? 0 : HAS_OTP) | (values.magicLink === null ? 0 : HAS_MAGIC_LINK);
  const fields = SEARCHED.map((name) => comparable(values[name]));
  const lengths = fields.map((field) => Buffer.byteLength(field));
  const index = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + LENGTH_BYTES + length, 1));
  index[0] = flags;
  let at = 1;
  for (const [n, length] of lengths.entries()) {
    index.writeUInt32LE(length, at);
    index.write(fields[n] ?? '', at + LENGTH_BYTES);
    at += LENGTH_BYTES + length;
  }
  return index;
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

/** The words that do not occur in the index. Each word must be a result of `comparable`. */
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

export interface Selection extends EmailFilter {
  readonly after?: number | undefined;
}

const LIST_SHARE = 128;

/** Bytes that a filter reads in one turn; each email's row counts as `SCAN_ROW_BYTES`. */
const FILTER_SHARE_BYTES = 128 * 1024;

/** What reads of stored emails use. Large reads take turns. */
export interface Shelf {
  readonly store: Store;
  readonly clock: Clock;
  readonly turns: Turns;
}

/** `aborted` turns true, and stays true, once an answer is no longer wanted. An `AbortSignal` fits this type. */
export interface Leaving {
  readonly aborted: boolean;
}

export interface Look extends Pick<ListQuery, 'before' | 'limit'> {
  readonly inbox: string;
  readonly selection: Selection;
  /** Aborted once the answer is unwanted, which ends the read. */
  readonly signal: Leaving;
}

/** Selects emails, newest first, in turns with other work. After an abort, returns the results so far. */
export async function select({ store, clock, turns }: Shelf, look: Look): Promise<StoredEmail[]> {
  const { inbox, selection, signal, limit: most = Number.POSITIVE_INFINITY } = look;
  const now = clock.now();
  const test = indexTest(selection);
  const found: StoredEmail[] = [];
  // A read without a filter is short, so it begins without waiting for a turn.
  if (test !== null) await turns.first();
  for (let { before } = look; !signal.aborted; await turns.next()) {
    const { after } = selection;
    if (test === null) {
      const limit = Math.min(LIST_SHARE, most - found.length);
      const emails = await store.list(inbox, { after, before, limit }, now);
      found.push(...emails);
      // A small inbox needs no second read.
      before = emails.length < limit ? undefined : emails.at(-1)?.receivedAt;
    } else {
      const page = await store.scan(inbox, { after, before, maxBytes: FILTER_SHARE_BYTES }, now);
      const matching = page.filter(({ index }) => test(index)).slice(0, most - found.length);
      found.push(...matching.map(({ email }) => email));
      before = page.at(-1)?.email.receivedAt;
    }
    if (before === undefined || found.length >= most) break;
  }
  return found;
}

type Source = Pick<Shelf, 'store' | 'clock'>;

export async function emailAt({ store, clock }: Source, inbox: string, receivedAt: number) {
  const [email] = await store.list(inbox, { after: receivedAt - 1, before: receivedAt + 1, limit: 1 }, clock.now());
  return email ?? null;
}

/** The bytes that filters read; undefined for a deleted email. */
export async function indexAt({ store, clock }: Source, { inbox, receivedAt }: StoredEmail) {
  const one = { after: receivedAt - 1, before: receivedAt + 1, maxBytes: 1 };
  const [found] = await store.scan(inbox, one, clock.now());
  return found?.index;
}
