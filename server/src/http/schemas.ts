import type { Email, ErrorResponse, InboxResponse, WaitlistRequest, WaitlistResponse } from 'mayfly-client';
import { MAX_NAME_LENGTH, NAME_PATTERN } from 'mayfly-client/inbox-name';

/** A JSON schema with one property for each field of a wire type, so that neither can have a field that the other lacks. */
interface ObjectSchema<T> {
  readonly type: 'object';
  readonly description?: string;
  readonly properties: { readonly [K in keyof T]-?: object };
  readonly required: readonly (keyof T & string)[];
}

const email: ObjectSchema<Email> = {
  type: 'object',
  description: 'One email of an inbox.',
  properties: {
    id: { type: 'string', description: 'Message-ID header value, angle brackets included.' },
    from: { type: 'string', description: 'Sender email address; empty for the null sender.' },
    to: { type: 'string', description: 'Recipient email address, in lower case.' },
    subject: { type: 'string', description: 'Decoded subject line; empty when there is none.' },
    body: { type: 'string', description: 'Readable text, limited to the first 5,000 characters.' },
    rawBody: { type: 'string', description: 'Full raw MIME message.' },
    receivedAt: {
      type: 'string',
      format: 'date-time',
      description: 'When the email had arrived, UTC with milliseconds. Strictly increases within an inbox.',
    },
    otp: { type: ['string', 'null'], pattern: '^[0-9]{4,8}$', description: 'One-time code, or null.' },
    magicLink: { type: ['string', 'null'], description: 'Verification or reset link, or null.' },
  },
  required: ['id', 'from', 'to', 'subject', 'body', 'rawBody', 'receivedAt', 'otp', 'magicLink'],
};

const inboxResponse: ObjectSchema<InboxResponse> = {
  type: 'object',
  properties: {
    emails: { type: 'array', items: { $ref: 'Email#' }, description: 'Most recent first.' },
    count: { type: 'integer', minimum: 0, description: 'How many emails there are.' },
  },
  required: ['emails', 'count'],
};

const errorResponse: ObjectSchema<ErrorResponse> = {
  type: 'object',
  properties: { error: { type: 'string', description: 'A sentence that says what was wrong.' } },
  required: ['error'],
};

const waitlistRequest: ObjectSchema<WaitlistRequest> = {
  type: 'object',
  properties: { email: { type: 'string', format: 'email', maxLength: 254 } },
  required: ['email'],
};

const waitlistResponse: ObjectSchema<WaitlistResponse> = {
  type: 'object',
  properties: { success: { type: 'boolean', description: 'true when the address is on the waitlist.' } },
  required: ['success'],
};

/** The shapes of the interface by the name that other schemas refer to them with. */
export const SHARED_SCHEMAS = [
  { $id: 'Email', ...email },
  { $id: 'InboxResponse', ...inboxResponse },
  { $id: 'ErrorResponse', ...errorResponse },
  { $id: 'WaitlistRequest', ...waitlistRequest },
  { $id: 'WaitlistResponse', ...waitlistResponse },
] as const;

/** The path parameter of an inbox (design D1). */
export const INBOX_PARAMETERS = {
  type: 'object',
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      pattern: NAME_PATTERN,
      description: 'Inbox name without the domain. Upper and lower case are the same.',
    },
  },
  required: ['name'],
} as const;

/** When an email was received, as `receivedAt` has it. */
const receivedAt = {
  type: 'string',
  format: 'date-time',
  // The format takes other time zones and leap seconds too, which no receivedAt has.
  pattern: ':[0-5][0-9](?:\\.[0-9]{1,9})?Z$',
} as const;

/** The path parameters of one email. */
export const EMAIL_PARAMETERS = {
  type: 'object',
  properties: {
    ...INBOX_PARAMETERS.properties,
    receivedAt: { ...receivedAt, description: "The email's receivedAt." },
  },
  required: ['name', 'receivedAt'],
} as const;

