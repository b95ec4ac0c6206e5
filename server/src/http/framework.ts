import cors from '@fastify/cors';
// Only its types: what a route may say of itself. The build makes the API document with it (tools/build-api.js).
import type {} from '@fastify/swagger';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
} from 'fastify';
import { httpErrors } from '../errors.js';
import { StoreAwayError } from '../inbox/inboxes.js';
import { NotCountedError } from '../limits/limiter.js';
import type { Log } from '../log.js';
import { type Soon, withAnswer } from '../soon.js';
import type { CheckFactory } from './built-api.js';
import type { Caller } from './caller.js';
import { clientFault } from './framework-errors.js';
import { type HttpEvents, sourceLabel } from './http-events.js';
import { createHttpServer, type HttpLimits } from './http-server.js';
import { KnownPaths } from './known-paths.js';
import type { Peers } from './peers.js';
import { readQuery } from './query.js';
import {
  ANSWER_HEADERS,
  ERROR_HEADER,
  JSON_TYPE,
  RequestError,
  stoppingError,
  storeAwayError,
} from './request-error.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends the request, once `Access` has seen it. */
    caller: Caller | null;
  }
  interface FastifyInstance {
    /** Null where nobody counts. */
    countAnswer: CountAnswer | null;
  }
}

export type App = FastifyInstance;
export type Request<Params = unknown> = FastifyRequest<{ Params: Params }>;
export type Reply = FastifyReply;
type Compilers = Required<NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>>;

export interface AppOptions {
  readonly limits: HttpLimits;
  readonly corsOrigins: readonly string[];
  readonly log: Log;
  /** Left out where nobody counts. */
  readonly events?: HttpEvents | undefined;
  /** What requests are checked with. */
  readonly checks: CheckFactory;
  /** Answers a browser that somebody sent to a path which does not exist; null leaves it the error in JSON. */
  readonly answerLost: ((request: Request, reply: Reply) => Buffer) | null;
}

/** Names are checked by their own rule, which needs to see the long ones too; the URL has the header bound. */
const MAX_PARAMETER_LENGTH = 64 * 1024;

/** How long a browser may remember what another origin may do, in seconds. */
const PREFLIGHT_MAX_AGE_S = 600;

/** Answers are made as their routes say and are no larger for a schema: the framework would make code of each at every start. */
const buildSerializer: Compilers['buildSerializer'] = () => () => JSON.stringify;

/** The policy of an error where our page frames the answer. */
const FRAMED_ERROR_POLICY = "default-src 'none'; frame-ancestors 'self'";

/** Throws what a request is refused with before anything of it is looked at, or rejects with it. */
export type Admit = (request: Request) => Soon<void>;

/** The HTTP framework with Mayfly's bounds, errors and headers, and no routes yet. Requests without a route are admitted too. */
export async function createApp(
  { limits, corsOrigins, log, events, checks, answerLost }: AppOptions,
  peers: Peers,
  admit: Admit,
): Promise<App> {
  // Without a logger: the framework would make one for each request, and keep request and reply for as long as a stream is open.
  const app: App = fastify({
    bodyLimit: limits.maxBodyBytes,
    // The framework's own answer has another shape than our errors.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH, querystringParser: readQuery },
    serverFactory: (answer) => createHttpServer(limits, peers, answer, events),
    // The server has answered.
    clientErrorHandler: () => {},
    // "true" and 1 must not pass for each other: a query or a body is taken as it was written.
    ajv: { customOptions: { coerceTypes: false } },
    schemaController: { compilersFactory: { buildValidator: checks as Compilers['buildValidator'], buildSerializer } },
    frameworkErrors: (error, _request, reply) => answerError(error, reply, limits.maxBodyBytes, log),
  });
  app.removeContentTypeParser('text/plain');
  const answerWith = (error: Error, reply: Reply) => answerError(error, reply, limits.maxBodyBytes, log);
  // Who is over the limit hears that first, whatever else is wrong.
  app.setErrorHandler((error: Error, { caller }, reply) =>
    caller?.counted
      ? caller.counted.then(
          () => answerWith(error, reply),
          (refusal) => answerWith(refusal, reply),
        )
      : answerWith(error, reply),
  );
  app.decorateRequest('caller', null);
  beginAnswers(app);
  countAnswers(app, events);
  const paths = knownPaths(app);
  if (corsOrigins.length > 0) await allowOrigins(app, corsOrigins, paths);
  const refuse = (request: Request) => {
    const refusal = paths.refusal(request.method, request.url);
    if (refusal.status !== 404 || answerLost === null || !isVisit(request)) throw refusal;
  };
  app.setNotFoundHandler((request: Request, reply) =>
    reply.code(404).header(ERROR_HEADER, httpErrors.notFound.code).send(answerLost?.(request, reply)),
  );
  // Hooks are called back at once: a promise each would cost more than what they do.
  app.addHook('onRequest', (request, _reply, done) => {
    const admitted = withAnswer(admit(request), () => {
      // Before its body is read, which nobody would use.
      if (request.is404) refuse(request);
    });
    if (admitted instanceof Promise) admitted.then(() => done(), done);
    else done();
  });
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

/** Adds routes that take a body as it came, whatever it is called; without one it is undefined. */
export function addRawRoutes(app: App, add: (raw: App) => void): void {
  app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: Request, body: Buffer) => body);
    add(raw);
  });
}

