import type { Inboxes } from '../../inbox/inboxes.js';
import type { Access } from '../access/access.js';
import { textBody } from '../answer/answer-body.js';
import { JSON_TYPE } from '../answer/request-error.js';
import { errorAnswers, jsonAnswer } from '../answer/schemas.js';
import type { App } from '../framework.js';
import { reading } from '../request/fields.js';
import { type EmailParameters, INSPECTION_ERRORS, inspection } from '../request/one-email.js';
import { EMAIL_FIELDS, KEY_OF_OWNER } from '../request/path-fields.js';
import { PARTS_EXAMPLE, PARTS_SCHEMAS } from './parts-schemas.js';

const INPUT = reading({ path: EMAIL_FIELDS });

/** `GET /api/inbox/{name}/{receivedAt}/parts`: what the message holds. */
export function addPartsRoute(app: App, inboxes: Inboxes, access: Access): void {
  for (const schema of PARTS_SCHEMAS) app.addSchema(schema);
  app.get<{ Params: EmailParameters }>(
    '/api/inbox/:name/:receivedAt/parts',
    {
      ...INPUT,
      config: { limit: 'look' },
      schema: {
        ...INPUT.schema,
        operationId: 'listParts',
        summary:
          'Returns the contents of an email: decoded headers, parts, text, HTML, links, and codes, including those with letters.',
        security: KEY_OF_OWNER,
        response: {
          200: jsonAnswer('What the message holds.', { $ref: 'EmailParts#' }, PARTS_EXAMPLE),
          ...errorAnswers(...INSPECTION_ERRORS),
        },
      },
    },
    async (request, reply) => {
      reply.type(JSON_TYPE);
      return textBody(reply, await inspection(request, reply, inboxes, access, 'contents'));
    },
  );
}
