import { httpErrors } from '../../errors.js';
import { askingOf, textBody, wholeOrStream } from '../../http/answer-body.js';
import type { App, Reply, Request } from '../../http/framework.js';
import { ifThere } from '../../http/one-email.js';
import { JSON_TYPE, RequestError } from '../../http/request-error.js';
import { partHeaders } from '../../http/routes/part.js';
import { messageIfThere } from '../../http/routes/raw-message.js';
import type { Message } from '../../inbox/mailbox/mailbox.js';
import type { CatcherInspection } from '../../inbox/threads/inspect.js';
import { idOf, placeOf } from '../ids.js';
import { textParameter } from '../paging.js';
import type { Shared } from '../shared.js';
import { termsOf } from './lists.js';
import { searched } from './search.js';

const CONFIG = { config: { limit: 'drop-in' } } as const;

/** What stands for the newest message in place of an ID. */
const LATEST = 'latest';

/**
 * A stranger's HTML at an address of this service, which tests open in a browser to follow its links: an origin of its own, no scripts,
 * and images of the mail alone.
 */
const BODY_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** Names of the file that shows a message: its ID, and which of its bodies. */
const VIEW = /^([A-Za-z0-9_-]{1,120})\.(html|txt)$/;

/** `GET /api/v1/message/{ID}` with `/raw`, `/headers` and `/part/{PartID}`, and `GET /view/{ID}.html` and `.txt`. */
export function addMessageRoutes(api: App, shared: Shared): void {
  const { inboxes, mailbox, marks, access, callers } = shared;

  api.get<IdRoute>('/api/v1/message/:id', CONFIG, async (request, reply) => {
    const message = await messageOf(request, request.params.id, shared);
    const head = await mailbox.head(message);
    if (head === null) throw noSuchMessage();
    const { id: messageId, from, bcc, envelopeFrom, subject, otp, magicLink } = head;
    const id = await nameOf(message, request, request.params.id, shared);
    const receivedAt = new Date(emailOf(message).receivedAt).toISOString();
    const mailpit = { id, messageId, from, bcc, envelopeFrom, subject, receivedAt, otp, magicLink };
    const json = await inspected(request, reply, shared, message, { mailpit });
    marks.mark(message.key, true);
    reply.type(JSON_TYPE);
    return textBody(reply, json);
  });

  api.get<IdRoute>('/api/v1/message/:id/headers', CONFIG, async (request, reply) => {
    const message = await messageOf(request, request.params.id, shared);
    const json = await inspected(request, reply, shared, message, 'mailpitHeaders');
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
    const raw = await messageIfThere(reply, () => inboxes.message(inbox, receivedAt));
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
      const by = callers.readerOf(request, reply);
      const bounded = await reply.server.largeAnswers.wait(askingOf(reply));
      const part = await ifThere(access, inboxes.part(inbox, receivedAt, path, by));
      if (part === null) throw noSuchMessage();
      if (typeof part === 'string') throw new RequestError(httpErrors.noSuchPart);
      const body = await wholeOrStream(bounded(part.content));
      reply.headers(partHeaders(part, path));
      return body;
    },
  );

  // Also as it is asked for by clients that put a slash behind the address and one before the path.
  for (const path of ['/view/:file', '//view/:file']) {
    api.get<{ Params: { file: string } }>(path, CONFIG, (request, reply) => sendBody(request, reply, shared));
  }
}

/** Sends the HTML or the text of a message. */
async function sendBody(request: Request<{ file: string }>, reply: Reply, shared: Shared) {
  const [, id = '', ending] = VIEW.exec(request.params.file) ?? [];
  if (ending === undefined) throw new RequestError(httpErrors.notServed, { server: 'Mailpit' });
  const message = await messageOf(request, id, shared);
  const kind = ending === 'txt' ? 'text' : 'html';
  const partsPath = `/api/v1/message/${await nameOf(message, request, id, shared)}/part/`;
  const json = await inspected(request, reply, shared, message, { mailpitBody: kind, partsPath });
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

/** The message of an ID; the newest one for `latest`, of a search where there is one. Throws 404. */
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

/** What a message is called that was asked for under `asked`: the same of whichever recipient the newest was found. */
async function nameOf(
  message: Message,
  request: Request,
  asked: string,
  { mailbox, callers }: Shared,
): Promise<string> {
  if (asked !== LATEST) return asked;
  const head = await mailbox.head(message);
  if (head === null) throw noSuchMessage();
  return idOf(await mailbox.standIn(message, head, callers.viewerOf(request)));
}

function emailOf({ emails }: Message): { readonly inbox: string; readonly receivedAt: number } {
  const [email] = emails;
  if (email === undefined) throw noSuchMessage();
  return email;
}

/** What an inspection of a message finds. Throws 404 and 503. */
async function inspected(
  request: Request,
  reply: Reply,
  { inboxes, access, callers }: Shared,
  message: Message,
  inspection: CatcherInspection,
): Promise<Buffer> {
  const { inbox, receivedAt } = emailOf(message);
  const by = callers.readerOf(request, reply);
  const found = await ifThere(access, inboxes.inspect(inbox, receivedAt, inspection, by));
  if (found === null) throw noSuchMessage();
  return Buffer.from(found.buffer, found.byteOffset, found.length);
}

function noSuchMessage(): RequestError {
  return new RequestError(httpErrors.noSuchMessage);
}
