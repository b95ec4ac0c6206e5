import { httpErrors } from '../../errors.js';
import {
  type App,
  ifThere,
  JSON_TYPE,
  messageIfThere,
  partHeaders,
  type Reply,
  type Request,
  RequestError,
  readerOf,
  textBody,
  waitForTurn,
  wholeOrStream,
} from '../../http/http.js';
import type { CatcherInspection } from '../../inbox/inboxes.js';
import type { Message } from '../../inbox/mailbox/mailbox.js';
import { idOf, placeOf } from '../ids.js';
import { textParameter } from '../parameters.js';
import { CONFIG, type Shared } from '../shared.js';
import { searched, termsOf } from './mailpit-search.js';
import { redirectToPage } from './page.js';
import { tagsOf } from './tags.js';

const LATEST = 'latest';

/** A stranger's HTML, whose links tests follow in a browser: an own origin, no scripts, images of the mail alone. */
const BODY_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** An ID, and which body to show; without one, the page. */
const VIEW = /^([A-Za-z0-9_-]{1,120})(?:\.(html|txt))?$/;

/** `GET /api/v1/message/{ID}` with `/raw`, `/headers` and `/part/{PartID}`, and `GET /view/{ID}.html` and `.txt`. */
export function addMessageRoutes(api: App, shared: Shared): void {
  const { inboxes, mailbox, marks, senders, access, callers } = shared;

  api.get<IdRoute>('/api/v1/message/:id', CONFIG, async (request, reply) => {
    const message = await messageOf(request, request.params.id, shared);
    const head = await mailbox.head(message, callers.viewerOf(request));
    if (head === null) throw noSuchMessage();
    const { id: messageId, from, bcc, envelopeFrom, subject, otp, magicLink } = head;
    const id = await nameOf(message, request, request.params.id, shared);
    const receivedAt = new Date(emailOf(message).receivedAt).toISOString();
    const [tags, username] = [tagsOf(head), senders.of(messageId)];
    const details = { id, messageId, from, bcc, envelopeFrom, subject, tags, receivedAt, username, otp, magicLink };
    const json = await inspected(reply, shared, message, { mailpit: details });
    marks.mark(message.key, true);
    reply.type(JSON_TYPE);
    return textBody(reply, json);
  });

  api.get<IdRoute>('/api/v1/message/:id/headers', CONFIG, async (request, reply) => {
    const message = await messageOf(request, request.params.id, shared);
    const json = await inspected(reply, shared, message, 'mailpitHeaders');
    reply.type(JSON_TYPE);
    return textBody(reply, json);
  });

  api.get<IdRoute>('/api/v1/message/:id/raw', CONFIG, async (request, reply) => {
    const message = await messageOf(request, request.params.id, shared);
    const { inbox, receivedAt } = emailOf(message);
    if (textParameter(request, 'dl') === '1') {
      const id = await nameOf(message, request, request.params.id, shared);
      reply.header('content-disposition', `attachment; filename="${id}.eml"`);
    }
    const raw = await messageIfThere(reply, () => inboxes.messages.whole(inbox, receivedAt));
    if (raw === null) throw noSuchMessage();
    reply.type('text/plain; charset=utf-8');
    return raw;
  });

  api.get<{ Params: { id: string; part: string } }>(
    '/api/v1/message/:id/part/:part',
    CONFIG,
    async (request, reply) => {
      const { inbox, receivedAt } = emailOf(await messageOf(request, request.params.id, shared));
      const path = request.params.part;
      const by = readerOf(reply);
      const bounded = await waitForTurn(reply);
      const part = await ifThere(access, inboxes.messages.part(inbox, receivedAt, path, by));
      if (part === null) throw noSuchMessage();
      if (typeof part === 'string') throw new RequestError(httpErrors.noSuchPart);
      const body = await wholeOrStream(bounded(part.content));
      reply.headers(partHeaders(part, path));
      return body;
    },
  );

  // For clients that double the slash before the path.
  for (const path of ['/view/:file', '//view/:file']) {
    api.get<{ Params: { file: string } }>(path, CONFIG, (request, reply) => sendBody(request, reply, shared));
  }
}

async function sendBody(request: Request<{ file: string }>, reply: Reply, shared: Shared) {
  const [, id, ending] = VIEW.exec(request.params.file) ?? [];
  if (id === undefined) throw new RequestError(httpErrors.notServed, { server: 'Mailpit' });
  const message = await messageOf(request, id, shared);
  if (ending === undefined) return redirectToPage(request, reply, message, shared);
  const kind = ending === 'txt' ? 'text' : 'html';
  const partsPath = `${shared.root}/api/v1/message/${await nameOf(message, request, id, shared)}/part/`;
  const json = await inspected(reply, shared, message, { mailpitBody: kind, partsPath });
  const body: string | null = JSON.parse(json.toString());
  shared.marks.mark(message.key, true);
  if (body === null && kind === 'html') throw new RequestError(httpErrors.noSuchBody);
  reply
    .header('content-security-policy', BODY_POLICY)
    .type(`text/${kind === 'html' ? 'html' : 'plain'}; charset=utf-8`);
  return textBody(reply, Buffer.from(body ?? ''));
}

interface IdRoute {
  Params: { id: string };
}

/** The newest message for `latest`, or the newest that a search finds. Throws 404. */
async function messageOf(request: Request, id: string, shared: Shared): Promise<Message> {
  const { mailbox, callers } = shared;
  const viewer = callers.viewerOf(request);
  if (id === LATEST) {
    const isSearch = textParameter(request, 'query').trim() !== '';
    const [latest] = isSearch ? await searched(termsOf(request), shared, viewer) : await mailbox.messages(viewer);
    if (latest !== undefined) return latest;
    throw noSuchMessage();
  }
  const place = placeOf(id);
  const message = place && (await mailbox.message(place.inbox, place.receivedAt, viewer));
  if (message === null) throw noSuchMessage();
  return message;
}

/** The ID of a message: for `latest` the same whichever recipient it was found by. */
async function nameOf(
  message: Message,
  request: Request,
  asked: string,
  { mailbox, callers }: Shared,
): Promise<string> {
  if (asked !== LATEST) return asked;
  const viewer = callers.viewerOf(request);
  const head = await mailbox.head(message, viewer);
  if (head === null) throw noSuchMessage();
  return idOf(await mailbox.standIn(message, head, viewer));
}

function emailOf({ emails }: Message): { readonly inbox: string; readonly receivedAt: number } {
  const [email] = emails;
  if (email === undefined) throw noSuchMessage();
  return email;
}

async function inspected(
  reply: Reply,
  { inboxes, access }: Shared,
  message: Message,
  inspection: CatcherInspection,
): Promise<Buffer> {
  const { inbox, receivedAt } = emailOf(message);
  const by = readerOf(reply);
  const found = await ifThere(access, inboxes.messages.inspect(inbox, receivedAt, inspection, by));
  if (found === null) throw noSuchMessage();
  return Buffer.from(found.buffer, found.byteOffset, found.length);
}

function noSuchMessage(): RequestError {
  return new RequestError(httpErrors.noSuchMessage);
}
