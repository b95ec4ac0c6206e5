import type { Inboxes } from '../../inbox/inboxes.js';
import type { Access } from '../access.js';
import { type App, addFormRoutes } from '../framework.js';
import { EMAIL_PARAMETERS, errorAnswer, KEY_OF_OWNER, PREVIEW_FORM, PREVIEW_PARAMETERS } from '../schemas.js';
import { type EmailParameters, INSPECTION_ERRORS, inspection } from './email.js';

interface PreviewQuery {
  readonly images?: 'remote';
}

/** Where images may come from: the mail itself, or, when somebody asked for it, wherever the mail says. */
const IMAGE_SOURCES = { inside: 'data:', remote: 'data: https: http:' } as const;

/**
 * What keeps the HTML of a stranger from acting, whatever got past the sanitizer: no scripts, no forms, no requests, an origin
 * of its own. Links may open tabs, which are no part of the sandbox; nobody but our own page may frame it.
 */
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
    // No policy covers the look-up of a link's host name, which would tell its owner that the mail was opened.
    'x-dns-prefetch-control': 'off',
  };
}

/** Both ways to `…/html` answer this. */
const PREVIEW = {
  security: KEY_OF_OWNER,
  params: EMAIL_PARAMETERS,
  querystring: { type: 'object', additionalProperties: false, properties: PREVIEW_PARAMETERS },
  response: {
    200: {
      description:
        'An HTML document in which nothing runs, loads or submits by itself: written anew from the mail, under a policy that ' +
        'forbids all of it.',
      content: { 'text/html': { schema: { type: 'string' } } },
    },
    ...INSPECTION_ERRORS,
  },
} as const;

/** `GET` and `POST /api/inbox/{name}/{receivedAt}/html`: the email as a document for a sandboxed frame. */
export function addPreviewRoutes(app: App, inboxes: Inboxes, access: Access): void {
  app.get<{ Params: EmailParameters; Querystring: PreviewQuery }>(
    '/api/inbox/:name/:receivedAt/html',
    {
      config: { limit: 'fetch' },
      schema: {
        operationId: 'previewEmail',
        summary: 'An email as a document for a sandboxed frame: its HTML part, or its text where it has none.',
        ...PREVIEW,
      },
    },
    async (request, reply) => {
      const document = await inspection(request, inboxes, access, 'preview');
      return reply.headers(previewHeaders(request.query)).send(document);
    },
  );
  addFormRoutes(app, (forms) => {
    forms.post<{ Params: EmailParameters; Querystring: PreviewQuery; Body: { key?: string } }>(
      '/api/inbox/:name/:receivedAt/html',
      {
        config: { limit: 'fetch' },
        schema: {
          operationId: 'previewEmailWithKey',
          summary: 'The same for a form that shows its answer in a frame, since a browser sends no header for one.',
          ...PREVIEW,
          response: { ...PREVIEW.response, 413: errorAnswer('The form is too large.') },
          consumes: ['application/x-www-form-urlencoded'],
          body: PREVIEW_FORM,
        },
      },
      async (request, reply) => {
        access.takeKey(request, request.body.key);
        const document = await inspection(request, inboxes, access, 'preview');
        return reply.headers(previewHeaders(request.query)).send(document);
      },
    );
  });
}
