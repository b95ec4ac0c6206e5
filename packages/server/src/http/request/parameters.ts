import { MAX_INBOX_LENGTH, NAME_PATTERN } from 'mayfly-protocol/inbox-name';
import { httpErrors } from '../../errors.js';
import type { Selection } from '../../inbox/inboxes.js';
import type { Field, Fields } from './fields.js';

/** Longer than a `receivedAt` whose seconds have nine decimals. */
const MAX_TIME_LENGTH = 40;

export const RECEIVED_AT = {
  type: 'string',
  format: 'date-time',
  maxLength: MAX_TIME_LENGTH,
  // Refuses other time zones and leap seconds, which the format alone accepts.
  pattern: ':[0-5][0-9](?:\\.[0-9]{1,9})?Z$',
} as const;

/** An inbox in a path (D1, D64). `Access.inboxOf` checks the lengths, and the domain. */
export const INBOX_FIELDS = {
  name: {
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_INBOX_LENGTH,
      pattern: NAME_PATTERN.replace(/\$$/, '(?:@[^@\\s]+)?$'),
    },
    error: httpErrors.badInboxName,
  },
} as const;

export const EMAIL_FIELDS = {
  ...INBOX_FIELDS,
  receivedAt: {
    schema: RECEIVED_AT,
    error: httpErrors.badReceivedAt,
  },
} as const;

/** A part's path has one number for each multipart that contains the part; without a multipart, it is `1`. */
const MAX_PART_PATH_LENGTH = 512;

export const PART_FIELDS = {
  ...EMAIL_FIELDS,
  path: {
    schema: {
      type: 'string',
      maxLength: MAX_PART_PATH_LENGTH,
      pattern: '^[1-9][0-9]{0,3}(?:\\.[1-9][0-9]{0,3})*$',
    },
    error: httpErrors.badPartPath,
  },
} as const;

/** A segment that starts like a time. Any other segment below an inbox is an operation, such as `stream`. */
export const TIME_SEGMENT = /^\d.*$/;

export const EMAIL_PATH = `/api/inbox/:name/:receivedAt(${TIME_SEGMENT.source})`;

const FLAG: Field = { schema: { type: 'string', enum: ['true', 'false'] }, rule: 'use it once, with true or false' };

export const TEXT: Field = { schema: { type: 'string' }, rule: 'use a single text' };

export const TIME: Field = {
  schema: RECEIVED_AT,
  rule: "use it once, with an email's receivedAt, such as 2026-01-31T09:30:00.000Z",
};

/** Parameters that select emails (D9), an addition to the interface. */
export const SELECTION = {
  after: TIME,
  from: TEXT,
  subject: TEXT,
  body: TEXT,
  hasOtp: FLAG,
  hasMagicLink: FLAG,
} satisfies Fields;

/** The values of these parameters in a query. */
export type QueryOf<Known> = Partial<Readonly<Record<keyof Known, string>>>;

export const PAGED_ELSEWHERE =
  'it is not for this request; to page through an inbox or to search, use GET /api/inbox/NAME/summary or GET /api/emails';

/** The client's label. No value is refused (D11). */
export const SOURCE: Field = { schema: { default: 'browser', examples: ['browser', 'sdk'] } };

export function selectionOf(query: QueryOf<typeof SELECTION>): Selection {
  const { after, from, subject, body, hasOtp, hasMagicLink } = query;
  return { after: timeOf(after), from, subject, body, hasOtp: flagOf(hasOtp), hasMagicLink: flagOf(hasMagicLink) };
}

export function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

function flagOf(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text === 'true';
}
