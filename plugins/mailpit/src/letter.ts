import {
  type Attachment,
  BadLetterError,
  bytesOfBase64,
  isAddress,
  isFieldName,
  type Letter,
  oneLine,
  type Person,
} from 'mayfly-plugins-shared/compose-letter';

/** Header fields that `Headers` must not contain, because other fields of the letter set them. */
const OWN_FIELDS = [
  ...['to', 'from', 'cc', 'bcc', 'reply-to', 'date', 'subject', 'message-id'],
  ...['content-type', 'mime-version', 'x-tags'],
];

const MAX_FIELDS = 100;
const MAX_ATTACHMENTS = 100;

/** Parses the JSON of a send request. Field names may be in any case. Throws a `BadLetterError`. */
export function letterOf(json: string): Letter {
  const fields = objectIn(json);
  const tags = list(fields, 'Tags').map((tag) => textOf(tag, 'Tags'));
  const headers = headersIn(fields);
  if (tags.length > 0) headers.set('X-Tags', tags.join(', '));
  return {
    from: person(fields.get('from'), 'From'),
    to: list(fields, 'To').map((one) => person(one, 'To')),
    cc: list(fields, 'Cc').map((one) => person(one, 'Cc')),
    bcc: list(fields, 'Bcc').map((address) => personAt(address, '', 'Bcc')),
    replyTo: list(fields, 'ReplyTo').map((one) => person(one, 'ReplyTo')),
    subject: oneLine(text(fields, 'Subject')),
    text: text(fields, 'Text'),
    html: text(fields, 'HTML'),
    headers,
    attachments: list(fields, 'Attachments', MAX_ATTACHMENTS).map(attached),
  };
}

/** Fields by name in lower case, because Go, Mailpit's language, ignores case. Of two equal names, the last counts. */
type Fields = ReadonlyMap<string, unknown>;

function fieldsOf(object: object): Fields {
  return new Map(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
}

function objectIn(json: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new BadLetterError('the request body is not valid JSON');
  }
  if (!isObject(value))
    throw new BadLetterError('the request body must be an object, such as {"From":{"Email":"…"},"To":[{"Email":"…"}]}');
  return fieldsOf(value);
}

function headersIn(fields: Fields): Map<string, string> {
  const headers = fields.get('headers') ?? {};
  if (!isObject(headers) || Object.keys(headers).length > MAX_FIELDS) {
    throw new BadLetterError(`Headers must be an object with at most ${MAX_FIELDS} strings`);
  }
  return new Map(
    Object.keys(headers).map((name) => {
      if (!isFieldName(name)) throw new BadLetterError('Headers contains an invalid field name');
      if (OWN_FIELDS.includes(name.toLowerCase())) throw new BadLetterError(`Headers cannot set ${name}`);
      return [name, oneLine(textOf(headers[name], 'Headers'))];
    }),
  );
}

function person(value: unknown, where: string): Person {
  if (!isObject(value)) throw new BadLetterError(`${where} must have an Email`);
  const fields = fieldsOf(value);
  return personAt(fields.get('email'), oneLine(text(fields, 'Name', where)), where);
}

function personAt(email: unknown, name: string, where: string): Person {
  const address = textOf(email, where).trim();
  if (!isAddress(address)) throw new BadLetterError(`${where} contains an invalid address`);
  return { address, name };
}

function attached(value: unknown): Attachment {
  if (!isObject(value)) throw new BadLetterError('Attachments must be a list of objects with a Content field');
  const fields = fieldsOf(value);
  const written = text(fields, 'Content', 'Attachments');
  // A browser's FileReader prepends the type: data:image/png;base64,…
  const content = bytesOfBase64(written.slice(written.lastIndexOf(',') + 1));
  if (content === null) throw new BadLetterError('Attachments contains a Content that is not base64');
  const line = (name: string) => oneLine(text(fields, name, 'Attachments'));
  return { content, filename: line('Filename'), contentType: line('ContentType'), cid: line('ContentID') };
}

function list(fields: Fields, name: string, most = Number.POSITIVE_INFINITY): readonly unknown[] {
  const value = fields.get(name.toLowerCase()) ?? [];
  if (Array.isArray(value) && value.length <= most) return value;
  throw new BadLetterError(`${name} must be a list${Number.isFinite(most) ? ` of at most ${most}` : ''}`);
}

function text(fields: Fields, name: string, where = name): string {
  return textOf(fields.get(name.toLowerCase()), where);
}

function textOf(value: unknown, where: string): string {
  const given = value ?? '';
  if (typeof given === 'string') return given;
  throw new BadLetterError(`${where} must be a string`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
