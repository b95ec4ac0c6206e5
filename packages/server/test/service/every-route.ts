import { fileURLToPath } from 'node:url';
import { openExtensions } from '../../extensions.js';
import { systemClock } from '../../src/base/clock.js';
import { openLog } from '../../src/base/log.js';
import { type ExtensionRoutes, readPageFiles } from '../../src/http/http.js';
import { servedSendApis } from '../../src/settings/send-apis.js';
import { readStartOptions } from '../../src/settings/start-options.js';
import { startApi } from '../http/api.js';

const PAGE_FOLDER = fileURLToPath(new URL('../../page/', import.meta.url));

/** A path with its parameters, such as `/api/inbox/:name`, and a method. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** These answer as GET and as other sites' questions do. */
const LEFT_OUT = ['HEAD', 'OPTIONS'];

/** A line of the framework's tree of routes: how deep, what it adds to the path of the line above it, methods. */
const LINE = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/u;

/**
 * Every route that a service serves, whether the API document has it or not: with the page, the tools of agents, this
 * drop-in and all send APIs. A route that is added later is among them.
 */
export function everyRoute(catcher: string): Promise<readonly Route[]> {
  const known = KNOWN.get(catcher) ?? routesOf(catcher);
  KNOWN.set(catcher, known);
  return known;
}

const KNOWN = new Map<string, Promise<readonly Route[]>>();

async function routesOf(catcher: string): Promise<Route[]> {
  const settings = readStartOptions({ dropIn: catcher, sendApis: 'all', domain: '*' });
  const opened = await openExtensions(settings, openLog('silent', 'json'), servedSendApis(settings));
  // No request is answered here, so what answers them may be missing.
  const host = { openAll: async () => ({}), clock: systemClock } as object;
  const extensions = opened.map(
    ({ root, addRoutes }): ExtensionRoutes => ({
      root,
      add: (app, guard) => addRoutes(app, { ...guard, ...host } as never),
    }),
  );
  const api = await startApi({ mcp: true, page: await readPageFiles(PAGE_FOLDER), extensions });
  const tree = (api.app as unknown as { printRoutes(options: object): string }).printRoutes({ commonPrefix: false });
  await api.close();
  return routesIn(tree);
}

function routesIn(tree: string): Route[] {
  const paths: string[] = [];
  return tree
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [, indent, added, methods = ''] = LINE.exec(line) ?? [];
      if (indent === undefined) throw new Error(`A line of the routes has another form: ${line}`);
      const depth = indent.length / 4;
      const path = (paths[depth - 1] ?? '') + added;
      paths.splice(depth, Number.POSITIVE_INFINITY, path);
      return methods
        .split(', ')
        .filter((method) => method !== '' && !LEFT_OUT.includes(method))
        .map((method) => ({ method, path }));
    });
}
