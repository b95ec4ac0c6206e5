import { firstCharacters } from 'mayfly-mail/internal/text';
import type { EmailSummary, SummaryCut } from 'mayfly-protocol';

/** Bytes of a summary's JSON, whatever the mail: any list is small. */
const MAX_SUMMARY_BYTES = 1_000;

export const TEXT_CHARS = 200;

/** Bytes of JSON for each value of free length, if not all fit. */
const MAX_BYTES = { from: 200, magicLink: 400, subject: 200, id: 200, fromName: 100 } as const;

const ELLIPSIS = '…';
const ELLIPSIS_BYTES = 3;

/** A summary without what is each recipient's own. */
type Kept = Omit<EmailSummary, 'receivedAt' | 'to'>;

export interface Summarized extends Omit<Kept, 'text' | 'cut'> {
  readonly id: string;
  readonly from: string;
  readonly body: string;
}

/** The longest summary without `to` and texts of free length. `null` is longer than the quotes around a value. */
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
  // Four groups of six, the longest that extraction takes for a code.
  code: '123456-123456-123456-123456',
  action: false,
};

const ROOM_BYTES = MAX_SUMMARY_BYTES - Buffer.byteLength(JSON.stringify(EMPTY));

/** Bytes of the recipient's own values, without the characters of `to`. */
const HEAD_BYTES = '{"receivedAt":"","to":"",'.length + EMPTY.receivedAt.length - '{'.length;

/** For lists (D25), as JSON in UTF-8. `recipientBytes`: those of the longest recipient (see `jsonBytes`). */
export function summaryRecord(values: Summarized, recipientBytes: number): Buffer {
  const whole = wholeRecord(values, MAX_SUMMARY_BYTES - HEAD_BYTES - recipientBytes);
  return whole ?? Buffer.from(JSON.stringify(cutToFit(values, ROOM_BYTES - recipientBytes)));
}

/** Records of earlier versions, without `code` and `action`, end with the list of `cut`. */
const END_WITHOUT_CODE = ']}';

/** A record's JSON without its opening brace; each character is a byte. */
export function valuesOf(record: Uint8Array): string {
  const values = Buffer.from(record.buffer, record.byteOffset, record.byteLength).toString('latin1', '{'.length);
  if (!values.endsWith(END_WITHOUT_CODE)) return values;
  const { otp, magicLink, cut }: Omit<Kept, 'code' | 'action'> = JSON.parse(`{${values}`);
  const added = { code: otp, action: magicLink !== null || cut.includes('magicLink') };
  return `${values.slice(0, -'}'.length)},${JSON.stringify(added).slice('{'.length)}`;
}

/** All values uncut, if they fit, as for nearly all mail. */
function wholeRecord(values: Summarized, most: number): Buffer | null {
  const { id, from, fromName, subject, otp, magicLink, code, action, size, attachments, body } = values;
  const length = id.length + from.length + fromName.length + subject.length + (magicLink?.length ?? 0);
  // No sender may have long values serialized.
  if (length > most) return null;
  const text = firstCharacters(body, TEXT_CHARS);
  const kept: Kept = { id, from, fromName, subject, otp, magicLink, size, attachments, text, cut: [], code, action };
  const record = Buffer.from(JSON.stringify(kept));
  return record.length > most ? null : record;
}

/**
 * Shares the room among values that do not all fit, the most valuable first: an address, link or id that is too long is
 * left out, as half of one looks whole; a name or subject is cut and ends in `…`. Both are named in `cut`. The text
 * takes the rest.
 */
function cutToFit(values: Summarized, bytes: number): Kept {
  const { otp, code, action, size, attachments, body } = values;
  const room = new Room(values, bytes);
  const from = room.whole('from');
  const magicLink = values.magicLink === null ? null : room.whole('magicLink');
  const subject = room.beginning('subject');
  const id = room.whole('id');
  const fromName = room.beginning('fromName');
  const text = room.rest(firstCharacters(body, TEXT_CHARS));
  return { id, from, fromName, subject, otp, magicLink, size, attachments, text, cut: room.cut, code, action };
}

/** Bytes of a text in JSON, without its quotes. */
export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

class Room {
  readonly cut: SummaryCut[] = [];
  readonly #values: Summarized;
  #left: number;

  constructor(values: Summarized, bytes: number) {
    this.#values = values;
    this.#left = Math.max(bytes, 0);
  }

  whole(name: 'from' | 'magicLink' | 'id'): string | null {
    const value = this.#values[name] ?? '';
    const bytes = boundedJsonBytes(value, this.#most(name));
    if (bytes === null) {
      this.cut.push(name);
      return null;
    }
    this.#left -= bytes;
    return value;
  }

  beginning(name: 'subject' | 'fromName'): string {
    const value = this.#values[name];
    const most = this.#most(name);
    const bytes = boundedJsonBytes(value, most);
    if (bytes !== null) {
      this.#left -= bytes;
      return value;
    }
    this.cut.push(name);
    const shown = most < ELLIPSIS_BYTES ? '' : fitting(value, most - ELLIPSIS_BYTES) + ELLIPSIS;
    this.#left -= jsonBytes(shown);
    return shown;
  }

  rest(text: string): string {
    return boundedJsonBytes(text, this.#left) === null ? fitting(text, this.#left) : text;
  }

  #most(name: keyof typeof MAX_BYTES): number {
    return Math.min(MAX_BYTES[name], this.#left);
  }
}

function boundedJsonBytes(text: string, most: number): number | null {
  if (text.length > most) return null;
  const bytes = jsonBytes(text);
  return bytes > most ? null : bytes;
}

/** The longest prefix of whole characters that takes at most this many bytes of JSON. */
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