const flag = { type: 'string', enum: ['true', 'false'] } as const;
const textPart = { type: 'string' } as const;

/** Which emails of an inbox are wanted (design D9): query parameters beyond the interface. */
export const SELECTION_PARAMETERS = {
  after: { ...receivedAt, description: "Only emails with a later receivedAt. The value is an email's receivedAt." },
  from: { ...textPart, description: 'Only emails whose sender contains this, whatever the case.' },
  subject: { ...textPart, description: 'Only emails whose subject contains this, whatever the case.' },
  body: { ...textPart, description: 'Only emails whose body contains this, whatever the case.' },
  hasOtp: { ...flag, description: 'Only emails with (true) or without (false) a one-time code.' },
  hasMagicLink: { ...flag, description: 'Only emails with (true) or without (false) a magic link.' },
} as const;

/** How an email is shown: query parameters of its preview. */
export const PREVIEW_PARAMETERS = {
  images: {
    type: 'string',
    enum: ['remote'],
    description: 'Loads images from where the mail says, so that their owner can tell when and where it was read.',
  },
} as const;

/** The form that asks for a preview where no header can carry the key. */
export const PREVIEW_FORM = {
  type: 'object',
  properties: { key: { type: 'string', description: 'API key of the workspace that owns the inbox.' } },
} as const;

const candidates = (what: string) => ({
  type: 'array',
  description: `${what} that were considered, the best first; 20 at most.`,
  items: {
    type: 'object',
    properties: {
      value: { type: 'string' },
      verdict: { type: 'string', enum: ['chosen', 'another has more points', 'too few points', 'excluded'] },
      score: { type: 'number', description: "Sum of the reasons' points." },
      reasons: {
        type: 'array',
        items: {
          type: 'object',
          properties: { points: { type: 'number' }, text: { type: 'string' } },
          required: ['points', 'text'],
        },
      },
      where: { type: 'string', description: "The part of the message in which it stands, or the link's text." },
    },
    required: ['value', 'verdict', 'score', 'reasons', 'where'],
  },
});

/** How extraction came to its result. */
export const EXPLANATION = {
  type: 'object',
  properties: {
    otp: email.properties.otp,
    magicLink: email.properties.magicLink,
    otpThreshold: { type: 'number', description: 'The points that a code needs.' },
    otpCandidates: candidates('Numbers'),
    magicLinkThreshold: { type: 'number', description: 'The points that a link needs.' },
    magicLinkCandidates: candidates('Links'),
  },
  required: ['otp', 'magicLink', 'otpThreshold', 'otpCandidates', 'magicLinkThreshold', 'magicLinkCandidates'],
} as const;

/** The rule that a query parameter broke, as it ends the sentence of the error. */
export const QUERY_RULES: Readonly<
  Record<keyof typeof SELECTION_PARAMETERS | keyof typeof PREVIEW_PARAMETERS, string>
> = {
  images: 'leave it out, or give remote, once',
  after: "give an email's receivedAt once, such as 2026-01-31T09:30:00.000Z",
  from: 'give a text, once',
  subject: 'give a text, once',
  body: 'give a text, once',
  hasOtp: 'give true or false, once',
  hasMagicLink: 'give true or false, once',
};

/** An error answer of the API document. */
export function errorAnswer(description: string, headers: Readonly<Record<string, object>> = {}): object {
  return { description, headers, content: { 'application/json': { schema: { $ref: 'ErrorResponse#' } } } };
}

/** A key is asked for only where a workspace owns the inbox. */
export const KEY_OF_OWNER = [{}, { workspaceKey: [] }];

/** The 401 of every operation on an inbox. */
export const NOT_THE_OWNER = errorAnswer(
  'The API key is not known, or the inbox belongs to a workspace whose key is missing.',
);

/** The header that every 429 carries. */
export const RETRY_AFTER = {
  'Retry-After': { description: 'After how many seconds to try again.', schema: { type: 'integer', minimum: 1 } },
} as const;
