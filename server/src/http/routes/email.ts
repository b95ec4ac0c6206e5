import { httpErrors } from '../../errors.js';
import type { Inboxes } from '../../inbox/inboxes.js';
import type { Json } from '../../inbox/read.js';
import { withAnswer } from '../../soon.js';
import type { Access } from '../access.js';
import { sendJson } from '../answer-body.js';
import { reading } from '../fields.js';
import { type App, addBodilessRoutes } from '../framework.js';
import { EMAIL_ERRORS, type EmailParameters, emailOf } from '../one-email.js';
import { EMAIL_FIELDS, EMAIL_PATH, KEY_OF_OWNER } from '../path-fields.js';
import { RequestError } from '../request-error.js';
import { EMAIL_EXAMPLE, errorAnswers, jsonAnswer } from '../schemas.js';

const INPUT = reading({ path: EMAIL_FIELDS });

/** `GET` and `DELETE /api/inbox/{name}/{receivedAt}`: one email. */
export function addEmailRoutes(app: App, inboxes: Inboxes, access: Access): void {
  app.get<{ Params: EmailParameters }>(
    EMAIL_PATH,
    {
      ...INPUT,
      config: { limit: 'look' },
      schema: {
        ...INPUT.schema,
        operationId: 'getEmail',
        summary: 'Returns one email of the inbox.',
        security: KEY_OF_OWNER,
        response: {
          200: jsonAnswer('The email.', { $ref: 'Email#' }, EMAIL_EXAMPLE),
          ...errorAnswers(...EMAIL_ERRORS, httpErrors.tooManyAnswers),
        },
      },
    },
    (request, reply) => {
      const { inbox, receivedAt } = emailOf(request.params);
      access.checkOwner(request, inbox);
      const readEmail = () =>
        withAnswer(inboxes.readOne(inbox, receivedAt), (json): Json => {
          if (json === null) throw new RequestError(httpErrors.noSuchEmail);
          access.foundMail(request, inbox);
          return json;
        });
      return sendJson(reply, readEmail);
    },
  );
  addBodilessRoutes(app, (bodiless) =>
    bodiless.delete<{ Params: EmailParameters }>(
      EMAIL_PATH,
      {
        ...INPUT,
        config: { limit: 'look' },
        schema: {
          ...INPUT.schema,
          operationId: 'deleteEmail',
          summary: 'Deletes one email of the inbox. The others stay.',
          security: KEY_OF_OWNER,
          response: {
            204: { description: 'It is gone.', type: 'null' },
            ...errorAnswers(...EMAIL_ERRORS),
          },
        },
      },
      async (request, reply) => {
        const { inbox, receivedAt } = emailOf(request.params);
        access.checkOwner(request, inbox);
        if (!(await inboxes.clearOne(inbox, receivedAt))) throw new RequestError(httpErrors.noSuchEmail);
        return reply.code(204).send();
      },
    ),
  );
}
