import { create as contentDisposition } from 'content-disposition';
import { httpErrors } from '../../errors.js';
import type { Inboxes, OpenedPart } from '../../inbox/inboxes.js';
import type { Access } from '../access/access.js';
import { streamOf, waitForTurn } from '../answer/answers.js';
import { RequestError } from '../answer/request-error.js';
import type { App } from '../framework.js';
import { reading } from '../request/fields.js';
import { type EmailParameters, readAgain } from '../request/one-email.js';
import { PART_FIELDS } from '../request/parameters.js';

interface PartParameters extends EmailParameters {
  readonly path: string;
}

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

/** A stranger's file is always saved. If it is shown anyway, it has its own origin, and nothing runs or loads. */
const POLICY_HEADERS = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

const INPUT = reading({ path: PART_FIELDS });

/** `GET /api/inbox/{name}/{receivedAt}/parts/{path}`: one decoded part as a file download. */
export function addPartRoute(app: App, inboxes: Inboxes, access: Access): void {
  app.get<{ Params: PartParameters }>(
    '/api/inbox/:name/:receivedAt/parts/:path',
    INPUT.options('read'),
    async (request, reply) => {
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
    },
  );
}

export function partHeaders({ type, charset, filename, size }: OpenedPart, path: string): Record<string, string> {
  const isText = type.startsWith('text/') && charset !== null && CHARSET.test(charset);
  return {
    ...POLICY_HEADERS,
    'content-type': MEDIA_TYPE.test(type) ? type + (isText ? `; charset=${charset}` : '') : UNKNOWN_TYPE,
    'content-length': String(size),
    'content-disposition': attachmentOf(filename ?? `part-${path}${EXTENSIONS[type] ?? ''}`),
  };
}

/** The full name, and an ASCII fallback (RFC 6266 section 4.3) that every file system accepts. */
function attachmentOf(filename: string): string {
  return contentDisposition(filename, { fallback: filename.replace(/[^\x20-\x7e]|[%"*/:<>?\\|]/gu, '_') });
}