/** Whether somebody opened an address in a browser: nobody else asks for HTML (RFC 9110 section 12.5.1). */
function isVisit({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false);
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
    // The others are those of agents (Model Context Protocol), at /mcp.
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'MCP-Protocol-Version',
      'Mcp-Session-Id',
      'Mcp-Method',
      'Mcp-Name',
    ],
    exposedHeaders: ['Retry-After', ERROR_HEADER, 'Mcp-Session-Id'],
    credentials: false,
    maxAge: PREFLIGHT_MAX_AGE_S,
  });
}

/** Gives every answer its headers, and refuses what comes while the service is stopping. */
function beginAnswers(app: App): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onRequest', ({ socket }, reply, done) => {
    // Nobody gets the answer: the request came behind one too many (see `BrokenRequests`).
    if (socket.destroyed) reply.hijack();
    else for (const [name, value] of ANSWER_HEADER_ROWS) reply.header(name, value);
    if (isStopping) done(stoppingError());
    else done();
  });
}

/** Reports an answer of a request, as it begins. Who sends past the framework calls it himself. */
type CountAnswer = (request: FastifyRequest, status: number) => void;

/**
 * Has every answer reported that the framework sends, where somebody counts. As it begins: a hook on its end would hold request and
 * reply of each stream for as long as that is open.
 */
function countAnswers(app: App, events: HttpEvents | undefined): void {
  app.decorate('countAnswer', events === undefined ? null : countAnswer(events));
  if (app.countAnswer === null) return;
  app.addHook('onSend', (request, { statusCode }, payload, done) => {
    app.countAnswer?.(request, statusCode);
    done(null, payload);
  });
}

function countAnswer(events: HttpEvents): CountAnswer {
  // What a schema does not know is no longer in the query by then.
  return ({ routeOptions, url }, status) => {
    const source = routeOptions.config?.source ?? sourceLabel(readQuery(url.split('?', 2)[1] ?? '')) ?? 'other';
    events.answered(routeOptions.url ?? null, status, source);
  };
}

const ANSWER_HEADER_ROWS = Object.entries(ANSWER_HEADERS);

/** Notes the paths of the routes. */
function knownPaths(app: App): KnownPaths {
  const paths = new KnownPaths();
  app.addHook('onRoute', ({ url, method }) => {
    if (url !== '*') paths.add(url, [method].flat());
  });
  return paths;
}

/** What an error is answered with; null where the fault is ours. That a store is out of reach is logged where it is tried again. */
function faultOf(error: Error, maxBodyBytes: number): RequestError | null {
  const isAway = error instanceof StoreAwayError || error instanceof NotCountedError;
  return isAway ? storeAwayError() : clientFault(error, maxBodyBytes);
}

function answerError(error: Error, reply: Reply, maxBodyBytes: number, log: Log): void {
  const { url: route, bodyLimit } = reply.request.routeOptions;
  const told = error instanceof RequestError ? error : faultOf(error, bodyLimit ?? maxBodyBytes);
  // What a client does is no fault of ours, and neither is what ended because it has left.
  if (told === null && error.name !== 'AbortError') log.error({ err: error, route }, 'a request failed');
  else if (told !== error) log.debug({ reason: error.message, route }, 'a request was broken');
  const { status, headers, body } = told ?? new RequestError(httpErrors.internal);
  reply.code(status).headers(headers);
  // A browser tells our page nothing of an answer that it may not show in its frame, not even the status.
  if (reply.request.routeOptions.config?.isFramed) reply.header('content-security-policy', FRAMED_ERROR_POLICY);
  reply.type(JSON_TYPE).send(body);
}
