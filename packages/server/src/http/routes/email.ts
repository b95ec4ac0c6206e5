import { create as contentDisposition } from 'content-disposition';
import { httpErrors } from '../../errors.js';
import {
  EmailGoneError,
  type Inboxes,
  type Inspection,
  InspectorBusyError,
  type OpenedPart,
  type PluginWork,
  type Reader,
} from '../../inbox/inboxes.js';
import type { Access } from '../access/access.js';
import { messageIfThere, readerOf, sendJson, streamOf, textBody, waitForTurn } from '../answer/answers.js';
import { JSON_TYPE, RETRY_SOON, RequestError } from '../answer/request-error.js';
import type { App, Reply, Request } from '../framework.js';
import type { Served } from '../parts.js';
import { addBodilessRoutes, addFormRoutes } from '../request/bodies.js';
import { type Fields, reading } from '../request/fields.js';
import { EMAIL_FIELDS, EMAIL_PATH, PART_FIELDS } from '../request/parameters.js';

const INPUT = reading({ path: EMAIL_FIELDS });
const PART_INPUT = reading({ path: PART_FIELDS });

/** RFC 6838 section 4.2. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** RFC 2978 section 2.3. */
const CHARSET = /^[a-z0-9!#$%&'+^_`{}~-][a-z0-9.:!#$%&'+^_`{}~-]{0,39}$/;

const UNKNOWN_TYPE = 'application/octet-stream';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'image/gif': '.gif',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'message/rfc822': '.eml',
  'text/calendar': '.ics',
  'text/html': '.html',
  'text/plain': '.txt',
};

/** If a browser shows a stranger's file instead of saving it, the file has a separate origin and runs no script. */
const POLICY_HEADERS = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

export interface EmailParameters {
  readonly name: string;
  readonly receivedAt: string;
}

interface EmailRoute {
  Params: EmailParameters;
}

interface PartRoute {
  Params: EmailParameters & { readonly path: string };
}

/** `GET` and `DELETE /api/inbox/{name}/{receivedAt}`, and the other requests for one email. */
export function addEmailRoutes(app: App, served: Served): void {
  const { inboxes, access } = served;
  app.get<EmailRoute>(EMAIL_PATH, INPUT.options('read'), async (request, reply) => {
    const { inbox, receivedAt } = emailOf(request, access);
    return sendJson(reply, async () => {
      const json = await inboxes.readOne(inbox, receivedAt, access.takerOf(request, 'fetch'));
      return shown(access, request, inbox, json);
    });
  });
  addBodilessRoutes(app, (bodiless) =>
    bodiless.delete<EmailRoute>(EMAIL_PATH, INPUT.options('read'), async (request, reply) => {
      const { inbox, receivedAt } = emailOf(request, access);
      if (!(await inboxes.clear(inbox, receivedAt))) throw new RequestError(httpErrors.noSuchEmail);
      return reply.code(204).send();
    }),
  );
  app.get<EmailRoute>('/api/inbox/:name/:receivedAt/raw', INPUT.options('read'), async (request, reply) => {
    const { inbox, receivedAt } = emailOf(request, access);
    const message = await messageIfThere(reply, () => inboxes.messages.whole(inbox, receivedAt));
    const file = `${inbox}-${new Date(receivedAt).toISOString()}.eml`.replaceAll(':', '-');
    const body = shown(access, request, inbox, message);
    reply.headers({ 'content-type': 'message/rfc822', 'content-disposition': `attachment; filename="${file}"` });
    return body;
  });
  addInspectionRoute(app, inboxes, access, { segment: 'explain', work: 'explanation' });
  addInspectionRoute(app, inboxes, access, { segment: 'parts', work: 'contents' });
  // One decoded part as a file download.
  app.get<PartRoute>('/api/inbox/:name/:receivedAt/parts/:path', PART_INPUT.options('read'), async (request, reply) => {
    const { path } = request.params;
    return readAgain(request, reply, access, async ({ inbox, receivedAt }, by) => {
      await waitForTurn(reply);
      const part = await inboxes.messages.part(inbox, receivedAt, path, by);
      if (part === null) return null;
      if (part === 'no part') throw new RequestError(httpErrors.noSuchPart);
      if (part === 'multipart') throw new RequestError(httpErrors.partIsMultipart);
      const body = await streamOf(part.content);
      reply.headers(partHeaders(part, path));
      return body;
    });
  });
  addPreviewRoutes(app, served);
}

export interface InspectionRoute {
  readonly work: Extract<Inspection, string> | PluginWork;
  readonly segment: string;
}

export function addInspectionRoute(
  app: App,
  inboxes: { readonly messages: Pick<Inboxes['messages'], 'inspect'> },
  access: Access,
  { work, segment }: InspectionRoute,
): void {
  app.get<EmailRoute>(`/api/inbox/:name/:receivedAt/${segment}`, INPUT.options('read'), async (request, reply) => {
    const found = await readAgain(request, reply, access, ({ inbox, receivedAt }, by) =>
      inboxes.messages.inspect(inbox, receivedAt, work, by),
    );
    return reply.type(JSON_TYPE).send(textBody(reply, found));
  });
}

interface EmailKey {
  readonly inbox: string;
  readonly receivedAt: number;
}

