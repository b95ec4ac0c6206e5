import { firstCharacters } from 'mayfly-mail/internal/text';
import type { EmailSummary, SummaryCut } from 'mayfly-protocol';

/** Maximum bytes of a summary's JSON, so that any list is small. */
const MAX_SUMMARY_BYTES = 1_000;

export const TEXT_CHARS = 200;

/** Values by importance, in case not all fit. A cut address, link or id would look complete, so it is omitted. */
const SHARES = [
  { name: 'from', maxBytes: 200, isWhole: true },
  { name: 'magicLink', maxBytes: 400, isWhole: true },
  { name: 'subject', maxBytes: 200, isWhole: false },
  { name: 'id', maxBytes: 200, isWhole: true },
  { name: 'fromName', maxBytes: 100, isWhole: false },
] as const;

const ELLIPSIS = '…';
const ELLIPSIS_BYTES = 3;

type Kept = Omit<EmailSummary, 'receivedAt' | 'to'>;

export interface Summarized extends Omit<Kept, 'text' | 'cut'> {
  readonly id: string;
  readonly from: string;
  readonly body: string;
}

/** The longest possible summary without texts. A text that may be missing is null, which is longer than `""`. */
const EMPTY: EmailSummary = {
  receivedAt: new Date(8.64e15).toISOString(),
  to: '',
  id: null,
  from: null,
  fromName: '',
  subject: '',
  otp: '12345678',
  magicLink: null,
  size: Number.MAX_SAFE_INTEGER,
  attachments: 9_999,
  text: '',
  cut: ['id', 'from', 'fromName', 'subject', 'magicLink'],
  // Four groups of six, the longest code that extraction accepts.
  code: '123456-123456-123456-123456',
  action: false,
};

const ROOM_BYTES = MAX_SUMMARY_BYTES - Buffer.byteLength(JSON.stringify(EMPTY));

/** Bytes of the JSON that differs by recipient, without the characters of `to`. */
const HEAD_BYTES = '{"receivedAt":"","to":"",'.length + EMPTY.receivedAt.length - '{'.length;

/** A message's summary for lists (D25), as JSON in UTF-8. `recipientBytes` is the size of the longest `to`. */
export function summaryRecord(values: Summarized, recipientBytes: number): Buffer {
  const most = MAX_SUMMARY_BYTES - HEAD_BYTES - recipientBytes;
  // Without this check, a sender could make the service serialize long values.
  if (SHARES.every(({ name }) => (values[name] ?? '').length <= most)) {
    const record = recordOf(values, firstCharacters(values.body, TEXT_CHARS), []);
    if (record.length <= most) return record;
  }
  return cutToFit(values, ROOM_BYTES - recipientBytes);
}

/** Names each value, because a spread (`...values`) would add a tenth to the time that a small message takes. */
function recordOf(values: Omit<Kept, 'text' | 'cut'>, text: string, cut: readonly SummaryCut[]): Buffer {
  const { id, from, fromName, subject, otp, magicLink, size, attachments, code, action } = values;
  const inOrder = { id, from, fromName, subject, otp, magicLink, size, attachments, text, cut, code, action };
  return Buffer.from(JSON.stringify(inOrder));
}

/** Records of earlier versions, without `code` and `action`, end with the list `cut`. */
const END_WITHOUT_CODE = ']}';

/** A record's JSON without its opening brace; each character is a byte. */
export function valuesOf(record: Uint8Array): string {
  const values = Buffer.from(record.buffer, record.byteOffset, record.byteLength).toString('latin1', '{'.length);
  if (!values.endsWith(END_WITHOUT_CODE)) return values;
  const { otp, magicLink, cut }: Omit<Kept, 'code' | 'action'> = JSON.parse(`{${values}`);
  const added = { code: otp, action: magicLink !== null || cut.includes('magicLink') };
  return `${values.slice(0, -'}'.length)},${JSON.stringify(added).slice('{'.length)}`;
}

/** Divides the room among values that do not all fit; the text gets the rest. `cut` lists cut and omitted values. */
function cutToFit({ body, ...values }: Summarized, bytes: number): Buffer {
  let left = Math.max(bytes, 0);
  const cut: SummaryCut[] = [];
  const shares = SHARES.map(({ name, maxBytes, isWhole }) => {
    const value = values[name] ?? '';
    const most = Math.min(maxBytes, left);
    const isCut = fitting(value, most) !== value;
    if (isCut) cut.push(name);
    const shown = isCut ? shortened(value, isWhole ? 0 : most) : value;
    left -= jsonBytes(shown);
    return [name, (isCut && isWhole) || values[name] === null ? null : shown];
  });
  const text = fitting(firstCharacters(body, TEXT_CHARS), left);
  return recordOf({ ...values, ...Object.fromEntries(shares) }, text, cut);
}

function shortened(value: string, most: number): string {
  return most < ELLIPSIS_BYTES ? '' : fitting(value, most - ELLIPSIS_BYTES) + ELLIPSIS;
}

export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** The longest prefix of whole characters whose JSON has at most this many bytes. */
function fitting(text: string, most: number): string {
  let left = most;
  let end = 0;
  for (const char of firstCharacters(text, most)) {
    left -= jsonBytes(char);
    if (left < 0) break;
    end += char.length;
  }
  return text.slice(0, end);
}
