import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
// For the types of a route's schema, in which `hide` omits the route from the API document.
import type {} from '@fastify/swagger';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Log } from '../base/log.js';
import { httpErrors } from '../errors.js';
import { StoreAwayError, StoreFullDiskError, ThreadsClosedError } from '../inbox/inboxes.js';
import { NotCountedError } from '../limits/rate-limiter.js';
import { isChunkedTooEarly } from './access/host.js';
import {
  ANSWER_HEADERS,
  clientFault,
  ERROR_HEADER,
  HINT_HEADER,
  RETRY_SOON,
  RequestError,
  stoppingError,
  type Tell,
  type ToldError,
  tellOurs,
} from './answer/request-error.js';
import type { BuiltApi } from './built-api.js';
import { answerBroken, faultIn, isMeantForSmtp, type ParserError } from './connection/broken-requests.js';
import { Connections, type ConnectionsOptions, type HttpLimits, STALLED_MS } from './connection/connections.js';
import { sourceLabel } from './http-events.js';
import { readQuery } from './request/fields.js';
import { type KnownPaths, knownPaths, type OptionalPart } from './request/known-paths.js';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyInstance {
    /** Counts an answer when it begins. Code that bypasses Fastify must call this method. */
    countAnswer(request: FastifyRequest, status: number): void;
    connections: Connections;
    /** Answers as if the path did not exist. Throws 404, or sends the inbox page. */
    answerAsLost(request: FastifyRequest, reply: FastifyReply): void;
  }
}

/** Who sent a request. `Access.check` adds the workspace or inbox that the request's key opens. */
export interface Caller {
  /** Identifies the client in limits (see `clientKey`). */
  readonly client: string;
  workspace: string | null;
  /** The ad-hoc workspace of the request's credentials (D66). */
  adHoc: string | null;
  /** The private inbox whose secret the request has. */
  privateInbox: string | null;
}

export type { preParsingHookHandler } from 'fastify';
export type App = FastifyInstance;
export type Request<Params = unknown> = FastifyRequest<{ Params: Params }>;
export type Reply = FastifyReply;

export interface AppOptions extends ConnectionsOptions {
  /** Called with a client that mistook this port for SMTP. */
  tookForSmtp?(client: string): void;
  readonly optionalParts?: readonly OptionalPart[];
  readonly corsOrigins: readonly string[];
  readonly log: Log;
  readonly checks: BuiltApi['checks'];
  /** The plugin that owns a path. */
  ownerOf?(url: string): PathOwner | null;
  /** Answers a browser's visit to a path that does not exist. If null, the answer is JSON. */
  readonly answerLost: ((request: Request, reply: Reply) => Buffer) | null;
}

/** Answers for the paths of a plugin that have no route. A path with two slashes at the front leads to that with one. */
export interface PathOwner {
  /** Checks a request that no route matches, instead of its key. May throw. */
  admit(request: Request): void;
  /** Formats an error outside any route. `request` is a request that no route matches. */
  tell(error: RequestError, request?: Request): ToldError;
}

/** Interval of Node's checks for slow requests. */
const TIMEOUT_CHECK_MS = 1_000;

const KEEP_ALIVE_MS = 10_000;

/** Higher than the limits for names, so that the separate check of names, which has a better error, applies. */
const MAX_PARAMETER_LENGTH = 64 * 1024;

const PREFLIGHT_MAX_AGE_S = 600;

const FRAMED_ERROR_POLICY = "default-src 'none'; frame-ancestors 'self'";

/** Rejects with the reason if a request is refused. Called before any of the request is read. */
export type Admit = (request: Request) => Promise<void>;