/** The email in a path. Throws 400 and 401 like `Access.inboxOf`. */
function emailOf(request: Request<EmailParameters>, access: Access): EmailKey {
  return { inbox: access.inboxOf(request), receivedAt: Date.parse(request.params.receivedAt) };
}

/** Reads an email that must be parsed again. Rejects with 400, 401, 404 and 503. */
async function readAgain<T>(
  request: Request<EmailParameters>,
  reply: Reply,
  access: Access,
  read: (email: EmailKey, by: Reader) => Promise<T | null>,
): Promise<T> {
  const email = emailOf(request, access);
  return shown(access, request, email.inbox, await ifThere(access, read(email, readerOf(reply))));
}

/** Returns an email's contents, and notes that the client has seen them. Throws 404 for a missing email. */
export function shown<T>(access: Access, { caller }: Request, inbox: string, found: T | null): T {
  if (found === null) throw new RequestError(httpErrors.noSuchEmail);
  access.foundMail(caller.client, inbox);
  return found;
}

/** Resolves to null for a missing email. Rejects with 503 if too many messages are being parsed again. */
export async function ifThere<T>(access: Access, reading: Promise<T | null>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof InspectorBusyError) {
      access.limited('inspections');
      throw new RequestError(httpErrors.tooManyInspections, {}, RETRY_SOON);
    }
    if (error instanceof EmailGoneError) return null;
    throw error;
  }
}

export function partHeaders({ type, charset, filename, size }: OpenedPart, path: string): Record<string, string> {
  const isText = type.startsWith('text/') && charset !== null && CHARSET.test(charset);
  const name = filename ?? `part-${path}${EXTENSIONS[type] ?? ''}`;
  // The ASCII fallback (RFC 6266 section 4.3) is a name that every file system accepts.
  const fallback = name.replace(/[^\x20-\x7e]|[%"*/:<>?\\|]/gu, '_');
  return {
    ...POLICY_HEADERS,
    'content-type': MEDIA_TYPE.test(type) ? type + (isText ? `; charset=${charset}` : '') : UNKNOWN_TYPE,
    'content-length': String(size),
    'content-disposition': contentDisposition(name, { fallback }),
  };
}

interface PreviewQuery {
  readonly images?: 'remote';
  readonly styles?: 'none';
  readonly scheme?: 'light' | 'dark';
}

const IMAGE_SOURCES = { inside: 'data:', remote: 'data: https: http:' } as const;

/** Headers that confine what the sanitizer missed: no scripts, no requests, a separate origin, framed only by us. */
function previewHeaders({ images }: PreviewQuery): Record<string, string> {
  const policy = [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${IMAGE_SOURCES[images ?? 'inside']}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
    // No policy covers DNS look-ups of links, which would reveal that the email was opened.
    'x-dns-prefetch-control': 'off',
  };
}

const PREVIEW: Fields = {
  images: { schema: { type: 'string', enum: ['remote'] }, rule: 'omit it, or use images=remote once' },
  styles: { schema: { type: 'string', enum: ['none'] }, rule: 'omit it, or use styles=none once' },
  scheme: { schema: { type: 'string', enum: ['light', 'dark'] }, rule: 'omit it, or use it once, with light or dark' },
};

/** Contains the key, because a form cannot send it in a header. */
const FORM = {
  type: 'object',
  properties: { key: { type: 'string' } },
  examples: [{ key: 'f3a9c2d17b604e58' }],
} as const;

const PREVIEW_INPUT = reading({ path: EMAIL_FIELDS, query: PREVIEW });
const FORM_INPUT = reading({
  path: EMAIL_FIELDS,
  query: PREVIEW,
  body: { schema: FORM, error: httpErrors.badPreviewForm },
});

const FRAMED = { limit: 'read', isFramed: true } as const;

interface PreviewRoute {
  Params: EmailParameters;
  Querystring: PreviewQuery;
}

const PREVIEW_PATH = '/api/inbox/:name/:receivedAt/html';

/** `GET` and `POST /api/inbox/{name}/{receivedAt}/html`. The form of POST contains the key, for a frame. */
function addPreviewRoutes(app: App, { inboxes, access }: Served): void {
  const show = async (request: Request<EmailParameters>, reply: Reply, query: PreviewQuery) => {
    const { images = 'inside', styles = 'kept', scheme = null } = query;
    // With remote images off, the document has no remote URLs; the policy in the headers is a second defense.
    const work = { preview: { images, styles, scheme } } as const;
    const document = await readAgain(request, reply, access, ({ inbox, receivedAt }, by) =>
      inboxes.messages.inspect(inbox, receivedAt, work, by),
    );
    return reply.headers(previewHeaders(query)).send(textBody(reply, document));
  };
  app.get<PreviewRoute>(PREVIEW_PATH, { ...PREVIEW_INPUT.options('read'), config: FRAMED }, (request, reply) =>
    show(request, reply, request.query),
  );
  addFormRoutes(app, (forms) => {
    forms.post<PreviewRoute & { Body: { key?: string } }>(
      PREVIEW_PATH,
      { ...FORM_INPUT.options('read'), config: FRAMED },
      async (request, reply) => {
        await access.takeKey(request, request.body.key);
        return show(request, reply, request.query);
      },
    );
  });
}
