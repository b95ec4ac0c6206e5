import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site with pages that applications typically serve for links. */
export interface LinkSite {
  readonly url: string;
  /** The requests so far, as `METHOD path`, with User-Agent and cookies. */
  readonly requests: {
    readonly line: string;
    readonly agent: string | undefined;
    readonly cookie: string | undefined;
  }[];
  stop(): Promise<void>;
}

type Page = (request: IncomingMessage, response: ServerResponse) => void;

export async function startLinkSite(pages: Readonly<Record<string, Page>>): Promise<LinkSite> {
  const requests: LinkSite['requests'] = [];
  const server = createServer((request, response) => {
    const { method, url = '/', headers } = request;
    requests.push({ line: `${method} ${url}`, agent: headers['user-agent'], cookie: headers.cookie });
    const page = pages[new URL(url, 'http://site').pathname];
    if (page === undefined) response.writeHead(404).end('There is no such page.');
    else page(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const page =
  (html: string, headers: Record<string, string | string[]> = {}): Page =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html);

export const redirect =
  (location: string, headers: Record<string, string | string[]> = {}, status = 302): Page =>
  (_, response) =>
    void response.writeHead(status, { location, ...headers }).end();

export function firstOnce(first: Page, second: Page): Page {
  let isFirst = true;
  return (request, response) => {
    const chosen = isFirst ? first : second;
    isFirst = false;
    chosen(request, response);
  };
}

export const status =
  (code: number): Page =>
  (_, response) =>
    void response.writeHead(code).end();
