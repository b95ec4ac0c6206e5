import type { Inboxes } from '../../inbox/inboxes.js';
import type { Access } from '../access.js';
import { wholeOrStream } from '../answer-body.js';
import type { App } from '../framework.js';
import {
  errorAnswer,
  INBOX_PARAMETERS,
  KEY_OF_OWNER,
  NOT_THE_OWNER,
  RETRY_AFTER,
  SELECTION_PARAMETERS,
} from '../schemas.js';
import { type SelectionQuery, selectionOf } from '../selection.js';

interface FetchRoute {
  Params: { name: string };
  Querystring: SelectionQuery & { source?: unknown };
}

/** `GET /api/inbox/{name}` (spec.md section 4.1). */
export function addInboxRoute(app: App, inboxes: Inboxes, access: Access): void {
  app.get<FetchRoute>(
    '/api/inbox/:name',
    {
      config: { limit: 'fetch' },
      schema: {
        operationId: 'getInbox',
        summary: 'Returns all emails currently stored for the inbox.',
        security: KEY_OF_OWNER,
        params: INBOX_PARAMETERS,
        querystring: {
          type: 'object',
          additionalProperties: false,
          properties: {
            source: {
              default: 'browser',
              examples: ['browser', 'sdk'],
              description:
                'Identifies the client: browser, or sdk for programmatic access. No value changes the answer.',
            },
            ...SELECTION_PARAMETERS,
          },
        },
        response: {
          200: {
            description: 'The emails, most recent first; none when the inbox is empty or its emails have expired.',
            content: { 'application/json': { schema: { $ref: 'InboxResponse#' } } },
          },
          400: errorAnswer('The inbox name or a query parameter is not valid.'),
          401: NOT_THE_OWNER,
          429: errorAnswer('Rate limit exceeded.', RETRY_AFTER),
        },
      },
    },
    async (request, reply) => {
      const inbox = request.params.name.toLowerCase();
      access.checkOwner(request, inbox);
      const json = await inboxes.read(inbox, selectionOf(request.query));
      reply.type('application/json; charset=utf-8');
      return wholeOrStream(json);
    },
  );
}

/** `DELETE /api/inbox/{name}`: empties the inbox. */
export function addClearRoute(app: App, inboxes: Inboxes, access: Access): void {
  app.delete<{ Params: { name: string } }>(
    '/api/inbox/:name',
    {
      config: { limit: 'fetch' },
      schema: {
        operationId: 'clearInbox',
        summary: 'Deletes the emails that are in the inbox. Its name stays as good as any.',
        security: KEY_OF_OWNER,
        params: INBOX_PARAMETERS,
        response: {
          204: { description: 'They are gone, or there were none.', type: 'null' },
          400: errorAnswer('The inbox name is not valid.'),
          401: NOT_THE_OWNER,
          429: errorAnswer('Rate limit exceeded.', RETRY_AFTER),
        },
      },
    },
    async (request, reply) => {
      const inbox = request.params.name.toLowerCase();
      access.checkOwner(request, inbox);
      await inboxes.clear(inbox);
      return reply.code(204).send();
    },
  );
}
