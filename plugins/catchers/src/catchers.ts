import {
  type App,
  addRawRoutes,
  type Extension,
  httpErrors,
  type Log,
  RequestError,
  type Settings,
} from '../../../packages/server/dist/extension/extension.js';
import { addMailhogRoutes } from './mailhog/mailhog-routes.js';
import { addMailpitRoutes } from './mailpit/mailpit-routes.js';
import { ReadMarks, SenderNames } from './message-notes.js';
import { availabilityForCallers, checkOpening } from './opening.js';
import { CONFIG, type Shared } from './shared.js';

type CatcherName = NonNullable<Settings['drop-in']>;

interface Catcher {
  add(api: App, shared: Shared): void;
  readonly name: string;
  /** Routes that are answered 501: a client would take a 404 for a wrong address. */
  readonly notServed: readonly `${string} /${string}`[];
}

const CATCHERS: Readonly<Record<CatcherName, Catcher>> = {
  mailpit: {
    name: 'Mailpit',
    add: addMailpitRoutes,
    notServed: [
      'GET /api/v1/chaos',
      'PUT /api/v1/chaos',
      'PUT /api/v1/tags',
      'PUT /api/v1/tags/:tag',
      'DELETE /api/v1/tags/:tag',
      'GET /api/v1/message/:id/html-check',
      'GET /api/v1/message/:id/link-check',
      'GET /api/v1/message/:id/sa-check',
      'POST /api/v1/message/:id/release',
      'GET /api/v1/message/:id/part/:part/thumb',
    ],
  },
  mailhog: {
    name: 'MailHog',
    add: addMailhogRoutes,
    notServed: [
      'GET /api/v2/jim',
      'POST /api/v2/jim',
      'PUT /api/v2/jim',
      'DELETE /api/v2/jim',
      'GET /api/v2/websocket',
      'GET /api/v1/events',
      'POST /api/v1/messages/:id/release',
      'GET /api/v1/messages/:id/mime/part/:part/download',
    ],
  },
};

/** The API of the mail catcher that `--drop-in` names, as far as tests use it (D42). Throws as `checkOpening`. */
export function openCatcher(settings: Settings, log: Log): Extension {
  checkOpening(settings, log);
  const { 'drop-in': catcher, 'drop-in-root': root } = settings;
  const { add, name, notServed } = CATCHERS[catcher as CatcherName];
  return {
    root,
    async addRoutes(api, host) {
      const available = availabilityForCallers(settings);
      const inboxes = await host.openAll();
      const shared = { ...host, inboxes, log, settings, marks: new ReadMarks(), senders: new SenderNames() };
      addRawRoutes(api, (raw) => {
        raw.addHook('onRequest', async (request) => host.viewers.check(request, available));
        acceptTrailingSlashes(raw);
        add(raw, shared);
        for (const route of notServed) addNotServed(raw, route, name);
        redirectDoubleSlashes(raw);
      });
      if (root !== '') redirectToPage(api);
    },
  };
}

function redirectToPage(api: App): void {
  api.get('/', { config: { isOpenedByLinks: true } }, (_request, reply) => reply.redirect('/', 302));
}

function addNotServed(api: App, route: string, server: string): void {
  const [method = '', url = ''] = route.split(' ');
  const handler = () => {
    throw new RequestError(httpErrors.notServed, { server });
  };
  api.route({ method: method as 'GET', url, ...CONFIG, handler });
}

/** A request that deletes or changes was meant to have an ID behind the slash. */
const LOOSE_METHODS = ['GET', 'POST'];

function acceptTrailingSlashes(api: App): void {
  api.addHook('onRoute', (route) => {
    const { routePath, method } = route;
    if (![method].flat().every((one) => LOOSE_METHODS.includes(one)) || routePath.endsWith('/')) return;
    api.route({ ...route, url: `${routePath}/` });
  });
}

/** Redirects from a doubled slash before the path, as Mailpit does, keeping method and body. */
function redirectDoubleSlashes(api: App): void {
  api.route({
    method: ['GET', 'POST', 'PUT', 'DELETE'],
    url: '//api/*',
    ...CONFIG,
    handler: (request, reply) => reply.redirect(request.url.replace('//api/', '/api/'), 307),
  });
}
