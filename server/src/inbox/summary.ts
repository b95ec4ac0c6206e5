import type { EmailSummary, SummaryCut } from 'mayfly-client';
import { firstCharacters } from '../mail/first-characters.js';
import type { ByteText, EmailHead } from './email-json.js';
import { readValues, writeValues } from './values.js';

/** How many bytes of JSON a summary has at most, whatever the mail: so a list of any emails is small. */
export const MAX_SUMMARY_BYTES = 1_000;

/** Of how many characters of the body a summary has. */
const TEXT_CHARS = 200;

/** How many bytes of JSON each value may take that a sender can make as long as he likes, where there is room for all. */
const MAX_BYTES = { from: 200, magicLink: 400, subject: 200, id: 200, fromName: 100 } as const;

/** What stands at the end of a text that was cut. */
const ELLIPSIS = '…';
const ELLIPSIS_BYTES = 3;

/** The number of each value in what is kept. */
const VALUE_NUMBERS = {
  id: 1,
  from: 2,
  fromName: 3,
  subject: 4,
  otp: 5,
  magicLink: 6,
  size: 7,
  attachments: 8,
  text: 9,
  cut: 10,
} as const;

type ValueName = keyof typeof VALUE_NUMBERS;

const NUMBERED = Object.entries(VALUE_NUMBERS) as [ValueName, number][];

/** The values before `to` in the JSON, and those behind it, each with what stands before it. */
const BEFORE_TO = jsonParts('id', 'from', 'fromName');
const BEHIND_TO = jsonParts('subject', 'otp', 'magicLink', 'size', 'attachments', 'text', 'cut');

/** What a summary is made of. `size` is in bytes. */
export interface Summarized extends Omit<EmailSummary, 'receivedAt' | 'to' | 'text' | 'cut' | 'id' | 'from'> {
  readonly id: string;
  readonly from: string;
  readonly body: string;
}

/**
 * The longest summary without a single character of what a sender can make as long as he likes, and of `to`. `null` is longer than the
 * quotes around a value.
 */
const EMPTY: EmailSummary = {
  receivedAt: new Date(8.64e15).toISOString(),
  id: null,
  from: null,
  fromName: '',
  to: '',
  subject: '',
  otp: '12345678',
  magicLink: null,
  size: Number.MAX_SAFE_INTEGER,
  attachments: 9_999,
  text: '',
  cut: ['id', 'from', 'fromName', 'subject', 'magicLink'],
};

const ROOM_BYTES = MAX_SUMMARY_BYTES - Buffer.byteLength(JSON.stringify(EMPTY));

/**
 * What is kept of a message for lists (D25): the values of its summary, but for `to` and `receivedAt`, which are each recipient's own.
 * `recipientBytes` is what the longest of its recipients' addresses takes (see `jsonBytes`).
 *
 * The values share the room, those first that are worth most: an address, link or id that is too long is left out, since half of one
 * looks like a whole one, and a name or subject is cut and ends in `…`. Both are named in `cut`. The text takes what is left.
 */
export function summaryRecord(values: Summarized, recipientBytes: number): Buffer {
  const { otp, size, attachments, body } = values;
  const room = new Room(values, ROOM_BYTES - recipientBytes);
  const from = room.whole('from');
  const magicLink = values.magicLink === null ? null : room.whole('magicLink');
  const subject = room.beginning('subject');
  const id = room.whole('id');
  const fromName = room.beginning('fromName');
  const text = room.rest(firstCharacters(body, TEXT_CHARS));
  const kept = { id, from, fromName, subject, otp, magicLink, size, attachments, text, cut: room.cut };
  return writeValues(NUMBERED, kept, 0);
}

/** How many bytes a text takes in JSON, without the quotes around it. */
export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** The room that the values of a summary share. */
class Room {
  readonly cut: SummaryCut[] = [];
  readonly #values: Summarized;
  #left: number;

  constructor(values: Summarized, bytes: number) {
    this.#values = values;
    this.#left = Math.max(bytes, 0);
  }

  /** A value where it fits, otherwise null. */
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

  /** A value where it fits, otherwise as much of it as does. */
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

  /** As much of a text as fits into what is left. */
  rest(text: string): string {
    return boundedJsonBytes(text, this.#left) === null ? fitting(text, this.#left) : text;
  }

  #most(name: keyof typeof MAX_BYTES): number {
    return Math.min(MAX_BYTES[name], this.#left);
  }
}

/** How many bytes a text takes in JSON; null when they are more than `most`. A text of any length is looked at no further than that. */
function boundedJsonBytes(text: string, most: number): number | null {
  if (text.length > most) return null;
  const bytes = jsonBytes(text);
  return bytes > most ? null : bytes;
}

/** The longest beginning of a text that takes so many bytes in JSON, and ends in a whole character. */
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

/** The JSON of a summary, in UTF-8, out of what was kept. */
export function summaryJson({ to, receivedAt }: EmailHead, record: Uint8Array): ByteText {
  const value = readValues(Buffer.from(record.buffer, record.byteOffset, record.byteLength));
  let json = `{"receivedAt":"${new Date(receivedAt).toISOString()}"`;
  for (const [number, before] of BEFORE_TO) json += before + value(number).toString('latin1');
  json += `,"to":${Buffer.from(JSON.stringify(to)).toString('latin1')}`;
  for (const [number, before] of BEHIND_TO) json += before + value(number).toString('latin1');
  return `${json}}`;
}

function jsonParts(...names: readonly ValueName[]): (readonly [number: number, before: ByteText])[] {
  return names.map((name) => [VALUE_NUMBERS[name], `,"${name}":`]);
}
