import {
  type App,
  httpErrors,
  ifThere,
  JSON_TYPE,
  messageIfThere,
  type PluginWork,
  partHeaders,
  type Reply,
  type Request,
  RequestError,
  readerOf,
  streamOf,
  textBody,
  waitForTurn,
} from 'mayfly-inbox/plugin';
import type { Message } from 'mayfly-plugins-shared/all-inboxes';
import { CONFIG, existing, handOut } from 'mayfly-plugins-shared/compat-api';
import { idOf, textParameter } from 'mayfly-plugins-shared/requests';
import { ERRORS as SHARED_ERRORS } from 'mayfly-plugins-shared/settings';
import { ERRORS } from './errors.js';
import type { Mailpit } from './mailpit.js';
import { searched, termsOf, zoneIn } from './search.js';
import { searchTerms } from './search-query.js';
import { tagsOf } from './summary.js';

const LATEST = 'latest';

/** Policy for the untrusted HTML of an email, whose links must work: no origin, no scripts, only embedded images. */
const BODY_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; frame-ancestors 'none'";

const VIEW = /^([A-Za-z0-9_-]{1,120})(?:\.(html|txt))?$/;

export function addMessageRoutes(api: App, shared: Mailpit): void {
  const { inboxes, marks, senders, access, viewers } = shared;
  const addOfMessage = (path: string, answer: (request: OfMessage, reply: Reply, message: Message) => unknown) =>
    api.get<{ Params: OfMessage['params'] }>(`/api/v1/message/:id${path}`, CONFIG, async (request, reply) =>
      answer(request, reply, await messageOf(request, request.params.id, shared)),
    );

  addOfMessage('', async (request, reply, message) => {
    const head = existing(await inboxes.head(message, viewers.viewerOf(request)));
    const id = await nameOf(message, request, request.params.id, shared);
    const receivedAt = new Date(message.emails[0]?.receivedAt ?? 0).toISOString();
    const details = { id, head, tags: tagsOf(head), receivedAt, username: senders.get(head.id) ?? '' };
    const json = await inspected(reply, shared, message, shared.task('mailpitMessage', details));
    marks.mark(message.key, true);
    handOut(shared, message, request.caller.client);
    reply.type(JSON_TYPE);
    return textBody(reply, json);
  });

  addOfMessage('/headers', async (_request, reply, message) => {
    const json = await inspected(reply, shared, message, shared.task('mailpitHeaders', null));
    reply.type(JSON_TYPE);
    return textBody(reply, json);
  });

  addOfMessage('/raw', async (request, reply, message) => {
    if (textParameter(request, 'dl') === '1') {
      const id = await nameOf(message, request, request.params.id, shared);
      reply.header('content-disposition', `attachment; filename="${id}.eml"`);
    }
    const raw = existing(await messageIfThere(reply, () => inboxes.whole(message)));
    handOut(shared, message, request.caller.client);
    reply.type('text/plain; charset=utf-8');
    return raw;
  });

  addOfMessage('/part/:part', async ({ params: { part: path } }, reply, message) => {
    const by = readerOf(reply);
    await waitForTurn(reply);
    const part = existing(await ifThere(access, inboxes.part(message, path, by)));
    if (typeof part === 'string') throw new RequestError(httpErrors.noSuchPart);
    const body = await streamOf(part.content);
    reply.headers(partHeaders(part, path));
    return body;
  });

  // Also serves clients that double the slash before the path.
  for (const path of ['/view/:file', '//view/:file']) {
    api.get<{ Params: { file: string } }>(path, CONFIG, (request, reply) => sendBody(request, reply, shared));
  }

  api.get('/search', CONFIG, async (request, reply) => {
    const query = textParameter(request, 'q').trim();
    if (query === '') return redirectToPage(request, reply, null, shared);
    const found = await searched(searchTerms(query, zoneIn(request)), shared, viewers.viewerOf(request));
    return redirectToPage(request, reply, found[0] ?? null, shared);
  });
}

/** Redirects to a message in the web UI; null means the start page. Throws 501 without the web UI, 404 if deleted. */
async function redirectToPage(request: Request, reply: Reply, message: Message | null, shared: Mailpit) {
  if (!shared.settings.page) throw new RequestError(SHARED_ERRORS.notServed, { server: 'Mailpit' });
  if (message === null) return reply.redirect('/', 302);
  const { inbox, receivedAt } = await emailFor(message, request, shared);
  return reply.redirect(`/inbox/${encodeURIComponent(inbox)}#${new Date(receivedAt).toISOString()}`, 302);
}

async function sendBody(request: Request<{ file: string }>, reply: Reply, shared: Mailpit) {
  const [, id, ending] = VIEW.exec(request.params.file) ?? [];
  if (id === undefined) throw new RequestError(SHARED_ERRORS.notServed, { server: 'Mailpit' });
  const message = await messageOf(request, id, shared);
  if (ending === undefined) return redirectToPage(request, reply, message, shared);
  const kind = ending === 'txt' ? 'text' : 'html';
  const partsPath = `${shared.settings['compat-api-root']}/api/v1/message/${await nameOf(message, request, id, shared)}/part/`;
  const json = await inspected(reply, shared, message, shared.task('mailpitBody', { kind, partsPath }));
  const body: string | null = JSON.parse(json.toString());
  shared.marks.mark(message.key, true);
  handOut(shared, message, request.caller.client);
  if (body === null && kind === 'html') throw new RequestError(ERRORS.noSuchBody);
  reply
    .header('content-security-policy', BODY_POLICY)
    .type(`text/${kind === 'html' ? 'html' : 'plain'}; charset=utf-8`);
  return textBody(reply, Buffer.from(body ?? ''));
}

type OfMessage = Request<{ id: string; part: string }>;

/** Returns the message with this ID; for `latest`, the newest that matches the request's search, if any. Throws 404. */
async function messageOf(request: Request, id: string, shared: Mailpit): Promise<Message> {
  const { inboxes, viewers } = shared;
  const viewer = viewers.viewerOf(request);
  if (id !== LATEST) return existing(await inboxes.find(id, viewer));
  const isSearch = textParameter(request, 'query').trim() !== '';
  const [latest] = isSearch ? await searched(termsOf(request), shared, viewer) : await inboxes.list(viewer);
  return existing(latest);
}

/** The requested ID; for `latest`, the ID of the email that represents the message (`AllInboxes.shown`). */
async function nameOf(message: Message, request: Request, asked: string, shared: Mailpit): Promise<string> {
  return asked === LATEST ? idOf(await emailFor(message, request, shared)) : asked;
}

async function emailFor(message: Message, request: Request, { inboxes, viewers }: Mailpit) {
  return existing(await inboxes.shown(message, viewers.viewerOf(request))).email;
}

async function inspected(reply: Reply, { inboxes, access }: Mailpit, message: Message, what: PluginWork) {
  const found = existing(await ifThere(access, inboxes.read(message, what, readerOf(reply))));
  return Buffer.from(found.buffer, found.byteOffset, found.length);
}
