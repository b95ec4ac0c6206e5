import { json } from 'mayfly-plugins-shared/sending/answer';
import { idIn, type Provider } from 'mayfly-plugins-shared/sending/desk';
import { inWords, isProblem, type ProblemKind, type Words } from 'mayfly-plugins-shared/sending/problem';

/** SendGrid's resources below /v3. Any other name there is a domain of Mailgun. */
const RESOURCES = [
  ...['mail', 'templates', 'api_keys', 'asm', 'categories', 'contactdb', 'ips', 'marketing', 'messages', 'scopes'],
  ...['senders', 'stats', 'subusers', 'suppression', 'tracking_settings', 'user', 'validations', 'verified_senders'],
];

/** SendGrid (twilio.com/docs/sendgrid/api-reference/mail-send). Errors: `{ errors: [{ message, field, help }] }`. */
export const sendgrid: Provider = {
  answer(problem) {
    const { kind, field = null } = problem;
    const place = field?.replace(/\.\d+/g, '');
    const help = place === undefined ? null : `${HELP}#message.${place}`;
    const message = inWords(WORDS[kind], problem) ?? 'Bad Request';
    return json(STATUS[kind] ?? 400, { errors: [{ message, field, help }] });
  },
  roots: ['/v3/:resource'],
  resources: RESOURCES,
  addRoutes(api, desk) {
    desk.add(api, {
      path: '/v3/mail/send',
      translator: 'sendgrid mail',
      accepted(outcomes) {
        const isSandbox = outcomes.slice(0, 1).some((mail) => !isProblem(mail) && mail.echo?.sandbox);
        return { status: isSandbox ? 200 : 202, headers: { 'x-message-id': idIn(outcomes) }, body: '' };
      },
    });
  },
};

/** twilio.com/docs/sendgrid/api-reference/mail-send/errors */
const STATUS: Readonly<Partial<Record<ProblemKind, number>>> = {
  ...{ full: 401, forbidden: 403, 'not-found': 404, method: 405, 'too-large': 413 },
  ...{ 'media-type': 415, rate: 429, internal: 500, unavailable: 503 },
};

const WORDS: Readonly<Partial<Record<ProblemKind, Words>>> = {
  malformed: 'Bad Request',
  missing: ({ field = '' }) =>
    MISSING.find(([pattern]) => pattern.test(field))?.[1] ?? `The ${field} parameter is required.`,
  invalid: ({ field, detail, address }) =>
    address === undefined
      ? field && `The ${field} parameter must be ${detail}.`
      : `Each email address in the personalization block should be unique between to, cc, and bcc. We found the first duplicate instance of [${address}] in the ${detail} field.`,
  'too-many-recipients': ({ detail }) => `There is a limit of ${detail} total recipients (to + cc + bcc) per request.`,
  'too-many-mails': ({ detail }) => `You may not include more than ${detail} personalizations per API request.`,
  sender: 'Does not contain a valid address.',
  recipient: 'Does not contain a valid address.',
  attachment: 'The attachment content must be base64 encoded.',
  'too-large': 'Payload too large',
  full: 'Maximum credits exceeded',
  rate: 'too many requests',
  unavailable: 'Service Unavailable',
  'media-type': 'Content-Type should be application/json.',
  forbidden: 'access forbidden',
  'not-found': 'Not Found',
  method: 'method not allowed',
  internal: 'internal server error',
};

const HELP = 'http://sendgrid.com/docs/API_Reference/Web_API_v3/Mail/errors.html';

/** SendGrid's sentences for missing fields, by the path of the field. */
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
