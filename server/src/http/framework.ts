import cors from '@fastify/cors';
// Only its types: what a route may say of itself. The build makes the API document with it (tools/build-api.js).
import type {} from '@fastify/swagger';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
  LogController,
} from 'fastify';
import { httpErrors } from '../errors.js';
import type { Log } from '../log.js';
import { BrokenRequests } from './broken-requests.js';
import type { CheckFactory } from './built-api.js';
import { clientFault } from './framework-errors.js';
import { KnownPaths } from './known-paths.js';
import { readQuery } from './query.js';
import { ANSWER_HEADERS, ERROR_HEADER, RequestError, retryAfter } from './request-error.js';

export type App = FastifyInstance;
export type Request<Params = unknown> = FastifyRequest<{ Params: Params }>;
export type Reply = FastifyReply;
type Compilers = Required<NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>>;

/** What bounds the way of a request into a route. Times are in milliseconds. */
export interface HttpLimits {
  readonly headerTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxConnections: number;
}

export interface AppOptions {
  readonly limits: HttpLimits;
  readonly corsOrigins: readonly string[];
  readonly log: Log;
  /** What requests are checked with. */
  readonly checks: CheckFactory;
}

/** How often Node looks for requests that take too long. */
const TIMEOUT_CHECK_MS = 1_000;

/** A client that reads nothing, or sends nothing, for so long is dropped. A stream has a heartbeat before. */
const STALLED_CONNECTION_MS = 30_000;

/** How long an idle connection is kept for the next request. */
const KEEP_ALIVE_MS = 10_000;

/** Names are checked by their own rule, which needs to see the long ones too; the URL has the header bound. */
const MAX_PARAMETER_LENGTH = 64 * 1024;

/** How long a browser may remember what another origin may do, in seconds. */
const PREFLIGHT_MAX_AGE_S = 600;

/** After how long a client may try again that came while the service was stopping. */
const RESTART_RETRY_MS = 1_000;

/** Answers are made as their routes say and are no larger for a schema: the framework would make code of each at every start. */
const buildSerializer: Compilers['buildSerializer'] = () => () => JSON.stringify;

/** The HTTP framework with Mayfly's bounds, errors and headers, and no routes yet. */
export async function createApp({ limits, corsOrigins, log, checks }: AppOptions): Promise<App> {
  const logger: FastifyBaseLogger = log;
  const broken = new BrokenRequests(limits.maxBodyBytes);
  const app: App = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.maxBodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: STALLED_CONNECTION_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The framework's own answer has another shape than our errors.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH, querystringParser: readQuery },
    http: {
      // Node compares the two when it makes the server, which is before the framework sets the one above.
      requestTimeout: limits.requestTimeoutMs,
      headersTimeout: limits.headerTimeoutMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Node would answer without a body; the Host check answers in its place.
      requireHostHeader: false,
    },
    // "true" and 1 must not pass for each other: a query or a body is taken as it was written.
    ajv: { customOptions: { coerceTypes: false } },
    schemaController: { compilersFactory: { buildValidator: checks as Compilers['buildValidator'], buildSerializer } },
    frameworkErrors: (error, _request, reply) => answerError(error, reply, limits.maxBodyBytes),
    clientErrorHandler: (error, socket) => broken.answer(error, socket),
  });
  app.server.maxConnections = limits.maxConnections;
  // An expectation that is not known may be ignored (RFC 9110 section 10.1.1); Node's own answer has no body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Before the framework has it: what is one too many is given up there.
  app.server.prependListener('request', (request, response) => broken.begin(request, response));
  app.server.on('connect', (_request, socket) => broken.refuseMethod(socket));
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler((error: Error, _request, reply) => answerError(error, reply, limits.maxBodyBytes));
  app.addHook('onRequest', async ({ socket }, reply) => {
    // Nobody gets the answer: the request came behind one too many (see `BrokenRequests`).
    if (socket.destroyed) reply.hijack();
    else reply.headers(ANSWER_HEADERS);
  });
  refuseWhileStopping(app);
  const paths = knownPaths(app);
  if (corsOrigins.length > 0) await allowOrigins(app, corsOrigins, paths);
  return app;
}

/** Adds routes whose body is a form, whatever it is called; without a body it is an empty one. */
export function addFormRoutes(app: App, add: (forms: App) => void): void {
  app.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser('*', { parseAs: 'string' }, async (_request: Request, body: string) => readQuery(body));
    forms.addHook('preValidation', async (request) => {
      request.body ??= {};
    });
    add(forms);
  });
}

/** Adds routes that take no body: one that comes all the same changes nothing, nor does a type without a body. */
export function addBodilessRoutes(app: App, add: (bodiless: App) => void): void {
  app.register(async (bodiless) => {
    bodiless.removeAllContentTypeParsers();
    bodiless.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined);
    add(bodiless);
  });
}

async function allowOrigins(app: App, origins: readonly string[], paths: KnownPaths): Promise<void> {
  app.addHook('onRequest', async ({ method, url, headers }) => {
    const isPreflight = headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
    // The plugin would answer with a text of its own.
    if (method === 'OPTIONS' && !isPreflight) throw paths.refusal(method, url);
  });
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type'],
    exposedHeaders: ['Retry-After', ERROR_HEADER],
    credentials: false,
    maxAge: PREFLIGHT_MAX_AGE_S,
  });
}

/** A connection that is kept for the next request would otherwise keep a stopping service from its end. */
function refuseWhileStopping(app: App): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onRequest', async () => {
    if (!isStopping) return;
    throw new RequestError(httpErrors.stopping, {}, { ...retryAfter(RESTART_RETRY_MS), connection: 'close' });
  });
}

/** Notes the paths of the routes, and answers what has no route before its body is read, which nobody would use. */
function knownPaths(app: App): KnownPaths {
  const paths = new KnownPaths();
  app.addHook('onRoute', ({ url, method }) => {
    if (url !== '*') paths.add(url, [method].flat());
  });
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (request.is404) throw paths.refusal(request.method, request.url);
    return payload;
  });
  return paths;
}

function answerError(error: Error, reply: Reply, maxBodyBytes: number): void {
  const told = error instanceof RequestError ? error : clientFault(error, maxBodyBytes);
  const { url: route } = reply.request.routeOptions;
  // What a client does is no fault of ours, and neither is what ended because it has left.
  if (told === null && error.name !== 'AbortError') reply.log.error({ err: error, route }, 'a request failed');
  else if (told !== error) reply.log.debug({ reason: error.message, route }, 'a request was broken');
  const { status, headers, message } = told ?? new RequestError(httpErrors.internal);
  reply.code(status).headers(headers).send({ error: message });
}
