import type { Email, ErrorResponse, ExplainedReason } from 'mayfly-protocol';
import { type HttpError, httpErrors } from '../../errors.js';

/** A JSON schema with the exact fields of a wire type. */
export interface ObjectSchema<T> {
  readonly type: 'object' | readonly ['object', 'null'];
  readonly description?: string;
  readonly examples?: readonly T[];
  readonly properties: { readonly [K in keyof T]-?: object };
  readonly required: readonly (keyof T & string)[];
}

export function objectSchema<T>(
  properties: ObjectSchema<T>['properties'],
  more: Partial<Pick<ObjectSchema<T>, 'type' | 'description' | 'examples'>> = {},
): ObjectSchema<T> {
  return { type: 'object', ...more, properties, required: Object.keys(properties) as (keyof T & string)[] };
}

/** Interface section 2.1. */
export const EMAIL = objectSchema<Email>(
  {
    id: { type: 'string', description: 'Message-ID header value, angle brackets included.' },
    from: {
      type: 'string',
      description: 'Address of the From header, or else of the envelope; empty when neither has one.',
    },
    to: { type: 'string', description: 'Recipient email address, in lower case.' },
    subject: { type: 'string', description: 'Decoded subject line; empty when there is none.' },
    body: { type: 'string', description: 'Readable text, limited to the first 5,000 characters.' },
    rawBody: { type: 'string', description: 'Full raw MIME message.' },
    receivedAt: {
      type: 'string',
      format: 'date-time',
      description: 'When the whole email had arrived, in UTC with milliseconds. Strictly increases within an inbox.',
    },
    otp: { type: ['string', 'null'], pattern: '^[0-9]{4,8}$', description: 'One-time code, or null.' },
    magicLink: { type: ['string', 'null'], description: 'Verification or reset link, or null.' },
  },
  { description: 'One email of an inbox.' },
);

export const REASON = objectSchema<ExplainedReason>({
  rule: { type: 'string', description: "The rule's name, which stays the same when its points or its text change." },
  points: { type: 'number' },
  text: { type: 'string' },
});

/** Interface section 2.3. */
const ERROR_RESPONSE = objectSchema<ErrorResponse>({
  error: { type: 'string', description: 'A sentence that says what was wrong.' },
});

/** The email that its `rawBody` gives. */
export const EMAIL_EXAMPLE: Email = {
  id: '<7d5c0f1e@app.test>',
  from: 'hello@app.test',
  to: 'demo@inbox.example.com',
  subject: 'Your code',
  body: 'Your code is 482913.',
  rawBody:
    'Message-ID: <7d5c0f1e@app.test>\r\nFrom: hello@app.test\r\nSubject: Your code\r\n\r\nYour code is 482913.\r\n',
  receivedAt: '2026-01-31T09:30:00.000Z',
  otp: '482913',
  magicLink: null,
};

export function jsonAnswer(description: string, schema: object, example?: object): object {
  return { description, content: { 'application/json': { schema, ...(example && { example }) } } };
}

/** Any request may carry a wrong key. */
const OF_ANY_REQUEST = [httpErrors.unknownKey, httpErrors.tooManyWrongKeys, httpErrors.tooManyRequests];

/** On every 429 and some 503. */
const RETRY_AFTER = {
  'Retry-After': { type: 'integer', minimum: 1, description: 'After how many seconds to try again.' },
} as const;

export function errorAnswers(...errors: readonly HttpError[]): Record<number, object> {
  const all = [...new Set([...errors, ...OF_ANY_REQUEST])];
  const statuses = [...new Set(all.map(({ status }) => status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = all.filter((error) => error.status === status);
      const code = {
        type: 'string',
        enum: [...new Set(ofStatus.map((error) => error.code))],
        description: 'What the error is called. It stays the same when the sentence changes.',
      };
      const answer = {
        ...jsonAnswer(ofStatus.map(({ text }) => text).join('\n'), { $ref: 'ErrorResponse#' }),
        headers: { 'Mayfly-Error': code, ...(status === 429 && RETRY_AFTER) },
      };
      return [status, answer];
    }),
  );
}

export const SHARED_SCHEMAS = [
  { $id: 'Email', ...EMAIL },
  { $id: 'ErrorResponse', ...ERROR_RESPONSE },
] as const;
