import { httpErrors } from '../../errors.js';
import type { Inboxes } from '../../inbox/inboxes.js';
import type { Inspection } from '../../inbox/threads/inspect.js';
import type { Access } from '../access.js';
import { textBody } from '../answer-body.js';
import { type Fields, reading } from '../fields.js';
import { type App, addFormRoutes } from '../framework.js';
import { type EmailParameters, INSPECTION_ERRORS, inspection } from '../one-email.js';
import { EMAIL_FIELDS, KEY_OF_OWNER } from '../path-fields.js';
import { errorAnswers } from '../schemas.js';

/** How an email is shown. */
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

/** What is written anew from the mail: without remote images it names none either, so that the policy is the second fence. */
function previewOf({ images }: PreviewQuery): Inspection {
  return { preview: images ?? 'inside' };
}

const QUERY: Fields = {
  images: {
    schema: {
      type: 'string',
      enum: ['remote'],
      description:
        'The one value is remote: loads remote images, so that whoever hosts them can tell when and where the mail was read.',
    },
    error: httpErrors.badQuery,
    rule: 'leave it out, or give remote, once',
  },
};

/** The form that asks for a preview where no header can carry the key. */
const FORM = {
  type: 'object',
  properties: { key: { type: 'string', description: 'API key of the workspace that owns the inbox.' } },
  examples: [{ key: 'f3a9c2d17b604e58' }],
} as const;

const INPUT = reading({ path: EMAIL_FIELDS, query: QUERY });
const FORM_INPUT = reading({
  path: EMAIL_FIELDS,
  query: QUERY,
  body: { schema: FORM, error: httpErrors.badPreviewForm },
});

/** What is shown of the mail of the examples. */
const DOCUMENT_EXAMPLE =
  '<!doctype html><meta charset="utf-8"><title>Your code</title><style>:root{color-scheme:light dark}' +
  'pre{margin:16px;font:15px/1.6 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}</style>' +
  '<body tabindex="0"><pre>Your code is 482913.</pre>';

/** What both ways to `…/html` answer when all is well. */
const DOCUMENT = {
  description:
    'An HTML document in which nothing runs, loads or submits by itself: written anew from the mail, under a policy that ' +
    'forbids all of it.',
  content: { 'text/html': { schema: { type: 'string' }, example: DOCUMENT_EXAMPLE } },
} as const;

/** What they may answer otherwise. */
const ERRORS = [...INSPECTION_ERRORS, httpErrors.badQuery] as const;

/** `GET` and `POST /api/inbox/{name}/{receivedAt}/html`: the email as a document for a sandboxed frame. */
export function addPreviewRoutes(app: App, inboxes: Inboxes, access: Access): void {
  app.get<{ Params: EmailParameters; Querystring: PreviewQuery }>(
    '/api/inbox/:name/:receivedAt/html',
    {
      ...INPUT,
      config: { limit: 'look', isFramed: true },
      schema: {
        ...INPUT.schema,
        operationId: 'previewEmail',
        summary: 'An email as a document for a sandboxed frame: its HTML part, or its text where it has none.',
        security: KEY_OF_OWNER,
        response: { 200: DOCUMENT, ...errorAnswers(...ERRORS) },
      },
    },
    async (request, reply) => {
      const document = await inspection(request, reply, inboxes, access, previewOf(request.query));
      return reply.headers(previewHeaders(request.query)).send(textBody(reply, document));
    },
  );
  addFormRoutes(app, (forms) => {
    forms.post<{ Params: EmailParameters; Querystring: PreviewQuery; Body: { key?: string } }>(
      '/api/inbox/:name/:receivedAt/html',
      {
        ...FORM_INPUT,
        config: { limit: 'look', isFramed: true },
        schema: {
          ...FORM_INPUT.schema,
          operationId: 'previewEmailWithKey',
          summary:
            'The same, for a form whose answer is shown in a frame: a browser cannot send the Authorization header for one.',
          security: KEY_OF_OWNER,
          response: { 200: DOCUMENT, ...errorAnswers(...ERRORS, httpErrors.badPreviewForm, httpErrors.bodyTooLarge) },
          consumes: ['application/x-www-form-urlencoded'],
        },
      },
      async (request, reply) => {
        await access.takeKey(request, request.body.key);
        const document = await inspection(request, reply, inboxes, access, previewOf(request.query));
        return reply.headers(previewHeaders(request.query)).send(textBody(reply, document));
      },
    );
  });
}
