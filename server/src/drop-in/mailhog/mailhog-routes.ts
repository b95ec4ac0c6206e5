import { httpErrors } from '../../errors.js';
import {
  type App,
  messageIfThere,
  type Reply,
  type Request,
  RequestError,
  readerOf,
  waitForTurn,
  wholeOrStream,
} from '../../http/http.js';
import type { Message } from '../../inbox/mailbox/mailbox.js';
import { addNotServed } from '../extra-routes.js';
import { idOf, placeOf } from '../ids.js';
import { pageOf } from '../parameters.js';
import { CONFIG, type Shared } from '../shared.js';
import { Items } from './items.js';
import { searched } from './mailhog-search.js';

const OTHERS = [
  'GET /api/v2/jim',
  'POST /api/v2/jim',
  'PUT /api/v2/jim',
  'DELETE /api/v2/jim',
  'GET /api/v2/websocket',
  'GET /api/v1/events',
  'POST /api/v1/messages/:id/release',
  'GET /api/v1/messages/:id/mime/part/:part/download',
] as const;

const PAGE = { standard: 50, most: 250 } as const;

/** Version 1 has no pages. */
const WHOLE_LIST = 1_000;

/** MailHog's type of JSON except in searches. Clients parse it themselves. */
const TYPE = 'text/json';

const SEARCH_TYPE = 'application/json';

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
    const items = new Items(shared, callers.viewerOf(request), readerOf(reply));
    return sendPieces(
      reply,
      wrapped('[', items.pieces(messages.slice(0, WHOLE_LIST)), () => ']'),
    );
  });

  api.get<IdRoute>('/api/v1/messages/:id', CONFIG, async (request, reply) => {
    const message = await messageIfListed(request, shared);
    const items = new Items(shared, callers.viewerOf(request), readerOf(reply));
    return sendPieces(reply, orNull(items.pieces(message === null ? [] : [message])));
  });

  api.get<IdRoute>('/api/v1/messages/:id/download', CONFIG, async (request, reply) => {
    const { emails } = await messageOf(request, shared);
    const [email = { inbox: '', receivedAt: 0 }] = emails;
    const raw = await messageIfThere(reply, () => inboxes.messages.whole(email.inbox, email.receivedAt));
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

  // Servers to release mail to.
  api.get('/api/v2/outgoing-smtp', CONFIG, async () => ({}));

  addNotServed(api, 'MailHog', OTHERS);
}

async function messageOf(request: Request<{ id: string }>, shared: Shared): Promise<Message> {
  const message = await messageIfListed(request, shared);
  if (message === null) throw new RequestError(httpErrors.noSuchMessage);
  return message;
}

async function messageIfListed(
  request: Request<{ id: string }>,
  { mailbox, callers }: Shared,
): Promise<Message | null> {
  const place = placeOf(request.params.id);
  return place && mailbox.message(place.inbox, place.receivedAt, callers.viewerOf(request));
}

/** An item, or MailHog's `null` with status 200, which its clients look for. */
async function* orNull(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isThere = false;
  for await (const piece of pieces) {
    isThere = true;
    yield piece;
  }
  if (!isThere) yield NULL;
}

const NULL = Buffer.from('null');

async function sendPage(request: Request, reply: Reply, shared: Shared, found: readonly Message[], type = TYPE) {
  const { start, limit } = pageOf(request, PAGE);
  const items = new Items(shared, shared.callers.viewerOf(request), readerOf(reply));
  const page = found.slice(start, start + (limit || PAGE.standard));
  // The count is known at the end: a message may be deleted meanwhile.
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

async function sendPieces(reply: Reply, pieces: AsyncIterable<Uint8Array>, type = TYPE) {
  const bounded = await waitForTurn(reply);
  const body = await wholeOrStream(bounded(pieces));
  reply.type(type);
  return body;
}

function done(reply: Reply): string {
  reply.type(TYPE);
  return '';
}
