import { httpErrors } from '../../errors.js';
import { EmailGoneError, type Inboxes } from '../../inbox/inboxes.js';
import type { Inspection } from '../../inbox/threads/inspect.js';
import { InspectorBusyError } from '../../inbox/threads/inspector.js';
import type { Access } from '../access.js';
import { wholeOrStream } from '../answer-body.js';
import type { App, Request } from '../framework.js';
import { RequestError, retryAfter } from '../request-error.js';
import { EMAIL_PARAMETERS, EXPLANATION, errorAnswer, KEY_OF_OWNER, NOT_THE_OWNER, RETRY_AFTER } from '../schemas.js';

/** One email by its inbox and its `receivedAt`, as the schema lets them through. */
export interface EmailParameters {
  readonly name: string;
  readonly receivedAt: string;
}

/** After how long somebody may try again who found too many messages being read. */
const BUSY_RETRY_MS = 1_000;

/** The errors of every operation on one email. */
const EMAIL_ERRORS = {
  400: errorAnswer('The inbox name, the receivedAt or a query parameter is not valid.'),
  401: NOT_THE_OWNER,
  404: errorAnswer('The inbox has no email with this receivedAt, or it has expired.'),
  429: errorAnswer('Rate limit exceeded.', RETRY_AFTER),
};

/** The same of those that read the message again. */
export const INSPECTION_ERRORS = {
  ...EMAIL_ERRORS,
  503: errorAnswer('Too many messages are being read.', RETRY_AFTER),
};

/** `GET /api/inbox/{name}/{receivedAt}/raw`: the message, to be saved as a file. */
export function addMessageRoute(app: App, inboxes: Inboxes, access: Access): void {
  app.get<{ Params: EmailParameters }>(
    '/api/inbox/:name/:receivedAt/raw',
    {
      config: { limit: 'fetch' },
      schema: {
        operationId: 'getMessage',
        summary: 'The whole message of an email, byte for byte as it came, as a file.',
        security: KEY_OF_OWNER,
        params: EMAIL_PARAMETERS,
        response: {
          200: { description: 'The message.', content: { 'message/rfc822': { schema: { type: 'string' } } } },
          ...EMAIL_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const { inbox, receivedAt } = emailOf(request.params);
      access.checkOwner(request, inbox);
      const message = await inboxes.message(inbox, receivedAt);
      if (message === null) throw new RequestError(httpErrors.noSuchEmail);
      const file = `${inbox}-${new Date(receivedAt).toISOString().replaceAll(':', '-')}.eml`;
      reply.headers({ 'content-type': 'message/rfc822', 'content-disposition': `attachment; filename="${file}"` });
      return wholeOrStream(message).catch((error) => {
        throw error instanceof EmailGoneError ? new RequestError(httpErrors.noSuchEmail) : error;
      });
    },
  );
}

/** `GET /api/inbox/{name}/{receivedAt}/explain`: how extraction came to the code and the link. */
export function addExplanationRoute(app: App, inboxes: Inboxes, access: Access): void {
  app.get<{ Params: EmailParameters }>(
    '/api/inbox/:name/:receivedAt/explain',
    {
      config: { limit: 'fetch' },
      schema: {
        operationId: 'explainEmail',
        summary: 'Why an email has the code and the link that it has, or has none.',
        security: KEY_OF_OWNER,
        params: EMAIL_PARAMETERS,
        response: {
          200: {
            description: 'What extraction chooses, and what it considered, the best first.',
            content: { 'application/json': { schema: EXPLANATION } },
          },
          ...INSPECTION_ERRORS,
        },
      },
    },
    async (request, reply) => {
      reply.type('application/json; charset=utf-8');
      return inspection(request, inboxes, access, 'explanation');
    },
  );
}

/** What an inspection of the email that a request names finds. Throws 401, 404 and 503. */
export async function inspection(
  request: Request<EmailParameters>,
  inboxes: Inboxes,
  access: Access,
  kind: Inspection,
): Promise<Buffer> {
  const { inbox, receivedAt } = emailOf(request.params);
  access.checkOwner(request, inbox);
  try {
    const text = await inboxes.inspect(inbox, receivedAt, kind);
    if (text !== null) return Buffer.from(text);
  } catch (error) {
    if (!(error instanceof InspectorBusyError)) throw error;
    throw new RequestError(httpErrors.tooManyInspections, {}, retryAfter(BUSY_RETRY_MS));
  }
  throw new RequestError(httpErrors.noSuchEmail);
}

function emailOf({ name, receivedAt }: EmailParameters): { readonly inbox: string; readonly receivedAt: number } {
  return { inbox: name.toLowerCase(), receivedAt: Date.parse(receivedAt) };
}
