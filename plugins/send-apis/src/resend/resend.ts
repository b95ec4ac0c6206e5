import type { App, Request } from 'mayfly-inbox/plugin';
import { json } from 'mayfly-plugins-shared/sending/answer';
import { type Around, type Desk, type Finding, idIn, type Provider } from 'mayfly-plugins-shared/sending/desk';
import { isObject } from 'mayfly-plugins-shared/sending/fields';
import { errorFor, isProblem, type Problem, type Rows, refuse } from 'mayfly-plugins-shared/sending/problem';
import type { FoundMail } from 'mayfly-plugins-shared/sending/sent-mail';
import { IdempotentRequests } from './idempotent.js';

/** Resend (resend.com/docs/api-reference). */
export const resend: Provider = {
  answer(problem) {
    const { status: statusCode, code: name, text: message } = errorFor(ROWS, problem, USUAL);
    return json(statusCode, { statusCode, name, message });
  },
  roots: ['/emails'],
  addRoutes(api, desk) {
    const requests = new IdempotentRequests(desk.host.clock);
    const once: Around = (request, body, take) => {
      const adHoc = request.caller.adHoc ?? '';
      const key = request.headers['idempotency-key']?.toString();
      return requests.take(key, request.routeOptions.url ?? '', body, take, adHoc);
    };
    const email = { path: '/emails', translator: 'resend email' } as const;
    desk.add(api, { ...email, accepted: (outcomes) => json(200, { id: idIn(outcomes) }) }, once);
    desk.add(
      api,
      {
        path: '/emails/batch',
        translator: 'resend batch',
        isPermissive,
        accepted(outcomes, request) {
          const data = outcomes.flatMap((mail) => (isProblem(mail) ? [] : { id: mail.id }));
          if (!isPermissive(request)) return json(200, { data });
          const errors = outcomes.flatMap((mail, index) =>
            isProblem(mail) ? { index, message: errorFor(ROWS, mail, USUAL).text } : [],
          );
          return json(200, { data, errors });
        },
      },
      once,
    );
    addSentRoutes(api, desk);
  },
};

const USUAL = [422, 'validation_error'] as const;

/** resend.com/docs/api-reference/errors */
const ROWS: Rows<string> = {
  malformed: [400, 'validation_error', 'The request body must be valid JSON.'],
  missing: [422, 'missing_required_field', ({ field }) => `Missing \`${field}\` field.`],
  invalid: [...USUAL, ({ field, detail }) => field && `The \`${field}\` field must be ${detail}.`],
  sender: [...USUAL, badAddress],
  recipient: [...USUAL, badAddress],
  'too-many-recipients': [...USUAL, ({ detail }) => `The email has more than ${detail} recipients.`],
  'too-many-mails': [...USUAL, ({ detail }) => `The batch must contain at most ${detail} emails.`],
  attachment: [422, 'invalid_attachment'],
  'not-served': [403, 'validation_error'],
  'too-large': [
    413,
    'validation_error',
    ({ detail = '' }) => `The email exceeds the maximum allowed size. ${detail}`.trim(),
  ],
  full: [429, 'daily_quota_exceeded'],
  rate: [
    429,
    'rate_limit_exceeded',
    'Too many requests. Please limit the number of requests per second. Or contact support to increase rate limit.',
  ],
  unavailable: [500, 'application_error', 'An unexpected error occurred. Please try again later.'],
  'media-type': [415, 'validation_error', 'The request must have the header "Content-Type: application/json".'],
  forbidden: [451, 'security_error'],
  'not-found': [404, 'not_found', ({ detail = 'The requested endpoint does not exist.' }) => detail],
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

function badAddress({ field }: Problem): string {
  return `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` or \`Name <email@example.com>\` format.`;
}

/** `/emails/{id}` and `/emails/{id}/cancel`. `PATCH` and cancel change nothing: scheduled messages are already sent. */
function addSentRoutes(api: App, desk: Desk): void {
  desk.addFinding(api, '/emails/:id', async (request, by) => {
    const { id } = request.params;
    const found = await desk.sent.find(request, id, messageIdOf(id), by);
    return json(200, found === null ? refuse('not-found', NO_EMAIL) : emailOf(id, found));
  });
  const known: Finding = async (request) => {
    const { id } = request.params;
    const found = await desk.sent.message(request, id, messageIdOf(id));
    return json(200, found === null ? refuse('not-found', NO_EMAIL) : { object: 'email', id });
  };
  desk.addFinding(api, '/emails/:id', known, 'PATCH');
  desk.addFinding(api, '/emails/:id/cancel', known, 'POST');
}

const messageIdOf = (id: string) => `<${id}@resend.dev>`;

const NO_EMAIL = { detail: 'Email not found', hint: 'No email has this id. It may have expired.' };

/** resend.com/docs/api-reference/emails/retrieve-email */
function emailOf(id: string, { head, receivedAt, contents }: FoundMail) {
  const asked = Array.isArray(contents.sendApi?.body) ? {} : contents.sendApi?.body;
  const { scheduled_at: scheduledAt = null, tags = [] } = isObject(asked) ? asked : {};
  const addresses = (people: FoundMail['head']['to']) => people.map(({ address }) => address);
  const orNull = (list: readonly string[]) => (list.length === 0 ? null : list);
  return {
    object: 'email',
    id,
    message_id: head.id,
    to: addresses(head.to),
    from: head.from.name === '' ? head.from.address : `${head.from.name} <${head.from.address}>`,
    created_at: new Date(receivedAt).toISOString(),
    subject: head.subject,
    html: contents.html,
    text: contents.text,
    bcc: orNull(addresses(head.bcc)),
    cc: orNull(addresses(head.cc)),
    reply_to: orNull(addresses(head.replyTo)),
    last_event: 'delivered',
    scheduled_at: scheduledAt,
    tags,
  };
}

function isPermissive(request: Request): boolean {
  return request.headers['x-batch-validation'] === 'permissive';
}