/** Fastify with Mayfly's bounds, errors and headers, without routes. Unknown paths go through `admit` as well. */
export async function createApp(options: AppOptions, admit: Admit): Promise<App> {
  const { peers, corsOrigins, events } = options;
  const app = openFastify(options);
  app.addHook('preClose', async () => void app.connections.stop());
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const client = peers.clientOf(raw);
    request.caller = { client, workspace: null, adHoc: null, privateInbox: null };
    reply.headers(ANSWER_HEADERS);
    if (isChunkedTooEarly(raw)) reply.header('connection', 'close');
    done((app.connections.isStopping ? stoppingError() : app.connections.refusalOf(raw, client)) ?? undefined);
  });
  // Answers are counted when they begin. A hook on their end would hold a stream's request and reply while it is open.
  app.decorate('countAnswer', ({ routeOptions, url }: FastifyRequest, status: number) => {
    if (events === undefined) return;
    // Reads the URL, because the request's `query` lacks `source` on routes whose schema does not contain it.
    const source = routeOptions.config?.source ?? sourceLabel(readQuery(url.split('?', 2)[1] ?? '')) ?? 'other';
    events.answered(routeOptions.url ?? null, status, source);
  });
  app.addHook('onSend', (request, { statusCode }, payload, done) => {
    app.countAnswer(request, statusCode);
    done(null, payload);
  });
  const paths = knownPaths(options.optionalParts);
  app.addHook('onRoute', ({ url, method, prefix }) => {
    if (url !== '*') paths.add(url, [method].flat(), prefix);
  });
  if (corsOrigins.length > 0) await allowOrigins(app, corsOrigins, paths);
  admitRequests(app, options, admit, paths);
  return app;
}

/** Fastify with our server, and our answers to errors. */
function openFastify(options: AppOptions): App {
  const { limits, peers, checks, ownerOf } = options;
  const { maxBodyBytes } = limits;
  const tell: Tell = (error, url = '') => ownerOf?.(url)?.tell(error) ?? tellOurs(error, url);
  const told = { tell, events: options.events };
  const connections = new Connections(options);
  // Without a logger, because Fastify would keep request and reply for as long as a stream is open.
  const app: App = fastify({
    serverFactory: (answer) => openServer(limits, connections, answer),
    bodyLimit: maxBodyBytes,
    // `pluginTimeout` is off, because it would also limit the time of a stop, which has its own limit.
    pluginTimeout: 0,
    // Fastify's own answer does not have the shape of our errors.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH, querystringParser: readQuery },
    clientErrorHandler: (notHttp, socket) => {
      // Fastify's types describe the error's packet as JSON, but it is a Buffer.
      const error = notHttp as unknown as ParserError;
      if (isMeantForSmtp(error, (socket as Socket).bytesRead)) options.tookForSmtp?.(peers.of(socket).client);
      const response = connections.responseOn(socket);
      const fault = faultIn(error, response?.req, maxBodyBytes);
      if (fault !== null) answerBroken(fault, socket, response, told);
    },
    // Ajv must not accept "1" for a number or 1 for a text, because handlers use values as the client wrote them.
    ajv: { customOptions: { coerceTypes: false } },
    schemaController: {
      // Replaces Fastify's serializer, which would compile code for each schema at every start.
      compilersFactory: { buildValidator: checks as never, buildSerializer: () => () => JSON.stringify },
    },
    // SDKs of providers double the slash if the base URL ends with one.
    rewriteUrl: ({ url = '' }) => (url.startsWith('//') && ownerOf?.(url) ? url.slice(1) : url),
    frameworkErrors: (error, request, reply) => {
      const fault = clientFault(error, maxBodyBytes);
      if (fault === null) return answerError(error, reply, options);
      const { status, headers, body } = tell(fault, request.raw.url);
      (reply as Reply).code(status).headers(headers).send(body);
    },
  });
  app.decorate('connections', connections);
  // For CONNECT, Node leaves the connection to us.
  app.server.on('connect', (_request, socket) => {
    // Reads the socket, because Node otherwise does not emit the end of the connection.
    socket.on('error', () => {}).resume();
    answerBroken(new RequestError(httpErrors.unknownMethod), socket, connections.responseOn(socket), told);
  });
  app.removeContentTypeParser('text/plain');
  // A plugin may throw null.
  app.setErrorHandler((error: Error | null, _request, reply) =>
    answerError(error ?? new Error('null was thrown'), reply, options),
  );
  app.decorateRequest('caller');
  return app;
}

/** `ServerResponse` with options that its constructor accepts but Node's types omit. */
const Response = ServerResponse as new (request: IncomingMessage, options: object) => ServerResponse;

