import {
  ANSWER_HEADERS,
  type App,
  addRawRoutes,
  basicCredentials,
  countedLines,
  JSON_TYPE,
  type Log,
  type PluginHost,
  type Request,
  type RequestError,
  type Service,
  type ToldError,
} from 'mayfly-inbox/plugin';
import { SentBodies } from '../sent-bodies.js';
import { sendAnswer } from './answer.js';
import { Desk, type Provider } from './desk.js';
import { faultIn } from './faults.js';
import { sentMail } from './sent-mail.js';

type Served = readonly (readonly [name: string, provider: Provider])[];

/** Serves the APIs of providers by their names in the delivery log. */
export function serveProviders(
  { settings, log, addRoutes }: Pick<PluginHost, 'settings' | 'log' | 'addRoutes'>,
  served: Served,
  hostOf = (service: Service) => service,
): void {
  const desks: Desk[] = [];
  addRoutes({
    ownerOf(path) {
      // If the base URL ends with a slash, the path begins with two.
      const segments = path.slice(path.startsWith('//') ? 1 : 0).split('/', MAX_SEGMENTS);
      const desk = desks.find(({ provider }) => isBelow(segments, provider));
      return desk === undefined ? null : { admit: (request) => admit(desk, request), tell: toldBy(desk) };
    },
    add(api, service) {
      const lines = countedLines({ log, after: service.clock.after });
      api.addHook('onClose', async () => lines.stop());
      const host = hostOf(service);
      const bodies = new SentBodies(api, service);
      const shared = { host, settings, log, lines, bodies, sent: sentMail(service, keyOf) };
      for (const [name, provider] of served) {
        const desk = new Desk({ ...shared, name, provider });
        desks.push(desk);
        addProvider(api, desk, log);
      }
    },
  });
}

function addProvider(api: App, desk: Desk, log: Log): void {
  const { provider } = desk;
  addRawRoutes(api, (raw) => {
    raw.setErrorHandler((error: Error, request: Request, reply) => {
      const { url: route, bodyLimit = 0 } = request.routeOptions;
      const { problem, headers, isOurs } = faultIn(error, bodyLimit);
      if (isOurs) log.error({ err: error, route }, 'a request failed');
      // The delivery log omits an aborted request, because its client disconnected before the response.
      if (request.method === 'POST') desk.refused(request, problem, error.name !== 'AbortError');
      reply.headers(headers);
      return sendAnswer(reply, provider.answer(problem));
    });
    raw.addHook('onRequest', async (request) => admit(desk, request));
    provider.addRoutes(raw, desk);
  });
}

/** Another site's web page must not send mail, even if only this machine can reach the service. */
function admit({ host }: Desk, request: Request): void {
  host.checkPage(request);
  host.access.takeProviderKey(request, keyOf(request));
}

/** Formats an error from outside of any route, such as a body's timeout, like the provider whose path is requested. */
function toldBy(desk: Desk) {
  return (error: RequestError, request?: Request): ToldError => {
    const { problem, headers } = faultIn(error, 0);
    if (request?.method === 'POST') desk.refused(request, problem, true);
    const { status, body, type = JSON_TYPE, headers: own } = desk.provider.answer(problem);
    return { status, headers: { ...ANSWER_HEADERS, ...headers, ...own, 'content-type': type }, body: body.toString() };
  };
}

/** More than any root has. A client may send thousands of slashes. */
const MAX_SEGMENTS = 10;

/** Whether a path is below one of a provider's roots. */
function isBelow(segments: readonly string[], { roots, resources }: Provider): boolean {
  return roots.some((root) =>
    root.split('/').every((expected, at) => {
      const segment = segments[at] ?? '';
      if (!expected.startsWith(':')) return segment === expected;
      return resources?.includes(segment) ?? segment !== '';
    }),
  );
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
