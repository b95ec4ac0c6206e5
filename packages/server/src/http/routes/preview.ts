import { httpErrors } from '../../errors.js';
import { textBody } from '../answer/answers.js';
import type { App, Reply, Request } from '../framework.js';
import type { Served } from '../parts.js';
import { addFormRoutes } from '../request/bodies.js';
import { type Fields, reading } from '../request/fields.js';
import { EMAIL_FIELDS } from '../request/parameters.js';
import { type EmailParameters, readAgain } from './email.js';

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

const QUERY: Fields = {
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

const INPUT = reading({ path: EMAIL_FIELDS, query: QUERY });
const FORM_INPUT = reading({
  path: EMAIL_FIELDS,
  query: QUERY,
  body: { schema: FORM, error: httpErrors.badPreviewForm },
});

const FRAMED = { limit: 'read', isFramed: true } as const;

interface PreviewRoute {
  Params: EmailParameters;
  Querystring: PreviewQuery;
}

const PATH = '/api/inbox/:name/:receivedAt/html';

export function addPreviewRoutes(app: App, { inboxes, access }: Served): void {
  const show = async (request: Request<EmailParameters>, reply: Reply, query: PreviewQuery) => {
    const { images = 'inside', styles = 'kept', scheme = null } = query;
    // With remote images off, the document has no remote URLs; the policy in the headers is a second defense.
    const work = { preview: { images, styles, scheme } } as const;
    const document = await readAgain(request, reply, access, ({ inbox, receivedAt }, by) =>
      inboxes.messages.inspect(inbox, receivedAt, work, by),
    );
    return reply.headers(previewHeaders(query)).send(textBody(reply, document));
  };
  app.get<PreviewRoute>(PATH, { ...INPUT.options('read'), config: FRAMED }, (request, reply) =>
    show(request, reply, request.query),
  );
  addFormRoutes(app, (forms) => {
    forms.post<PreviewRoute & { Body: { key?: string } }>(
      PATH,
      { ...FORM_INPUT.options('read'), config: FRAMED },
      async (request, reply) => {
        await access.takeKey(request, request.body.key);
        return show(request, reply, request.query);
      },
    );
  });
}
