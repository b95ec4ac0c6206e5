import { type Answer, json } from '../answer.js';
import type { Problem, ProblemKind } from '../problem.js';

/** Status and name (resend.com/docs/api-reference/errors), and words where those do not depend on the problem. */
type Row = readonly [status: number, name: string, words?: string];

const ROWS: Readonly<Record<ProblemKind, Row>> = {
  malformed: [400, 'validation_error', 'The request body must be valid JSON.'],
  missing: [422, 'missing_required_field'],
  invalid: [422, 'validation_error'],
  sender: [422, 'validation_error'],
  recipient: [422, 'validation_error'],
  attachment: [422, 'invalid_attachment'],
  'not-served': [403, 'validation_error'],
  'too-many-recipients': [422, 'validation_error'],
  'too-many-mails': [422, 'validation_error'],
  'too-large': [413, 'validation_error'],
  full: [429, 'daily_quota_exceeded'],
  rate: [
    429,
    'rate_limit_exceeded',
    'Too many requests. Please limit the number of requests per second. Or contact support to increase rate limit.',
  ],
  unavailable: [500, 'application_error', 'An unexpected error occurred. Please try again later.'],
  'media-type': [415, 'validation_error', 'The request must have the header "Content-Type: application/json".'],
  forbidden: [451, 'security_error'],
  'not-found': [404, 'not_found', 'The requested endpoint does not exist.'],
  method: [405, 'method_not_allowed', 'Method is not allowed for the requested path.'],
  'bad-key': [400, 'invalid_idempotency_key', 'The idempotency key must be between 1 and 256 characters.'],
  'key-reused': [
    409,
    'invalid_idempotent_request',
    'This idempotency key has already been used on a request with a different payload.',
  ],
  'key-in-use': [
    409,
    'concurrent_idempotent_requests',
    'Another request with the same idempotency key is currently in progress. Please try again later.',
  ],
  internal: [500, 'internal_server_error', 'An unexpected error occurred. Please try again later.'],
};

const FORMAT = 'The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.';

/** An error of Resend: `{ statusCode, name, message }`. */
export function resendError(problem: Problem): Answer {
  const [statusCode, name] = ROWS[problem.kind];
  return json(statusCode, { statusCode, name, message: resendWords(problem) });
}

/** What is wrong, in Resend's words. */
export function resendWords({ kind, field, detail }: Problem): string {
  const [, , words] = ROWS[kind];
  if (kind === 'missing') return `Missing \`${field}\` field.`;
  if (kind === 'sender' || kind === 'recipient') return `Invalid \`${field}\` field. ${FORMAT}`;
  if (kind === 'too-many-recipients') return `The email has more than ${detail} recipients.`;
  if (kind === 'too-many-mails') return `The batch must contain at most ${detail} emails.`;
  if (kind === 'too-large') return `The email exceeds the maximum allowed size. ${detail ?? ''}`.trim();
  if (kind === 'invalid' && field !== undefined) return `The \`${field}\` field must be ${detail}.`;
  return (kind === 'not-found' ? detail : undefined) ?? words ?? detail ?? 'The request is invalid.';
}
