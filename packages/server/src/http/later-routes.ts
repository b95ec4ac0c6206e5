import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../base/log.js';
import { httpErrors } from '../errors.js';
import { pathOf } from './access/host.js';
import { RequestError, refuse } from './answer/request-error.js';
import type { App } from './framework.js';

export interface LaterPaths {
  /** Every request at one of these paths or below it is for them, */
  readonly below: readonly string[];
  /** and every POST at one of these. */
  readonly posted: readonly string[];
}

export interface LaterRoutesOptions {
  readonly paths: LaterPaths;
  /** Builds them, with all that the framework does for every request, ready and not listening. */
  build(): Promise<App>;
  readonly log: Log;
}

/** Routes built at their first request: an plugin's take a fifth of a start, and most services never use them. */
export class LaterRoutes {
  readonly #options: LaterRoutesOptions;
  #building: Promise<App> | null = null;
  #built: App | null = null;

  constructor(options: LaterRoutesOptions) {
    this.#options = options;
  }

  answer(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.#takes(request)) return false;
    if (this.#built !== null) this.#built.routing(request, response);
    else void this.#answerLater(request, response);
    return true;
  }

  /** To be called before the server closes: new requests are refused from then on. */
  async close(): Promise<void> {
    const app = await this.#building?.catch(() => null);
    await app?.close();
  }

  #takes({ method, url = '' }: IncomingMessage): boolean {
    const { below, posted } = this.#options.paths;
    const path = pathOf(url);
    if (method === 'POST' && posted.includes(path)) return true;
    return below.some((one) => isAtOrBelow(path, one));
  }

  async #answerLater(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#building ??= this.#options.build();
    try {
      this.#built = await this.#building;
    } catch (error) {
      this.#building = null;
      this.#options.log.error({ err: error }, 'Routes could not be built.');
      refuse(response, new RequestError(httpErrors.internal));
      return;
    }
    this.#built.routing(request, response);
  }
}

export function isAtOrBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

export function firstBy(later: readonly LaterRoutes[], others: RequestListener): RequestListener {
  if (later.length === 0) return others;
  return (request, response) => {
    if (!later.some((routes) => routes.answer(request, response))) others(request, response);
  };
}
