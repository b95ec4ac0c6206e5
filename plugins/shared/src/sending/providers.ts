import {
  ANSWER_HEADERS,
  type App,
  addRawRoutes,
  basicCredentials,
  CountedLines,
  JSON_TYPE,
  KnownPaths,
  type Log,
  type PluginHost,
  type Request,
  type RequestError,
  type Service,
  type ToldError,
} from 'mayfly-inbox/plugin';
import { SentBodies } from '../sent-bodies.js';
import { sendAnswer } from './answer.js';
import { Desk, type Provider, SEND } from './desk.js';
import { faultIn } from './faults.js';
import { sentMail } from './sent-mail.js';

type Served = readonly (readonly [name: string, provider: Provider])[];

/** Serves the APIs of providers by their names in the delivery log. */
export function serveProviders(
  { settings, log, addRoutes }: Pick<PluginHost, 'settings' | 'log' | 'addRoutes'>,
  served: Served,
  hostOf = (service: Service) => service,
): void {
  addRoutes({
    tell: (error, path) => toldAt(path, error, served),
    add(api, service) {
      const lines = new CountedLines({ log, after: service.clock.after });
      api.addHook('onClose', async () => lines.stop());
      const host = hostOf(service);
      const bodies = new SentBodies(api, service);
      const shared = { host, settings, log, lines, bodies, sent: sentMail(service, keyOf) };
      for (const [name, provider] of served) {
        addProvider(api, provider, new Desk({ ...shared, name, answer: provider.answer }), log);
      }
    },
  });
}

function addProvider(api: App, provider: Provider, desk: Desk, log: Log): void {
  addRawRoutes(api, (raw) => {
    const paths = new KnownPaths();
    raw.setErrorHandler((error: Error, request: Request, reply) => {
      const { url: route, bodyLimit = 0 } = request.routeOptions;
      const { problem, headers, isOurs } = faultIn(error, bodyLimit);
      if (isOurs) log.error({ err: error, route }, 'a request failed');
      // The delivery log omits an aborted request, because its client disconnected before the response.
      if (request.method === 'POST') desk.refused(request, problem, error.name !== 'AbortError');
      reply.headers(headers);
      return sendAnswer(reply, provider.answer(problem));
    });
    // Another site's web page must not send mail, even if only this machine can reach the service.
    raw.addHook('onRequest', async (request) => {
      desk.host.checkPage(request);
      desk.host.access.takeProviderKey(request, keyOf(request));
    });
    let isServed = true;
    raw.addHook('onRoute', (route) => {
      const { method, url } = route;
      if (isServed) paths.add(url, [method].flat());
      // Also serves `//emails`, for SDKs whose base URL ends with a slash. Skips fallbacks, whose `method` is a list.
      const isOne = typeof method === 'string' && method !== 'HEAD' && !url.startsWith('//');
      if (isOne) raw.route({ ...route, url: `/${url}` });
    });
    provider.addRoutes(raw, desk);
    isServed = false;
    for (const root of provider.roots) addUnknown(raw, root, paths);
  });
}

/** Formats an error from outside of any route, such as a body's timeout, like the provider whose path is requested. */
function toldAt(path: string, error: RequestError, served: Served): ToldError | null {
  const [, provider] = served.find(([, one]) => isBelow(path, one)) ?? [];
  if (provider === undefined) return null;
  const { problem, headers } = faultIn(error, 0);
  const { status, body, type = JSON_TYPE, headers: own } = provider.answer(problem);
  return { status, headers: { ...ANSWER_HEADERS, ...headers, ...own, 'content-type': type }, body: body.toString() };
}

/** Whether a path is below one of a provider's roots, even if the base URL ends with a slash. */
function isBelow(path: string, { roots, resources }: Provider): boolean {
  const segments = path.replace(/^\/\//, '/').split('/');
  return roots.some((root) =>
    root.split('/').every((expected, at) => {
      const segment = segments[at] ?? '';
      if (!expected.startsWith(':')) return segment === expected;
      return resources?.includes(segment) ?? segment !== '';
    }),
  );
}

/** Lists HEAD, for which Fastify would otherwise add a second route. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function addUnknown(raw: App, root: string, paths: KnownPaths): void {
  const handler = ({ method, url }: Request) => {
    throw paths.refusal(method, url);
  };
  for (const url of [root, `${root}/*`]) {
    const method = METHODS.filter((one) => !raw.hasRoute({ method: one as 'GET', url }));
    raw.route({ method, url, ...SEND, handler });
  }
}

/** AWS's signature contains the access key ID; the secret key is not sent. */
const AWS_KEY = /^AWS4-HMAC-SHA256 Credential=([^/,\s]{1,200})\//;

/**
 * The key that a provider's SDK sends: as bearer token (Resend, SendGrid), as access key (MessageBird), in Postmark's
 * header, as the Basic password (Mailgun, Twilio), or as the access key ID (AWS). Only keys of ad-hoc (D66) and configured workspaces (D52) have an effect.
 */
function keyOf(request: Request): string | null {
  const { authorization = '', 'x-postmark-server-token': token } = request.headers;
  if (typeof token === 'string') return token;
  const basic = basicCredentials(request);
  if (basic !== null) return basic.password;
  return /^(?:bearer|accesskey) +(\S+)$/i.exec(authorization)?.[1] ?? AWS_KEY.exec(authorization)?.[1] ?? null;
}
