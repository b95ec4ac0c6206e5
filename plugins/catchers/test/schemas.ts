/**
 * What the answers of Mailpit and MailHog are made of, as those servers document it, and what of ours is not so.
 *
 * - Mailpit: the definitions of its OpenAPI document (`server/ui/api/v1/swagger.json` in axllent/mailpit, July 2026); and `count`, which
 *   that document has left out since 2023 and the server still sends.
 * - MailHog: the structures that it turns into JSON (`message.go` in mailhog/data, `api/v2.go` in mailhog/MailHog-Server). Its own
 *   OpenAPI document names fields that the server never sent.
 */

/** What a value has to be. `maybe` may be null, too. */
export type Shape =
  | 'text'
  | 'count'
  | 'boolean'
  | 'time'
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly maybe: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

const list = (shape: Shape): Shape => ({ list: shape });
const map = (shape: Shape): Shape => ({ map: shape });
const maybe = (shape: Shape): Shape => ({ maybe: shape });
const fields = (all: Readonly<Record<string, Shape>>): Shape => ({ fields: all });

/** What Mayfly adds to each message. */
const OURS = { OTP: maybe('text'), MagicLink: maybe('text') } as const;

const ADDRESS = fields({ Name: 'text', Address: 'text' });

const PEOPLE = {
  From: ADDRESS,
  To: list(ADDRESS),
  Cc: list(ADDRESS),
  Bcc: list(ADDRESS),
  ReplyTo: list(ADDRESS),
} as const;

const ATTACHMENT = fields({
  PartID: 'text',
  FileName: 'text',
  ContentType: 'text',
  ContentID: 'text',
  Size: 'count',
  Checksums: fields({ MD5: 'text', SHA1: 'text', SHA256: 'text' }),
});

const COMMON = {
  ID: 'text',
  MessageID: 'text',
  Subject: 'text',
  Tags: list('text'),
  Username: 'text',
  Size: 'count',
} as const;

/** By the names that Mailpit's document has for them. */
export const MAILPIT = {
  MessagesSummary: fields({
    total: 'count',
    unread: 'count',
    count: 'count',
    messages_count: 'count',
    messages_unread: 'count',
    start: 'count',
    tags: list('text'),
    messages: list(
      fields({
        ...COMMON,
        ...PEOPLE,
        Read: 'boolean',
        Created: 'time',
        Attachments: 'count',
        Snippet: 'text',
        ...OURS,
      }),
    ),
  }),
  Message: fields({
    ...COMMON,
    ...PEOPLE,
    // Of versions before: mailpit-api-client asks for it.
    Read: 'boolean',
    ReturnPath: 'text',
    Date: 'time',
    ListUnsubscribe: fields({ Header: 'text', Links: list('text'), Errors: 'text', HeaderPost: 'text' }),
    Text: 'text',
    HTML: 'text',
    Inline: list(ATTACHMENT),
    Attachments: list(ATTACHMENT),
    ...OURS,
  }),
  MessageHeaders: map(list('text')),
  AppInformation: fields({
    Version: 'text',
    LatestVersion: 'text',
    Database: 'text',
    DatabaseSize: 'count',
    Messages: 'count',
    Unread: 'count',
    Tags: map('count'),
    RuntimeStats: fields({
      Uptime: 'count',
      Memory: 'count',
      MessagesDeleted: 'count',
      SMTPAccepted: 'count',
      SMTPAcceptedSize: 'count',
      SMTPRejected: 'count',
      SMTPIgnored: 'count',
    }),
  }),
  Array: list('text'),
  SendMessageResponse: fields({ ID: 'text' }),
  /** With the sentence of our own errors beside it. */
  JSONErrorResponse: fields({ Error: 'text', error: 'text' }),
} as const;

const PATH = fields({ Relays: maybe(list('text')), Mailbox: 'text', Domain: 'text', Params: 'text' });

/** So deep stand multiparts in each other in what is compared. */
const DEPTH = 4;

function content(depth: number): Shape {
  const parts = depth === 0 ? 'text' : fields({ Parts: maybe(list(content(depth - 1))) });
  return fields({ Headers: map(list('text')), Body: 'text', Size: 'count', MIME: maybe(parts) });
}

const MESSAGE = fields({
  ID: 'text',
  From: PATH,
  To: list(PATH),
  Content: content(0),
  Created: 'time',
  MIME: maybe(fields({ Parts: maybe(list(content(DEPTH))) })),
  Raw: fields({ From: 'text', To: list('text'), Data: 'text', Helo: 'text' }),
});

/** By the names that MailHog's source has for them. */
export const MAILHOG = {
  messagesResult: fields({ total: 'count', count: 'count', start: 'count', items: list(MESSAGE) }),
  Messages: list(MESSAGE),
  Message: MESSAGE,
} as const;

/** RFC 3339 section 5.6. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

const IS: Readonly<Record<'text' | 'count' | 'boolean' | 'time', (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  boolean: (value) => typeof value === 'boolean',
  time: (value) => typeof value === 'string' && TIME.test(value),
};

/** Where a value is not what it has to be: what is of another kind, what is missing, and what nobody has documented. */
export function differences(value: unknown, shape: Shape, at = '$'): string[] {
  if (typeof shape === 'string') return IS[shape](value) ? [] : [`${at} is no ${shape}`];
  if ('maybe' in shape) return value === null ? [] : differences(value, shape.maybe, at);
  if ('list' in shape) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((item, i) => differences(item, shape.list, `${at}[${i}]`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no object`];
  if ('map' in shape)
    return Object.entries(value).flatMap(([name, item]) => differences(item, shape.map, `${at}.${name}`));
  const has = new Map(Object.entries(value));
  const known = Object.entries(shape.fields);
  return [
    ...known.flatMap(([name, item]) =>
      has.has(name) ? differences(has.get(name), item, `${at}.${name}`) : [`${at}.${name} is missing`],
    ),
    ...[...has.keys()]
      .filter((name) => !Object.hasOwn(shape.fields, name))
      .map((name) => `${at}.${name} is not documented`),
  ];
}
