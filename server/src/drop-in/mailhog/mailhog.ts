import { httpErrors } from '../../errors.js';
import { askingOf, wholeOrStream } from '../../http/answer-body.js';
import type { App, Reply, Request } from '../../http/framework.js';
import { RequestError } from '../../http/request-error.js';
import { messageIfThere } from '../../http/routes/raw-message.js';
import type { Message } from '../../inbox/mailbox/mailbox.js';
import { idOf, placeOf } from '../ids.js';
import { addNotServed } from '../not-served.js';
import { pageOf } from '../paging.js';
import type { Shared } from '../shared.js';
import { Items } from './items.js';
import { searched } from './search.js';

/** What MailHog serves besides. */
const OTHERS = [
  'GET /api/v2/jim',
  'POST /api/v2/jim',
  'PUT /api/v2/jim',
  'DELETE /api/v2/jim',
  'GET /api/v2/outgoing-smtp',
  'GET /api/v2/websocket',
  'GET /api/v1/events',
  'POST /api/v1/messages/:id/release',
  'GET /api/v1/messages/:id/mime/part/:part/download',
] as const;

/** How many messages one page of version 2 has. */
const PAGE = { standard: 50, most: 250 } as const;

/** How many messages the list of version 1 has, which has no pages. */
const WHOLE_LIST = 1_000;

/** What MailHog calls JSON everywhere but in searches. Clients take it for a text, which they parse themselves. */
const TYPE = 'text/json';

/** What it calls the same of a search, whose answer clients find parsed. */
const SEARCH_TYPE = 'application/json';

const CONFIG = { config: { limit: 'drop-in' } } as const;

interface IdRoute {
  Params: { id: string };
}

/** The part of MailHog's interfaces (versions 1 and 2) that tests use. */
export function addMailhogRoutes(api: App, shared: Shared): void {
  const { mailbox, inboxes, callers } = shared;

  api.get('/api/v2/messages', CONFIG, async (request, reply) => {
    return sendPage(request, reply, shared, await mailbox.messages(callers.viewerOf(request)));
  });

  api.get('/api/v2/search', CONFIG, async (request, reply) => {
    const found = await searched(request, shared, callers.viewerOf(request));
    return sendPage(request, reply, shared, found, SEARCH_TYPE);
  });

  api.get('/api/v1/messages', CONFIG, async (request, reply) => {
    const messages = await mailbox.messages(callers.viewerOf(request));
    const items = new Items(shared, callers.viewerOf(request), callers.readerOf(request, reply));
    return sendPieces(
      reply,
      wrapped('[', items.pieces(messages.slice(0, WHOLE_LIST)), () => ']'),
    );
  });

  api.get<IdRoute>('/api/v1/messages/:id', CONFIG, async (request, reply) => {
    const message = await messageOf(request, shared);
    const items = new Items(shared, callers.viewerOf(request), callers.readerOf(request, reply));
    const body = await sendPieces(reply, items.pieces([message]));
    if (items.count === 0) throw new RequestError(httpErrors.noSuchMessage);
    return body;
  });

  api.get<IdRoute>('/api/v1/messages/:id/download', CONFIG, async (request, reply) => {
    const { emails } = await messageOf(request, shared);
    const [email = { inbox: '', receivedAt: 0 }] = emails;
    const raw = await messageIfThere(reply, () => inboxes.message(email.inbox, email.receivedAt));
    if (raw === null) throw new RequestError(httpErrors.noSuchMessage);
    reply.headers({
      'content-type': 'message/rfc822',
      'content-disposition': `attachment; filename="${idOf(email)}.eml"`,
    });
    return raw;
  });

  api.delete('/api/v1/messages', CONFIG, async (request, reply) => {
    await mailbox.clearAll(inboxes, callers.viewerOf(request));
    return done(reply);
  });

  api.delete<IdRoute>('/api/v1/messages/:id', CONFIG, async (request, reply) => {
    await mailbox.clear(await messageOf(request, shared), inboxes, callers.viewerOf(request));
    return done(reply);
  });

  addNotServed(api, 'MailHog', OTHERS);
}

/** The message of an ID. Throws 404. */
async function messageOf(request: Request<{ id: string }>, { mailbox, callers }: Shared): Promise<Message> {
  const place = placeOf(request.params.id);
  const message = place && (await mailbox.message(place.inbox, place.receivedAt, callers.viewerOf(request)));
  if (message === null) throw new RequestError(httpErrors.noSuchMessage);
  return message;
}

/** Sends a page of what was found. */
async function sendPage(request: Request, reply: Reply, shared: Shared, found: readonly Message[], type = TYPE) {
  const { start, limit } = pageOf(request, PAGE);
  const items = new Items(shared, shared.callers.viewerOf(request), shared.callers.readerOf(request, reply));
  const page = found.slice(start, start + (limit || PAGE.standard));
  // How many there are is known at the end: one may have been deleted meanwhile.
  const head = `{"total":${found.length},"start":${start},"items":[`;
  return sendPieces(
    reply,
    wrapped(head, items.pieces(page), () => `],"count":${items.count}}`),
    type,
  );
}

async function* wrapped(
  before: string,
  pieces: AsyncIterable<Uint8Array>,
  behind: () => string,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(before);
  yield* pieces;
  yield Buffer.from(behind());
}

/** Sends pieces no faster than they are read, in turns with other large answers. */
async function sendPieces(reply: Reply, pieces: AsyncIterable<Uint8Array>, type = TYPE) {
  const bounded = await reply.server.largeAnswers.wait(askingOf(reply));
  const body = await wholeOrStream(bounded(pieces));
  reply.type(type);
  return body;
}

function done(reply: Reply): string {
  reply.type(TYPE);
  return '';
}
