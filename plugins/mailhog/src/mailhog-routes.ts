import {
  type App,
  ifThere,
  messageIfThere,
  type PluginHost,
  type Reply,
  type Request,
  readerOf,
  streamOf,
  type Viewer,
  waitForTurn,
} from 'mayfly-inbox/plugin';
import type { Head, Message } from 'mayfly-plugins-shared/all-inboxes';
import { CONFIG, type CompatApi, existing, handOut, openCompatApi } from 'mayfly-plugins-shared/compat-api';
import { badQuery, idOf, pageOf, recipientNamed, textParameter } from 'mayfly-plugins-shared/requests';
import type { SETTINGS } from 'mayfly-plugins-shared/settings';
import { mailhogMessage } from './read-mailhog.js';

const PAGE = { standard: 50, most: 250 } as const;

/** Maximum number of messages in a list of MailHog's API version 1, which has no paging. */
const WHOLE_LIST = 1_000;

/** Maximum size of a message that is parsed on the event loop. A parser thread parses larger messages. */
const AT_ONCE_BYTES = 16 * 1024;
const SHARE = 8;
const COMMA = Buffer.from(',');

/** MailHog's content type for JSON, except for searches. Clients parse the body whatever its type. */
const TYPE = 'text/json';
const SEARCH_TYPE = 'application/json';

type IdRoute = { Params: { id: string } };

const NOT_SERVED = [
  'GET /api/v2/jim',
  'POST /api/v2/jim',
  'PUT /api/v2/jim',
  'DELETE /api/v2/jim',
  'GET /api/v2/websocket',
  'GET /api/v1/events',
  'POST /api/v1/messages/:id/release',
  'GET /api/v1/messages/:id/mime/part/:part/download',
] as const;

export function openMailhog(host: PluginHost<typeof SETTINGS>): void {
  openCompatApi(host, { name: 'MailHog', add: addMailhogRoutes, notServed: NOT_SERVED });
}

function addMailhogRoutes(api: App, shared: CompatApi): void {
  const { inboxes, viewers } = shared;

  api.get('/api/v2/messages', CONFIG, async (request, reply) => {
    return sendPage(reply, shared, await inboxes.list(viewers.viewerOf(request)));
  });

  api.get('/api/v2/search', CONFIG, async (request, reply) => {
    const found = await searched(request, shared, viewers.viewerOf(request));
    return sendPage(reply, shared, found, SEARCH_TYPE);
  });

  api.get('/api/v1/messages', CONFIG, async (request, reply) => {
    const messages = await inboxes.list(viewers.viewerOf(request));
    return sendItems(reply, shared, messages.slice(0, WHOLE_LIST), { begin: '[', end: () => ']' });
  });

  api.get<IdRoute>('/api/v1/messages/:id', CONFIG, async (request, reply) => {
    const message = await inboxes.find(request.params.id, viewers.viewerOf(request));
    // For a missing message, MailHog returns `null` with status 200, which its clients check for.
    const frame = { begin: '', end: (count: number) => (count === 0 ? 'null' : '') };
    return sendItems(reply, shared, message === null ? [] : [message], frame);
  });

  api.get<IdRoute>('/api/v1/messages/:id/download', CONFIG, async (request, reply) => {
    const message = existing(await inboxes.find(request.params.id, viewers.viewerOf(request)));
    const raw = existing(await messageIfThere(reply, () => inboxes.whole(message)));
    handOut(shared, message, request.caller.client);
    reply.headers({
      'content-type': 'message/rfc822',
      'content-disposition': `attachment; filename="${request.params.id}.eml"`,
    });
    return raw;
  });

  api.delete('/api/v1/messages', CONFIG, async (request, reply) => {
    await inboxes.clearAll(viewers.viewerOf(request));
    return done(reply);
  });

  api.delete<IdRoute>('/api/v1/messages/:id', CONFIG, async (request, reply) => {
    const viewer = viewers.viewerOf(request);
    await inboxes.clear(existing(await inboxes.find(request.params.id, viewer)), viewer);
    return done(reply);
  });

  api.get('/api/v2/outgoing-smtp', CONFIG, async () => ({}));
}

