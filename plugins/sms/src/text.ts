import { isObject, type JsonObject, jsonIn } from 'mayfly-plugins-shared/sending/fields';
import { formIn } from 'mayfly-plugins-shared/sending/form';
import type { OrderRequest, RawOrder, Translator } from 'mayfly-plugins-shared/sending/order';
import { type ProblemKind, refuse } from 'mayfly-plugins-shared/sending/problem';
import { QUERY_SECRETS } from 'mayfly-plugins-shared/sending/query-protocol';
import { phoneNumber } from 'mayfly-protocol/inbox-name';
import { segmentsOf } from './segments.js';

/** How a provider writes a text, and what it allows. All providers are read by this table. */
export interface TextShape {
  readonly from: readonly string[];
  readonly to: string;
  readonly body: string;
  readonly maxChars: number;
  /** The sender of requests that name none, or a pool of numbers; without it, a sender is required. */
  readonly standardFrom?: string;
  /** Several recipients: their maximum number, the character between them, and whether each gets its own ID. */
  readonly several?: { readonly most: number; readonly separator: string; readonly isEach: boolean };
  /** Finds the text's fields in other places of a request. Throws if the request is for something else. */
  fieldsIn?(fields: JsonObject): JsonObject;
  idOf(uuid: string): string;
}

/** Fields with credentials, which are not stored. */
const SECRETS = ['api_key', 'api_secret', 'sig'];

/** A sender that is no phone number: a short code, or a name with a letter. */
const SHORT_CODE = /^\d{3,8}$/;
const NAME = /^(?=.*[A-Za-z])[A-Za-z0-9 _&.+-]{1,11}$/;

/** Fields that ask for what Mayfly does not do, with the note on the text. */
const NOTES: Readonly<Record<string, string>> = {
  StatusCallback: 'Mayfly posts no status callbacks. A test posts them with mayfly-client/webhooks.',
  MediaUrl: 'Mayfly stores no media of a text.',
};

export function textTranslator(shape: TextShape): Translator {
  return {
    idOf(uuid) {
      const id = shape.idOf(uuid);
      return { id, messageId: messageIdOf(id) };
    },
    read(request) {
      const body = fieldsOf(request);
      const order = orderOf(shape.fieldsIn?.(body) ?? body, shape);
      const recipients = shape.several?.isEach ? order.recipients.map((number) => [number]) : [order.recipients];
      // A text to several numbers may go to inboxes of several owners, and a number is the name of an inbox.
      const hidden = order.recipients.length > 1 ? [...SECRETS, shape.to] : SECRETS;
      const kept = Object.entries(body).filter(([name]) => !hidden.includes(name) && !QUERY_SECRETS.test(name));
      return { orders: recipients.map((list) => ({ ...order, recipients: list })), body: Object.fromEntries(kept) };
    },
  };
}

export function messageIdOf(id: string): string {
  return `<${id}@sms.mayfly>`;
}

/** The text in the source of a message that `orderOf` wrote. */
export function textIn(source: Buffer): string {
  const text = source.toString();
  return text.slice(text.indexOf('\r\n\r\n') + 4).replaceAll('\r\n', '\n');
}

function fieldsOf({ body, contentType }: OrderRequest): JsonObject {
  if (!/\bjson\b|-json-/i.test(contentType)) return Object.fromEntries(formIn(body));
  const fields = jsonIn(body);
  return isObject(fields) ? fields : refuse('malformed');
}

