import { httpErrors } from '../../errors.js';
import { RequestError } from '../../http/request-error.js';

/** Somebody in a letter. */
interface Person {
  readonly name: string;
  readonly address: string;
}

/** A mail that is to be composed. */
export interface Letter {
  readonly from: Person;
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  readonly bcc: readonly Person[];
  readonly replyTo: readonly Person[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly attachments: readonly Attached[];
}

interface Attached {
  readonly content: Buffer;
  readonly filename: string;
  /** Empty where it follows from the name. */
  readonly contentType: string;
  /** Empty of what is not shown in the HTML. */
  readonly cid: string;
}

/** Fields that a letter has by other means. */
const OWN_FIELDS = [
  'to',
  'from',
  'cc',
  'bcc',
  'reply-to',
  'date',
  'subject',
  'content-type',
  'mime-version',
  'message-id',
  'x-tags',
];

/** More fields or attachments than any test sends. */
const MAX_FIELDS = 100;
const MAX_ATTACHMENTS = 100;

/** How many characters all headers may have together: to encode and to fold them takes the event loop up to two microseconds for each. */
const MAX_HEADER_CHARS = 64 * 1024;

/** An address as far as it matters here: who is a recipient is decided later (RFC 5321 section 4.5.3.1 for the length). */
const ADDRESS = /^[^\s\p{Cc}<>()[\],;:"@]{1,64}@[^\s\p{Cc}<>()[\],;:"@]{1,255}$/u;

/** A field's name (RFC 5322 section 2.2). */
const FIELD_NAME = /^[!-9;-~]{1,70}$/;

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Reads the JSON of a request to send, whose names are Mailpit's. Throws 400 with a sentence for what is not as it has to be. */
export function letterOf(body: unknown): Letter {
  const fields = objectIn(Buffer.isBuffer(body) ? body.toString() : '');
  const tags = list(fields, 'Tags').map((tag) => text({ tag }, 'tag', 'Tags'));
  const headers = headersIn(fields);
  if (tags.length > 0) headers.set('X-Tags', tags.join(', '));
  const letter = {
    from: person(fields.From, 'From'),
    to: list(fields, 'To').map((one) => person(one, 'To')),
    cc: list(fields, 'Cc').map((one) => person(one, 'Cc')),
    bcc: list(fields, 'Bcc').map((address) => person({ Email: address }, 'Bcc')),
    replyTo: list(fields, 'ReplyTo').map((one) => person(one, 'ReplyTo')),
    subject: oneLine(text(fields, 'Subject')),
    text: text(fields, 'Text'),
    html: text(fields, 'HTML'),
    headers,
    attachments: list(fields, 'Attachments', MAX_ATTACHMENTS).map(attached),
  };
  if (headerChars(letter) > MAX_HEADER_CHARS)
    throw badMail(`its headers have more than ${MAX_HEADER_CHARS} characters together`);
  return letter;
}

/** How long the texts are that headers are made of, those of the attachments with them. */
function headerChars({ from, to, cc, replyTo, subject, headers, attachments }: Letter): number {
  const people = [from, ...to, ...cc, ...replyTo].flatMap(({ name, address }) => [name, address]);
  const files = attachments.flatMap(({ filename, contentType, cid }) => [filename, contentType, cid]);
  return [subject, ...people, ...[...headers].flat(), ...files].reduce((sum, { length }) => sum + length, 0);
}

type Fields = Readonly<Record<string, unknown>>;

function objectIn(json: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw badMail('the request body is not valid JSON');
  }
  if (!isObject(value))
    throw badMail('the request body must be an object, such as {"From":{"Email":"…"},"To":[{"Email":"…"}]}');
  return value;
}

function headersIn({ Headers: headers = {} }: Fields): Map<string, string> {
  if (headers === null) return new Map();
  if (!isObject(headers) || Object.keys(headers).length > MAX_FIELDS) {
    throw badMail(`Headers must be an object of at most ${MAX_FIELDS} texts`);
  }
  return new Map(
    Object.keys(headers).map((name) => {
      if (!FIELD_NAME.test(name)) throw badMail('Headers has a name that is none');
      if (OWN_FIELDS.includes(name.toLowerCase())) throw badMail(`Headers cannot set ${name}`);
      return [name, oneLine(text(headers, name, 'Headers'))];
    }),
  );
}

function person(value: unknown, where: string): Person {
  if (!isObject(value)) throw badMail(`${where} must have an Email`);
  const address = text(value, 'Email', where).trim();
  if (!ADDRESS.test(address)) throw badMail(`${where} has an address that is none`);
  return { address, name: oneLine(text(value, 'Name', where)) };
}

function attached(value: unknown): Attached {
  if (!isObject(value)) throw badMail('Attachments must be objects with a Content');
  const written = text(value, 'Content', 'Attachments');
  // What a browser's FileReader gives has its type in front: data:image/png;base64,…
  const base64 = written.slice(written.lastIndexOf(',') + 1).replace(/\s/g, '');
  if (!BASE64.test(base64)) throw badMail('Attachments has a Content that is not base64');
  const [filename, contentType, cid] = ['Filename', 'ContentType', 'ContentID'].map((name) =>
    oneLine(text(value, name, 'Attachments')),
  );
  return {
    content: Buffer.from(base64, 'base64'),
    filename: filename ?? '',
    contentType: contentType ?? '',
    cid: cid ?? '',
  };
}

function list(fields: Fields, name: string, most = Number.POSITIVE_INFINITY): readonly unknown[] {
  const value = fields[name] ?? [];
  if (Array.isArray(value) && value.length <= most) return value;
  throw badMail(`${name} must be a list${Number.isFinite(most) ? ` of at most ${most}` : ''}`);
}

/** A text, empty where it is left out. */
function text(fields: Fields, name: string, where = name): string {
  const value = fields[name] ?? '';
  if (typeof value === 'string') return value;
  throw badMail(`${where} must be text`);
}

/** A text that cannot begin another field. */
function oneLine(value: string): string {
  return value.replace(/[\r\n\0]+/g, ' ');
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Says what is wrong with a mail under Mailpit's name for that, too. */
class MailError extends RequestError {
  override get body(): string {
    return JSON.stringify({ error: this.message, Error: this.message });
  }
}

/** What is wrong with a mail that is to be sent. */
export function badMail(reason: string): RequestError {
  return new MailError(httpErrors.badMail, { reason });
}

/** A letter as a message. Nothing is read from files or from the web for it. */
export async function composedMail(letter: Letter, date: Date): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { bcc: _bcc, replyTo, headers, text, html, attachments, ...rest } = letter;
  const composer = new MailComposer({
    ...rest,
    to: [...letter.to],
    cc: [...letter.cc],
    replyTo: [...replyTo],
    text,
    ...(html === '' ? {} : { html }),
    headers: Object.fromEntries(headers),
    attachments: attachments.map(({ content, filename, contentType, cid }) => ({
      content,
      filename: filename || false,
      ...(contentType === '' ? {} : { contentType }),
      ...(cid === '' ? {} : { cid }),
    })),
    date,
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n',
  });
  return composer.compile().build();
}
