import type { OutgoingHttpHeaders } from 'node:http';
import { httpErrors } from '../../errors.js';
import type { Access } from '../access/access.js';
import type { EventStreams } from '../answer/event-stream.js';
import { errorAnswers } from '../answer/schemas.js';
import type { App } from '../framework.js';
import { reading } from '../request/fields.js';
import {
  INBOX_FIELDS,
  KEY_OF_OWNER,
  PAGED_ELSEWHERE,
  SELECTION,
  SELECTION_ERRORS,
  type SelectionQuery,
  selectionOf,
  takenElsewhere,
} from '../request/parameters.js';

const INPUT = reading({
  path: INBOX_FIELDS,
  query: SELECTION,
  refused: takenElsewhere(SELECTION, PAGED_ELSEWHERE),
});

/** A buffering proxy would hold an email back. */
export const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', connection: 'close' };

interface StreamRoute {
  Params: { name: string };
  Querystring: SelectionQuery;
}

/** `GET /api/inbox/{name}/stream` (interface section 4.2). */
export function addStreamRoute(app: App, access: Access, streams: EventStreams): void {
  app.get<StreamRoute>(
    '/api/inbox/:name/stream',
    {
      ...INPUT.options('stream', {
        operationId: 'streamInbox',
        summary: 'Waits for an email: sends the newest email, or the next one to arrive within 30 s, and closes.',
        security: KEY_OF_OWNER,
        response: {
          200: {
            description:
              'Server-Sent Events: the comment "connected", the comment "keepalive" every 10 s, then one data event, which is ' +
              'an Email as JSON or, after 30 s without one, the text __timeout__.',
            content: {
              'text/event-stream': {
                schema: { type: 'string' },
                example: ': connected\n\n: keepalive\n\ndata: __timeout__\n\n',
              },
            },
          },
          ...errorAnswers(
            ...SELECTION_ERRORS,
            httpErrors.tooManyNames,
            httpErrors.tooManyStreams,
            httpErrors.allStreamsTaken,
          ),
        },
      }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const inbox = access.inboxOf(request);
      await access.tryName(request, inbox);
      const stream = await streams.open(access.takerOf(request, 'stream'), inbox, reply.raw);
      // Releases what Fastify made for the request.
      reply.hijack();
      reply.raw.writeHead(200, reply.headers(STREAM_HEADERS).getHeaders() as OutgoingHttpHeaders);
      reply.server.countAnswer?.(request, 200);
      stream.begin(selectionOf(request.query));
    },
  );
}
