import { httpErrors } from '../errors.js';
import { type App, RequestError } from '../http/http.js';
import { CONFIG } from './shared.js';

/** Answers 501 for what is not served here: a client would take a 404 for a wrong address. */
export function addNotServed(api: App, server: string, routes: readonly `${string} /${string}`[]): void {
  for (const route of routes) {
    const [method = '', url = ''] = route.split(' ');
    api.route({
      method: method as 'GET',
      url,
      ...CONFIG,
      handler: () => {
        throw new RequestError(httpErrors.notServed, { server });
      },
    });
  }
}

/** A request that deletes or changes was meant to have an ID behind the slash. */
const LOOSE_METHODS = ['GET', 'POST'];

/** Serves routes added from now on with a trailing slash, too, where that is harmless. */
export function acceptTrailingSlashes(api: App): void {
  api.addHook('onRoute', (route) => {
    const { routePath, method } = route;
    if (![method].flat().every((one) => LOOSE_METHODS.includes(one)) || routePath.endsWith('/')) return;
    api.route({ ...route, url: `${routePath}/` });
  });
}

/** Redirects from a doubled slash before the path, as Mailpit does, keeping method and body. */
export function redirectDoubleSlashes(api: App): void {
  api.route({
    method: ['GET', 'POST', 'PUT', 'DELETE'],
    url: '//api/*',
    ...CONFIG,
    handler: (request, reply) => reply.redirect(request.url.replace('//api/', '/api/'), 307),
  });
}
