import path from 'node:path';
import type { Files } from '../../own-package.js';
import type { Viewers } from '../access/viewers.js';
import { acceptedEncoding, type Encoding } from '../answer/answers.js';
import type { App, Reply, Request } from '../framework.js';

export interface PageFile {
  readonly name: string;
  readonly plain: Buffer;
  readonly compressed: Readonly<Record<Encoding, Buffer>>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const PAGE_NAME = 'index.html';

/** The page of all mail. A caller that may not list all mail without a key gets 404. */
const ALL_PATH = '/all';

const PAGE_PATHS = ['/', '/inbox/:name', '/run/:run', ALL_PATH];

/** The inbox page may connect only to this service, and no page may frame it. See preview.ts for the frame of mail. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // `blob:` is content that the page itself has fetched: attached images, and PDF for the browser's viewer.
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

const DENIED = [
  ...['accelerometer', 'autoplay', 'camera', 'clipboard-read', 'display-capture', 'encrypted-media', 'fullscreen'],
  ...['geolocation', 'gyroscope', 'hid', 'magnetometer', 'microphone', 'midi', 'payment', 'picture-in-picture'],
  ...['publickey-credentials-create', 'publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'web-share'],
  'xr-spatial-tracking',
];

const PAGE_HEADERS = {
  'content-security-policy': POLICY.join('; '),
  'permissions-policy': DENIED.map((feature) => `${feature}=()`).join(', '),
  // Isolates this window from pages that open it, and from those that it opens.
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  // The URL contains a secret: an inbox's name (D15) or a run's secret (D68).
  'referrer-policy': 'no-referrer',
};

const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' };

/** Synchronous, because a start does nothing else, and passing a file to a thread takes longer than reading it. */
export function readPageFiles(page: Files): PageFile[] {
  const sources = page.names().filter((name) => Object.hasOwn(MEDIA_TYPES, path.extname(name)));
  return sources.map((name) => {
    const compressed = { br: page.read(`${name}.br`), gzip: page.read(`${name}.gz`) };
    return { name: name.replaceAll(path.sep, '/'), plain: page.read(name), compressed };
  });
}

/** `/`, `/inbox/{name}`, `/run/{run}` and the files that these pages load. */
export function addPageRoutes(app: App, files: readonly PageFile[], viewers: Viewers): void {
  for (const file of files) {
    const isPage = file.name === PAGE_NAME;
    const headers = headersOf(file);
    for (const url of isPage ? PAGE_PATHS : [`/${file.name}`]) {
      app.get(url, { schema: { hide: true }, config: { isOpenedByLinks: isPage } }, (request, reply) => {
        // Callers that are not admitted get the page as a 404. If its tab has a key, the page still shows the list.
        if (url === ALL_PATH && !viewers.areAdmitted(request)) return app.answerAsLost(request, reply);
        reply.send(answerFile(file, request, reply.headers(headers)));
      });
    }
  }
}

/** The page itself reports that the path does not exist. */
export function lostPage(files: readonly PageFile[]): (request: Request, reply: Reply) => Buffer {
  const page = files.find(({ name }) => name === PAGE_NAME) as PageFile;
  return (request, reply) => answerFile(page, request, reply.headers(headersOf(page)));
}

function answerFile({ plain, compressed }: PageFile, request: Request, reply: Reply): Buffer {
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  if (encoding === null) return plain;
  reply.header('content-encoding', encoding);
  return compressed[encoding];
}

function headersOf({ name }: PageFile): Record<string, string | undefined> {
  return {
    'content-type': MEDIA_TYPES[path.extname(name)],
    vary: 'accept-encoding',
    // Prevents other origins from loading this file into their processes, where they could read it (Spectre).
    'cross-origin-resource-policy': 'same-origin',
    ...(name === PAGE_NAME ? PAGE_HEADERS : ASSET_HEADERS),
  };
}
