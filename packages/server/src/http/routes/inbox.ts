import type { InboxResponse } from 'mayfly-protocol';
import { httpErrors } from '../../errors.js';
import type { Inboxes } from '../../inbox/inboxes.js';
import type { Access } from '../access/access.js';
import { leavingOf, sendJson } from '../answer/answers.js';
import { EMAIL_EXAMPLE, errorAnswers, jsonAnswer, objectSchema } from '../answer/schemas.js';
import type { App } from '../framework.js';
import { addBodilessRoutes } from '../request/bodies.js';
import { reading } from '../request/fields.js';
import {
  INBOX_FIELDS,
  KEY_OF_OWNER,
  PAGED_ELSEWHERE,
  SELECTION,
  SELECTION_ERRORS,
  type SelectionQuery,
  SOURCE,
  selectionOf,
  takenElsewhere,
} from '../request/parameters.js';

const inboxResponse = objectSchema<InboxResponse>({
  emails: { type: 'array', items: { $ref: 'Email#' }, description: 'Most recent first.' },
  count: { type: 'integer', minimum: 0, description: 'Number of emails.' },
});

const EXAMPLE: InboxResponse = { emails: [EMAIL_EXAMPLE], count: 1 };

const FETCH_INPUT = reading({
  path: INBOX_FIELDS,
  query: { source: SOURCE, ...SELECTION },
  refused: takenElsewhere(SELECTION, PAGED_ELSEWHERE),
});
const CLEAR_INPUT = reading({
  path: INBOX_FIELDS,
  refused: takenElsewhere({}, 'it does not select emails here: all emails of the inbox would be deleted'),
});

interface FetchRoute {
  Params: { name: string };
  Querystring: SelectionQuery & { source?: unknown };
}

/** `GET /api/inbox/{name}` (interface section 4.1). */
export function addInboxRoute(app: App, inboxes: Inboxes, access: Access): void {
  app.addSchema({ $id: 'InboxResponse', ...inboxResponse });
  app.get<FetchRoute>(
    '/api/inbox/:name',
    FETCH_INPUT.options('fetch', {
      operationId: 'getInbox',
      summary: 'Returns all emails currently stored for the inbox.',
      security: KEY_OF_OWNER,
      response: {
        200: jsonAnswer(
          'The emails, most recent first; none when the inbox is empty or its emails have expired.',
          { $ref: 'InboxResponse#' },
          EXAMPLE,
        ),
        ...errorAnswers(...SELECTION_ERRORS, httpErrors.tooManyAnswers),
      },
    }),
    async (request, reply) => {
      const inbox = access.inboxOf(request);
      const taker = access.takerOf(request, 'fetch');
      return sendJson(reply, () => inboxes.read(inbox, selectionOf(request.query), leavingOf(request), taker));
    },
  );
}

/** `DELETE /api/inbox/{name}`: empties the inbox. */
export function addClearRoute(app: App, inboxes: Inboxes, access: Access): void {
  addBodilessRoutes(app, (bodiless) =>
    bodiless.delete<{ Params: { name: string } }>(
      '/api/inbox/:name',
      CLEAR_INPUT.options('look', {
        operationId: 'clearInbox',
        summary: 'Deletes the emails in the inbox. New mail may arrive right away.',
        security: KEY_OF_OWNER,
        response: {
          204: { description: 'The emails are deleted, or there were none.', type: 'null' },
          ...errorAnswers(
            httpErrors.badInboxName,
            httpErrors.foreignInbox,
            httpErrors.badQuery,
            httpErrors.ownedName,
            httpErrors.privateInbox,
            httpErrors.bodyTooLarge,
            httpErrors.tooManyNames,
          ),
        },
      }),
      async (request, reply) => {
        const inbox = access.inboxOf(request);
        await inboxes.clear(inbox);
        return reply.code(204).send();
      },
    ),
  );
}