/** Node's server with our bounds on what a connection may do. */
function openServer(limits: HttpLimits, connections: Connections, answer: RequestListener): Server {
  // Node's types lack this option. Node before 22.21 and 24.9 ignores it and passes every upgrade to the listeners.
  const upgrading = {
    shouldUpgradeCallback: ({ method, headers }: IncomingMessage): boolean =>
      server.listenerCount('upgrade') > 0 && method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket',
  };
  const server: Server = createServer(
    {
      ...upgrading,
      headersTimeout: limits.headerTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // `checkHead` refuses requests without a Host header, because Node's own refusal has no body.
      requireHostHeader: false,
      IncomingMessage: function request(socket: Socket) {
        return connections.sentAhead(socket)?.req ?? new IncomingMessage(socket);
      } as unknown as typeof IncomingMessage,
      ServerResponse: function response(request: IncomingMessage, options: object) {
        return connections.sentAhead(request.socket) ?? new Response(request, options);
      } as unknown as typeof ServerResponse,
    },
    (request, response) => {
      if (connections.begin(request, response)) answer(request, response);
    },
  );
  connections.watch(server);
  server.setTimeout(STALLED_MS);
  // Unlimited. Node's parser obeys headers beyond a limit but hides them from us, which allows request smuggling.
  server.maxHeadersCount = 0;
  // Ignores unknown values of Expect (RFC 9110 section 10.1.1). By default, Node answers them with an empty 417.
  return server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Admits requests, and answers those without a route. */
function admitRequests(app: App, { answerLost, ownerOf }: AppOptions, admit: Admit, paths: KnownPaths): void {
  app.setNotFoundHandler((request: Request, reply) =>
    reply.code(404).header(ERROR_HEADER, httpErrors.notFound.code).send(answerLost?.(request, reply)),
  );
  app.decorate('answerAsLost', (request: FastifyRequest, reply: FastifyReply) => {
    if (answerLost === null || !isVisit(request)) throw new RequestError(httpErrors.notFound);
    reply.callNotFound();
  });
  app.addHook('onRequest', async (request) => {
    await admit(request);
    if (!request.is404) return;
    const refusal = paths.refusal(request.method, request.url);
    if (refusal.status !== 404) throw refusal;
    if (answerLost === null || !isVisit(request) || ownerOf?.(request.url)) throw paths.absence(request.url);
  });
}

/** Only browsers ask for HTML (RFC 9110 section 12.5.1). */
function isVisit({ method, headers }: Request | FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false);
}

async function allowOrigins(app: App, origins: readonly string[], paths: KnownPaths): Promise<void> {
  app.addHook('onRequest', async ({ method, url, headers }) => {
    const isPreflight = headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
    // `@fastify/cors` would answer with its own text.
    if (method === 'OPTIONS' && !isPreflight) throw paths.refusal(method, url);
  });
  // The CORS plugin is loaded on use, because most services allow no origin.
  const { default: cors } = await import('@fastify/cors');
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', ...AGENT_HEADERS],
    exposedHeaders: ['Retry-After', ERROR_HEADER, HINT_HEADER, 'Mcp-Session-Id'],
    credentials: false,
    maxAge: PREFLIGHT_MAX_AGE_S,
  });
}

/** Headers of the Model Context Protocol, for the endpoint /mcp. */
const AGENT_HEADERS = ['MCP-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name'];

/** The response to an error; null for an internal error, which must be logged. The store itself logs its outages. */
export function faultOf(error: Error, maxBodyBytes: number, plugin?: string): RequestError | null {
  if (error instanceof RequestError) return error;
  if (error instanceof StoreFullDiskError) return new RequestError(httpErrors.diskFull, { owner: error.owner });
  if (error instanceof ThreadsClosedError) return stoppingError();
  if (error instanceof StoreAwayError || error instanceof NotCountedError)
    return new RequestError(httpErrors.storeAway, {}, RETRY_SOON);
  return clientFault(error, maxBodyBytes, plugin);
}

function answerError(error: Error, reply: Reply, { limits, log, ownerOf }: AppOptions): void {
  const { request } = reply;
  const { url: route, bodyLimit, config } = request.routeOptions;
  const told = faultOf(error, bodyLimit ?? limits.maxBodyBytes, config?.plugin);
  // Does not log a client's fault, or work that ended because the client left.
  if (told === null && error.name !== 'AbortError') {
    const place = config?.plugin === undefined ? '' : ` in the plugin ${config.plugin}`;
    log.error({ err: error, route }, `A request failed${place}.`);
  } else if (told !== error) log.debug({ reason: error.message, route }, 'A request was refused.');
  const fault = told ?? new RequestError(httpErrors.internal);
  const owner = request.is404 ? ownerOf?.(request.url) : null;
  const { status, headers, body } = owner?.tell(fault, request as Request) ?? tellOurs(fault, request.url);
  reply.code(status).headers(headers);
  // Lets our page frame the error. Otherwise the browser would hide even its status from the page.
  if (config?.isFramed) reply.header('content-security-policy', FRAMED_ERROR_POLICY);
  reply.send(body);
}
