import { systemClock } from '../../src/base/clock.js';
import { openLog } from '../../src/base/log.js';
import { readPageFiles } from '../../src/http/routes/inbox-page.js';
import { ownFiles } from '../../src/own-package.js';
import { pluginPaths } from '../../src/plugin/installed.js';
import { Plugins } from '../../src/plugin/plugins.js';
import { readStartOptions } from '../../src/settings/start-options.js';
import { startApi } from '../http/api.js';

/** A path with its parameters, such as `/api/inbox/:name`, and a method. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** Methods that are omitted: HEAD, which repeats GET, and OPTIONS, which is for preflight requests. */
const LEFT_OUT = ['HEAD', 'OPTIONS'];

/** A line of the framework's route tree: the depth, the end of the path after the parent's path, and the methods. */
const LINE = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/u;

/**
 * Every route that a service serves, whether or not the API document has it, including those of the web UI, the tools
 * for agents, the compatibility API `tool` and all send APIs. New routes are included automatically.
 */
export function everyRoute(tool: string): Promise<readonly Route[]> {
  const known = KNOWN.get(tool) ?? routesOf(tool);
  KNOWN.set(tool, known);
  return known;
}

const KNOWN = new Map<string, Promise<readonly Route[]>>();

async function routesOf(tool: string): Promise<Route[]> {
  const settings = readStartOptions({ compatApi: tool, sendApis: 'all', smsApis: 'all', domain: '*' });
  // No request is sent, so the objects that answer requests may be missing.
  const none = {} as never;
  const opened = new Plugins({
    settings,
    inboxes: { briefAt: none, changes: none, heldBack: { addTest: () => {} } as never },
    counting: none,
    run: none,
    clock: systemClock,
    log: openLog('silent', 'json'),
  });
  await opened.setUp();
  const records = { onChange: () => {} };
  const service = { records, clock: systemClock } as object as Parameters<Plugins['routes']>[0];
  const plugins = opened.routes(service).map((routes) => ({ ...routes, later: undefined }));
  const page = await readPageFiles(ownFiles('page'));
  const api = await startApi({ mcp: true, page, plugins, ...pluginPaths(settings) });
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
