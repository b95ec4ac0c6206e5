import { Readable } from 'node:stream';
import type { Clock } from '../../clock.js';
import type { Inboxes } from '../../inbox/inboxes.js';
import { clientKey } from '../../limits/client-address.js';
import type { Access } from '../access.js';
import type { App } from '../framework.js';
import type { OpenStreams } from '../open-streams.js';
import {
  errorAnswer,
  INBOX_PARAMETERS,
  KEY_OF_OWNER,
  NOT_THE_OWNER,
  RETRY_AFTER,
  SELECTION_PARAMETERS,
} from '../schemas.js';
import { type SelectionQuery, selectionOf } from '../selection.js';
import { streamEvents } from '../stream-events.js';

interface StreamRoute {
  Params: { name: string };
  Querystring: SelectionQuery;
}

/** `GET /api/inbox/{name}/stream` (spec.md section 4.2). */
export function addStreamRoute(app: App, inboxes: Inboxes, access: Access, streams: OpenStreams, clock: Clock): void {
  app.get<StreamRoute>(
    '/api/inbox/:name/stream',
    {
      exposeHeadRoute: false,
      schema: {
        operationId: 'streamInbox',
        summary: 'Waits for an email: sends the newest that is there, or the next one to come within 30 s, and closes.',
        security: KEY_OF_OWNER,
        params: INBOX_PARAMETERS,
        querystring: { type: 'object', additionalProperties: false, properties: SELECTION_PARAMETERS },
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
          400: errorAnswer('The inbox name or a query parameter is not valid.'),
          401: NOT_THE_OWNER,
          429: errorAnswer('Too many open streams from this address.', RETRY_AFTER),
          503: errorAnswer('All streams are taken.', RETRY_AFTER),
        },
      },
    },
    async (request, reply) => {
      const inbox = request.params.name.toLowerCase();
      access.checkOwner(request, inbox);
      const selection = selectionOf(request.query);
      const stream = streams.open(clientKey(request.ip));
      reply.raw.once('close', stream.close);
      // A proxy that gathered the bytes up would keep a waiting test from its email.
      reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', connection: 'close' });
      return Readable.from(
        streamEvents((signal) => inboxes.wait(inbox, selection, signal), clock, stream.signal),
        { objectMode: false },
      );
    },
  );
}
