import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { acceptedEncoding, type Encoding } from '../accepted-encoding.js';
import type { App, Reply, Request } from '../framework.js';

/** One file of the page, in every form in which it is served. */
export interface PageFile {
  /** Path below the page's folder, such as `assets/index-1a2b.js`. */
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

/** The page itself; the other files are what it loads. */
const PAGE_NAME = 'index.html';

/** Where each address of the page leads: the page reads from it what to show. */
const PAGE_PATHS = ['/', '/inbox/:name'];

/**
 * The page loads and reaches nothing but this service, and nobody frames it. Mail is shown in a frame that has a policy of its
 * own (see preview.ts), under which nothing of it runs, even if it got here.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

/** What of a browser's the page has no use for. It writes to the clipboard, and nothing else of the kind. */
const DENIED = [
  ...['accelerometer', 'autoplay', 'camera', 'clipboard-read', 'display-capture', 'encrypted-media', 'fullscreen'],
  ...['geolocation', 'gyroscope', 'hid', 'magnetometer', 'microphone', 'midi', 'payment', 'picture-in-picture'],
  ...['publickey-credentials-create', 'publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'web-share'],
  'xr-spatial-tracking',
];

const PAGE_HEADERS = {
  'content-security-policy': POLICY.join('; '),
  'permissions-policy': DENIED.map((feature) => `${feature}=()`).join(', '),
  // Neither a page that opens this one nor one that this one opens gets hold of its window.
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  // The name of an inbox is its secret (D15), and it stands in the address.
  'referrer-policy': 'no-referrer',
};

/** What is called by what is in it never changes. */
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' };

/** Reads the page as it was built: some small files. Rejects with a sentence when it is not there, or not wholly. */
export async function readPageFiles(folder: string): Promise<PageFile[]> {
  try {
    const names = await readdir(folder, { recursive: true });
    const sources = names.filter((name) => Object.hasOwn(MEDIA_TYPES, path.extname(name)));
    return await Promise.all([...new Set([PAGE_NAME, ...sources])].map((name) => readPageFile(folder, name)));
  } catch (cause) {
    // Where no file can be opened any more, say, building it again would be no help.
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new Error(
      'The inbox page is not built, or not wholly. Run "npm run build", or turn the page off with --no-page.',
      { cause },
    );
  }
}

async function readPageFile(folder: string, name: string): Promise<PageFile> {
  const read = (suffix: string) => readFile(path.join(folder, name + suffix));
  const compressed = { br: await read('.br'), gzip: await read('.gz') };
  return { name: name.replaceAll(path.sep, '/'), plain: await read(''), compressed };
}

/** The inbox page: `/`, `/inbox/{name}` and what these load. */
export function addPageRoutes(app: App, files: readonly PageFile[]): void {
  for (const file of files) {
    const isPage = file.name === PAGE_NAME;
    const headers = headersOf(file);
    for (const url of isPage ? PAGE_PATHS : [`/${file.name}`]) {
      app.get(url, { schema: { hide: true }, config: { isOpenedByLinks: isPage } }, async (request, reply) =>
        answerFile(file, request, reply.headers(headers)),
      );
    }
  }
}

/** The page for a path that does not exist: it says so in its own words. */
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
    // No page of another origin loads this one, or parts of it, into its own process.
    'cross-origin-resource-policy': 'same-origin',
    ...(name === PAGE_NAME ? PAGE_HEADERS : ASSET_HEADERS),
  };
}
