import { type Answer, json } from '../answer.js';
import type { Problem, ProblemKind } from '../problem.js';

/**
 * Status, and words where they do not depend on the field
 * (twilio.com/docs/sendgrid/api-reference/mail-send/errors).
 */
type Row = readonly [status: number, words?: string];

const ROWS: Readonly<Record<ProblemKind, Row>> = {
  malformed: [400, 'Bad Request'],
  missing: [400],
  invalid: [400],
  sender: [400, 'Does not contain a valid address.'],
  recipient: [400, 'Does not contain a valid address.'],
  attachment: [400, 'The attachment content must be base64 encoded.'],
  'not-served': [400],
  'too-many-recipients': [400],
  'too-many-mails': [400],
  'too-large': [413, 'Payload too large'],
  full: [401, 'Maximum credits exceeded'],
  rate: [429, 'too many requests'],
  unavailable: [503, 'Service Unavailable'],
  'media-type': [415, 'Content-Type should be application/json.'],
  forbidden: [403, 'access forbidden'],
  'not-found': [404, 'Not Found'],
  method: [405, 'method not allowed'],
  'bad-key': [400],
  'key-reused': [400],
  'key-in-use': [400],
  internal: [500, 'internal server error'],
};

const HELP = 'http://sendgrid.com/docs/API_Reference/Web_API_v3/Mail/errors.html';

/** What is missing, by the end of its field. */
const MISSING: readonly (readonly [RegExp, string])[] = [
  [/^personalizations$/, 'You must have at least one personalization.'],
  [
    /^from\.email$/,
    'The from object must be provided for every email send. It is an object that requires the email parameter, but may also contain a name parameter.',
  ],
  [
    /\.to$/,
    'The to array is required for all personalization objects, and must have at least one email object with a valid email address.',
  ],
  [
    /^subject$/,
    'The subject is required. You can get around this requirement if you use a template with a subject defined or if every personalization has a subject defined.',
  ],
  [
    /^content$/,
    'Unless a valid template_id is provided, the content parameter is required. There must be at least one defined content block.',
  ],
  [/^content\.\d+\.value$/, 'The content value must be a string at least one character in length.'],
];

/** An error of SendGrid: `{ errors: [{ message, field, help }] }`. */
export function sendgridError(problem: Problem): Answer {
  const { kind, field = null } = problem;
  const place = field?.replace(/\.\d+/g, '');
  const help = place === undefined ? null : `${HELP}#message.${place}`;
  return json(ROWS[kind][0], { errors: [{ message: words(problem), field, help }] });
}

function words({ kind, field = '', detail, address }: Problem): string {
  const [, fixed] = ROWS[kind];
  if (kind === 'missing')
    return MISSING.find(([pattern]) => pattern.test(field))?.[1] ?? `The ${field} parameter is required.`;
  if (kind === 'too-many-recipients') {
    return `There is a limit of ${detail} total recipients (to + cc + bcc) per request.`;
  }
  if (kind === 'too-many-mails') {
    return `You may not include more than ${detail} personalizations per API request.`;
  }
  if (kind === 'invalid' && address !== undefined) {
    return `Each email address in the personalization block should be unique between to, cc, and bcc. We found the first duplicate instance of [${address}] in the ${detail} field.`;
  }
  if (kind === 'invalid' && field !== '') return `The ${field} parameter must be ${detail}.`;
  return fixed ?? detail ?? 'Bad Request';
}
