import type { OutgoingHttpHeaders } from 'node:http';
import type { Access } from '../access/access.js';
import type { EventStreams } from '../answer/event-stream.js';
import type { App } from '../framework.js';
import { reading } from '../request/fields.js';
import {
  INBOX_FIELDS,
  PAGED_ELSEWHERE,
  SELECTION,
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
    { ...INPUT.options('stream'), exposeHeadRoute: false },
    async (request, reply) => {
      const inbox = access.inboxOf(request);
      await access.tryName(request, inbox);
      const stream = await streams.open(access.takerOf(request, 'stream'), inbox, reply.raw);
      // Releases what Fastify made for the request.
      reply.hijack();
      reply.raw.writeHead(200, reply.headers(STREAM_HEADERS).getHeaders() as OutgoingHttpHeaders);
      reply.server.countAnswer(request, 200);
      stream.begin(selectionOf(request.query));
    },
  );
}
