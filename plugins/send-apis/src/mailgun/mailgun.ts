import { json } from '../answer.js';
import { isRefused, type Outcome } from '../delivery.js';
import { JSON_OBJECT, type Problem, type ProblemKind } from '../problem.js';
import type { Provider } from '../provider.js';
import { addStoredMessages } from './stored-messages.js';

const SHARED = {
  provider: 'mailgun',
  mediaTypes: ['multipart/form-data', 'application/x-www-form-urlencoded'],
} as const;

/** Mailgun (documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages). */
export const mailgun: Provider = {
  title: 'Mailgun',
  answer(problem) {
    return json(STATUS[problem.kind], { message: words(problem) });
  },
  roots: ['/v3/:domain'],
  resources: null,
  addRoutes(api, desk) {
    const accepted = ([mail]: readonly Outcome[]) =>
      json(200, { id: mail && !isRefused(mail) ? mail.id : '', message: 'Queued. Thank you.' });
    desk.add(api, { ...SHARED, path: '/v3/:domain/messages', translator: 'mailgun message', accepted });
    desk.add(api, { ...SHARED, path: '/v3/:domain/messages.mime', translator: 'mailgun mime', accepted });
    addStoredMessages(api, desk);
  },
};

/**
 * documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages and help.mailgun.com, "Error Codes
 * Library"; that of a recipient who is not authorized as it is observed.
 */
const STATUS: Readonly<Record<ProblemKind, number>> = {
  malformed: 400,
  missing: 400,
  invalid: 400,
  sender: 400,
  recipient: 400,
  attachment: 400,
  'not-served': 403,
  'too-many-recipients': 400,
  'too-many-mails': 400,
  'too-large': 413,
  full: 429,
  rate: 429,
  unavailable: 503,
  'media-type': 400,
  forbidden: 403,
  'not-found': 404,
  method: 405,
  'bad-key': 400,
  'key-reused': 400,
  'key-in-use': 400,
  internal: 500,
};

function words({ kind, field, detail, address }: Problem): string {
  switch (kind) {
    case 'missing':
      return field === 'text'
        ? "Need at least one of 'text', 'html', 'amp-html' or 'template' parameters specified"
        : `${field} parameter is missing`;
    case 'sender':
    case 'recipient':
      return `'${field}' parameter is not a valid address. please check documentation`;
    case 'not-served':
      return `The recipient ${address} is not allowed: Free accounts are for test purposes only. Please upgrade or add the address to authorized recipients in Account Settings. (${detail})`;
    case 'too-many-recipients':
    case 'too-many-mails':
      return `Too many recipients; max is ${detail}`;
    case 'too-large':
      return `request size exceeds limit: the message is too large. (${detail})`;
    case 'full':
      return `The domain is not allowed to send: recipient limit exceeded. (${detail})`;
    case 'rate':
      return 'Too Many Requests';
    case 'forbidden':
      return 'Forbidden';
    case 'not-found':
      return detail ?? 'Not Found';
    case 'method':
      return 'Method Not Allowed';
    case 'unavailable':
      return 'Service Unavailable';
    case 'internal':
      return 'Internal Server Error';
    case 'media-type':
      return "Invalid request content type. Expecting 'multipart/form-data'";
    case 'invalid':
      if (detail === JSON_OBJECT) return `'${field}' parameter is not a valid JSON`;
      return field === undefined ? (detail ?? '') : `${field} parameter must be ${detail}`;
    default:
      return detail ?? 'Bad Request';
  }
}