async function sendPage(reply: Reply, shared: CompatApi, found: readonly Message[], type = TYPE) {
  const { start, limit } = pageOf(reply.request, PAGE);
  const page = found.slice(start, start + (limit || PAGE.standard));
  const begin = `{"total":${found.length},"start":${start},"items":[`;
  return sendItems(reply, shared, page, { begin, end: (count: number) => `],"count":${count}}` }, type);
}

/** The JSON around the items. `end` is called last, because messages deleted before they are sent do not count. */
interface Frame {
  readonly begin: string;
  end(count: number): string;
}

async function sendItems(reply: Reply, shared: CompatApi, messages: readonly Message[], frame: Frame, type = TYPE) {
  await waitForTurn(reply);
  const body = await streamOf(itemsOf(reply, shared, messages, frame));
  reply.type(type);
  return body;
}

async function* itemsOf(reply: Reply, shared: CompatApi, messages: readonly Message[], { begin, end }: Frame) {
  const { inboxes, access, records, task, viewers } = shared;
  const [viewer, reader] = [viewers.viewerOf(reply.request), readerOf(reply)];
  let count = 0;
  yield Buffer.from(begin);
  for (const [i, message] of messages.entries()) {
    if (i % SHARE === SHARE - 1) await records.turn();
    const shown = await inboxes.shown(message, viewer);
    if (shown === null) continue;
    const { head, email } = shown;
    handOut(shared, message, reader.client);
    const details = {
      id: idOf(email),
      envelopeFrom: head.envelopeFrom,
      recipients: head.recipients.map(({ to, written = to }) => written),
      receivedAt: new Date(email.receivedAt).toISOString(),
    };
    const record = head.size <= AT_ONCE_BYTES ? await inboxes.record(message) : null;
    const item = record?.isWhole
      ? Buffer.from(mailhogMessage(record.beginning, details))
      : await ifThere(access, inboxes.read(message, task('mailhogMessage', details), reader));
    if (item === null) continue;
    if (count > 0) yield COMMA;
    count += 1;
    yield item;
  }
  yield Buffer.from(end(count));
}

function done(reply: Reply): string {
  reply.type(TYPE);
  return '';
}

/** Searches one inbox if the query is a whole address in a served domain, otherwise the newest mail. Throws 400. */
async function searched(request: Request, shared: CompatApi, viewer: Viewer): Promise<readonly Message[]> {
  const { inboxes, records } = shared;
  const kind = textParameter(request, 'kind');
  const query = textParameter(request, 'query').toLowerCase();
  const textsOf = TEXTS.get(kind);
  if (textsOf === undefined) throw badQuery('kind', 'use from, to or containing');
  if (query === '') throw badQuery('query', 'it must contain the text to search for');
  const recipient = kind === 'to' ? recipientNamed(query, records, viewer) : null;
  if (recipient !== null) return inboxes.listFor(recipient, viewer);
  const holds = (texts: readonly string[]) => texts.some((text) => text.toLowerCase().includes(query));
  const passes = async (head: Head, message: Message) =>
    holds(textsOf(head)) || (kind === 'containing' && holds(await textsWithin(message, shared)));
  return inboxes.matching(await inboxes.list(viewer), passes, viewer);
}

const named = ({ name, address }: Head['from']) => [address, name];

const TEXTS = new Map<string, (head: Head) => readonly string[]>([
  ['from', ({ envelopeFrom, from }) => [envelopeFrom, ...named(from)]],
  ['to', ({ recipients, to }) => [...recipients.map(({ to }) => to), ...to.flatMap(named)]],
  ['containing', ({ subject, from, to, cc }) => [subject, ...[from, ...to, ...cc].flatMap(named)]],
]);

/** The decoded text, and the raw text in the message's first stored chunk. */
async function textsWithin(message: Message, { inboxes }: CompatApi): Promise<readonly string[]> {
  const record = await inboxes.record(message);
  return record === null ? [] : [record.body, record.beginning.toString()];
}
