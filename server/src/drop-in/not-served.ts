import { httpErrors } from '../errors.js';
import type { App } from '../http/framework.js';
import { RequestError } from '../http/request-error.js';

/** Answers 501 with a sentence to what another mail catcher has and this has not: its clients would take a 404 for a wrong address. */
export function addNotServed(api: App, server: string, routes: readonly `${string} /${string}`[]): void {
  for (const route of routes) {
    const [method = '', url = ''] = route.split(' ');
    api.route({
      method: method as 'GET',
      url,
      config: { limit: 'drop-in' },
      handler: () => {
        throw new RequestError(httpErrors.notServed, { server });
      },
    });
  }
}
