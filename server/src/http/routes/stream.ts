import { Readable } from 'node:stream';
import type { Clock } from '../../clock.js';
import { httpErrors } from '../../errors.js';
import type { Inboxes } from '../../inbox/inboxes.js';
import type { Access } from '../access.js';
import { reading } from '../fields.js';
import type { App } from '../framework.js';
import type { OpenStreams } from '../open-streams.js';
import { INBOX_FIELDS, KEY_OF_OWNER } from '../path-fields.js';
import { errorAnswers } from '../schemas.js';
import { SELECTION, type SelectionQuery, selectionOf } from '../selection.js';
import { streamEvents } from '../stream-events.js';

const INPUT = reading({ path: INBOX_FIELDS, query: SELECTION });

interface StreamRoute {
  Params: { name: string };
  Querystring: SelectionQuery;
}

/** `GET /api/inbox/{name}/stream` (interface section 4.2). */
export function addStreamRoute(app: App, inboxes: Inboxes, access: Access, streams: OpenStreams, clock: Clock): void {
  app.get<StreamRoute>(
    '/api/inbox/:name/stream',
    {
      ...INPUT,
      config: { limit: 'stream' },
      exposeHeadRoute: false,
      schema: {
        ...INPUT.schema,
        operationId: 'streamInbox',
        summary: 'Waits for an email: sends the newest that is there, or the next one to come within 30 s, and closes.',
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
            httpErrors.badInboxName,
            httpErrors.badQuery,
            httpErrors.ownedName,
            httpErrors.tooManyNames,
            httpErrors.tooManyStreams,
            httpErrors.allStreamsTaken,
          ),
        },
      },
    },
    async (request, reply) => {
      const inbox = request.params.name.toLowerCase();
      access.checkOwner(request, inbox);
      const selection = selectionOf(request.query);
      await access.tryName(request, inbox);
      const stream = streams.open(access.clientOf(request));
      reply.raw.once('close', stream.close);
      // Whoever left meanwhile closes no more.
      if (reply.raw.destroyed) stream.close();
      // A proxy that gathered the bytes up would keep a waiting test from its email.
      reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', connection: 'close' });
      const wait = async (signal: AbortSignal) => {
        const email = await inboxes.wait(inbox, selection, signal);
        // The email does not wait until that is noted.
        if (email !== null) void access.foundMail(access.clientOf(request), inbox);
        return email;
      };
      return Readable.from(streamEvents(wait, clock, stream.signal), { objectMode: false });
    },
  );
}
