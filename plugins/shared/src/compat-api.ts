import { type App, addRawRoutes, type Log, type PluginHost, RequestError, type Service } from 'mayfly-inbox/plugin';
import { type AllInboxes, allInboxes, type Message } from './all-inboxes.js';
import { availabilityForCallers, openingSentence } from './opening.js';
import { type CompatApiSettings, ERRORS, type SETTINGS } from './settings.js';

export const CONFIG = { config: { limit: 'compat-api' } } as const;

/** How long after the start the mail is first listed, so that the first request rarely waits for that. */
const WARM_UP_AFTER_MS = 1_000;

export interface CompatApi extends Service {
  readonly inboxes: AllInboxes;
  readonly log: Log;
  readonly settings: Pick<CompatApiSettings, 'compat-api-root' | 'page' | 'max-message' | 'max-recipients'>;
}

interface Imitated {
  readonly name: string;
  add(api: App, compatApi: CompatApi): void;
  /** Routes that respond with 501, because a client would interpret a 404 as a wrong address. */
  readonly notServed: readonly `${string} /${string}`[];
}

export function openCompatApi(host: PluginHost<typeof SETTINGS>, { name, add, notServed }: Imitated): void {
  const { settings, log } = host;
  const { 'compat-api-root': root } = settings;
  log.warn(openingSentence(settings));
  host.addRoutes({
    root,
    async add(api, service) {
      const available = availabilityForCallers(settings);
      service.viewers.admit(settings['compat-api-callers']);
      const inboxes = allInboxes(service.records, service.clock);
      // Ignores an error, which the first caller will get.
      host.onClose(service.clock.after(WARM_UP_AFTER_MS, () => void inboxes.warmUp().catch(() => {})));
      const compatApi = { ...service, inboxes, log, settings };
      addRawRoutes(api, (raw) => {
        raw.addHook('onRequest', async (request) => service.viewers.check(request, available));
        acceptTrailingSlashes(raw);
        add(raw, compatApi);
        for (const route of notServed) {
          const [method, url = ''] = route.split(' ');
          const handler = () => {
            throw new RequestError(ERRORS.notServed, { server: name });
          };
          raw.route({ method: method as 'GET', url, ...CONFIG, handler });
        }
        redirectDoubleSlashes(raw);
      });
      if (root !== '')
        api.get('/', { config: { isOpenedByLinks: true } }, (_request, reply) => reply.redirect('/', 302));
    },
  });
}

/** Notes in the delivery log that a client has received each email of this message. */
export function handOut({ attempts }: Pick<CompatApi, 'attempts'>, { emails }: Message, client: string): void {
  for (const email of emails) attempts.handedOut(email.inbox, [email], { way: 'drop-in', client });
}

/** Throws 404 for a message that is missing or deleted. */
export function existing<T>(found: T | null | undefined): T {
  if (found == null) throw new RequestError(ERRORS.noSuchMessage);
  return found;
}

const LOOSE_METHODS = ['GET', 'POST'];

function acceptTrailingSlashes(api: App): void {
  api.addHook('onRoute', (route) => {
    const { routePath, method } = route;
    if (![method].flat().every((one) => LOOSE_METHODS.includes(one)) || routePath.endsWith('/')) return;
    api.route({ ...route, url: `${routePath}/` });
  });
}

/** Redirects a path with a doubled slash, as Mailpit does, keeping method and body. */
function redirectDoubleSlashes(api: App): void {
  api.route({
    method: ['GET', 'POST', 'PUT', 'DELETE'],
    url: '//api/*',
    ...CONFIG,
    handler: (request, reply) => reply.redirect(request.url.replace('//api/', '/api/'), 307),
  });
}