function orderOf(fields: JsonObject, shape: TextShape): RawOrder {
  const recipients = recipientsIn(fields, shape);
  const refused = (kind: ProblemKind, more: object) => refuse(kind, { recipients, ...more });
  const text = textOf(fields, shape.body);
  if (text === '') return refused('missing', { field: shape.body });
  if (text.length > shape.maxChars) {
    return refused('too-large', { detail: `The text has more than ${shape.maxChars} characters.` });
  }
  const from = senderIn(fields, shape);
  if (from === null) return refused('missing', { row: 'missing-from', field: shape.from[0] });
  checkSender(from, shape.from[0] ?? '', refused);
  const [magic, number = ''] = recipients.map((to) => [MAGIC.get(to), to] as const).find(([row]) => row) ?? [];
  if (magic === 'invalid') return refused('recipient', { field: shape.to, address: number, hint: notPhone(shape.to) });
  if (magic !== undefined) return refused('not-served', { row: magic, address: number, hint: simulated('to') });
  const content = Buffer.from(text);
  // Without broken surrogates, which UTF-8 replaces.
  const body = content.toString();
  return {
    raw: Buffer.concat([HEAD, content]),
    from,
    recipients,
    notes: Object.entries(NOTES).flatMap(([name, note]) => (fields[name] === undefined ? [] : note)),
    echo: { from, to: recipients.join(), body, segments: String(segmentsOf(body)) },
  };
}

const HEAD = Buffer.from(
  'MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n',
);

function recipientsIn(fields: JsonObject, { to: field, several }: TextShape): readonly string[] {
  const value = fields[field];
  const { most = 1, separator = '' } = several ?? {};
  const isList = Array.isArray(value) && several;
  const list = isList ? value : separator ? textOf(fields, field).split(separator, most + 1) : [value];
  if (list.length === 0) return refuse('missing', { row: 'missing-to', field });
  if (list.length > most) {
    const hint = `The field ${field} may have at most ${most} numbers.`;
    return refuse('too-many-recipients', { detail: String(most), hint });
  }
  return list.map((one) => {
    const text = textOf({ [field]: one }, field).trim();
    if (text === '') return refuse('missing', { row: 'missing-to', field });
    return phoneNumber(text) ?? refuse('recipient', { field, address: text.slice(0, 100), hint: notPhone(field) });
  });
}

function senderIn(fields: JsonObject, { from: names, standardFrom }: TextShape): string | null {
  const text = names.map((name) => textOf(fields, name).trim()).find((one) => one !== '');
  if (text === undefined) return standardFrom ?? null;
  if (SHORT_CODE.test(text)) return text;
  return phoneNumber(text) ?? (NAME.test(text) || standardFrom === undefined ? text : standardFrom);
}

function checkSender(from: string, field: string, refused: (kind: ProblemKind, more: object) => never): void {
  const magic = MAGIC_SENDERS.get(from);
  const isSender = phoneNumber(from) !== null || SHORT_CODE.test(from) || NAME.test(from);
  if (!isSender || magic === 'invalid')
    refused('sender', { field, address: from.slice(0, 100), hint: notSender(field) });
  if (magic === 'queue-full') refused('rate', { row: magic, detail: 'The queue of this sender is full.' });
  if (magic !== undefined) refused('sender', { row: magic, field, address: from, hint: simulated('from') });
}

/** Numbers that simulate a failure (twilio.com/docs/iam/test-credentials), for all providers. */
const MAGIC: ReadonlyMap<string, string> = new Map([
  ['+15005550001', 'invalid'],
  ['+15005550002', 'unroutable'],
  ['+15005550003', 'no-permission'],
  ['+15005550004', 'unsubscribed'],
  ['+15005550009', 'not-mobile'],
]);
const MAGIC_SENDERS: ReadonlyMap<string, string> = new Map([
  ['+15005550001', 'invalid'],
  ['+15005550007', 'not-owned'],
  ['+15005550008', 'queue-full'],
]);

function notPhone(field: string): string {
  return `The field ${field} has no phone number with a country code, such as +15551234567.`;
}

function notSender(field: string): string {
  return `The field ${field} must be a phone number, a short code, or a name of up to 11 letters and digits.`;
}

function simulated(place: string): string {
  return `The number in "${place}" simulates this failure.`;
}

/** Returns a text field; empty if missing. JSON may have a number as a number. Throws `invalid`. */
function textOf(fields: JsonObject, field: string): string {
  const value = fields[field] ?? '';
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' ? value : refuse('invalid', { field, detail: 'a string' });
}
