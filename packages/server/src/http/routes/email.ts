import { httpErrors } from '../../errors.js';
import type { Inboxes } from '../../inbox/inboxes.js';
import type { Access } from '../access/access.js';
import { messageIfThere, sendJson } from '../answer/answers.js';
import { RequestError } from '../answer/request-error.js';
import { EMAIL_EXAMPLE, errorAnswers, jsonAnswer } from '../answer/schemas.js';
import type { App } from '../framework.js';
import { addBodilessRoutes } from '../request/bodies.js';
import { reading } from '../request/fields.js';
import { EMAIL_ERRORS, type EmailParameters, emailOf } from '../request/one-email.js';
import { EMAIL_FIELDS, EMAIL_PATH, KEY_OF_OWNER } from '../request/parameters.js';

const INPUT = reading({ path: EMAIL_FIELDS });

export function addEmailRoutes(app: App, inboxes: Inboxes, access: Access): void {
  app.get<{ Params: EmailParameters }>(
    EMAIL_PATH,
    INPUT.options('look', {
      operationId: 'getEmail',
      summary: 'Returns one email of the inbox.',
      security: KEY_OF_OWNER,
      response: {
        200: jsonAnswer('The email.', { $ref: 'Email#' }, EMAIL_EXAMPLE),
        ...errorAnswers(...EMAIL_ERRORS, httpErrors.tooManyAnswers),
      },
    }),
    async (request, reply) => {
      const { inbox, receivedAt } = emailOf(request, access);
      return sendJson(reply, async () => {
        const json = await inboxes.readOne(inbox, receivedAt, access.takerOf(request, 'fetch'));
        if (json === null) throw new RequestError(httpErrors.noSuchEmail);
        access.foundMail(request, inbox);
        return json;
      });
    },
  );
  addBodilessRoutes(app, (bodiless) =>
    bodiless.delete<{ Params: EmailParameters }>(
      EMAIL_PATH,
      INPUT.options('look', {
        operationId: 'deleteEmail',
        summary: 'Deletes one email of the inbox.',
        security: KEY_OF_OWNER,
        response: {
          204: { description: 'The email is deleted.', type: 'null' },
          ...errorAnswers(...EMAIL_ERRORS, httpErrors.bodyTooLarge),
        },
      }),
      async (request, reply) => {
        const { inbox, receivedAt } = emailOf(request, access);
        if (!(await inboxes.clear(inbox, receivedAt))) throw new RequestError(httpErrors.noSuchEmail);
        return reply.code(204).send();
      },
    ),
  );
}

export function addMessageRoute(app: App, inboxes: Inboxes, access: Access): void {
  app.get<{ Params: EmailParameters }>(
    '/api/inbox/:name/:receivedAt/raw',
    INPUT.options('look', {
      operationId: 'getMessage',
      summary: 'Returns the whole message of an email, byte for byte as received, as a file.',
      security: KEY_OF_OWNER,
      response: {
        200: {
          description: 'The message.',
          content: { 'message/rfc822': { schema: { type: 'string' }, example: EMAIL_EXAMPLE.rawBody } },
        },
        ...errorAnswers(...EMAIL_ERRORS, httpErrors.tooManyAnswers),
      },
    }),
    async (request, reply) => {
      const { inbox, receivedAt } = emailOf(request, access);
      const message = await messageIfThere(reply, () => inboxes.messages.whole(inbox, receivedAt));
      if (message === null) throw new RequestError(httpErrors.noSuchEmail);
      access.foundMail(request, inbox);
      const file = `${inbox}-${new Date(receivedAt).toISOString()}.eml`.replaceAll(':', '-');
      reply.headers({ 'content-type': 'message/rfc822', 'content-disposition': `attachment; filename="${file}"` });
      return message;
    },
  );
}
