import type { RequestListener, Server } from 'node:http';
// Only its types: what a route may say of itself. The build makes the API document with it (tools/build-api.js).
import type {} from '@fastify/swagger';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
  type preParsingHookHandler,
  type RouteOptions,
} from 'fastify';
import type { Log } from '../base/log.js';
import { type MaybePromise, withAnswer } from '../base/maybe-promise.js';
import { httpErrors } from '../errors.js';
import { StoreAwayError, StoreFullDiskError, ThreadsClosedError } from '../inbox/inboxes.js';
import { NotCountedError } from '../limits/rate-limiter.js';
import {
  ANSWER_HEADERS,
  clientFault,
  diskFullError,
  ERROR_HEADER,
  HINT_HEADER,
  JSON_TYPE,
  RequestError,
  stoppingError,
  storeAwayError,
  type Tell,
  type ToldError,
} from './answer/request-error.js';
import type { CheckFactory } from './built-api.js';
import type { HttpLimits } from './connection/http-server.js';
import { type HttpEvents, sourceLabel } from './http-events.js';
import { readQuery } from './request/fields.js';
import { KnownPaths, type OptionalPart } from './request/known-paths.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until `Access.check` has seen the request. */
    caller: Caller | null;
  }
  interface FastifyInstance {
    countAnswer: CountAnswer | null;
    /** Answers as if the path did not exist. Throws 404, or sends the page. */
    answerAsLost(request: FastifyRequest, reply: FastifyReply): void;
  }
}

export interface Caller {
  /** The client's key where clients are counted. */
  readonly client: string;
  workspace: string | null;
  /** The space whose pair the request shows (D66). */
  space: string | null;
  /** The private inbox whose secret the request shows. */
  privateInbox: string | null;
  /** Settles when the request is counted, and rejects with why it is refused; null where nothing is waited for. */
  counted: Promise<void> | null;
}

export type App = FastifyInstance;
export type Request<Params = unknown> = FastifyRequest<{ Params: Params }>;
export type Reply = FastifyReply;
export type AddedRoute = RouteOptions;
type Compilers = Required<NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>>;

export interface AppOptions {
  readonly limits: Pick<HttpLimits, 'maxBodyBytes'>;
  readonly openServer: (answer: RequestListener) => Server;
  /** Paths that take a POST elsewhere, for the answer to other methods. */
  readonly posted: readonly string[];
  readonly optionalParts?: readonly OptionalPart[];
  readonly corsOrigins: readonly string[];
  readonly log: Log;
  readonly events?: HttpEvents | undefined;
  readonly checks: CheckFactory;
  /** How errors are told that no route answers. */
  readonly tell?: Tell | undefined;
  /** Answers a browser's visit to a path that does not exist; null answers it in JSON. */
  readonly answerLost: ((request: Request, reply: Reply) => Buffer) | null;
}

/** Longer than any name: names are checked by their own rule, which tells what is wrong. */
const MAX_PARAMETER_LENGTH = 64 * 1024;

const PREFLIGHT_MAX_AGE_S = 600;

/** The framework would compile code for each schema at every start. */
const buildSerializer: Compilers['buildSerializer'] = () => () => JSON.stringify;

const FRAMED_ERROR_POLICY = "default-src 'none'; frame-ancestors 'self'";

/** Throws why a request is refused before anything of it is read, or rejects with it. */
export type Admit = (request: Request) => MaybePromise<void>;

/** The HTTP framework with Mayfly's bounds, errors and headers, without routes. Unknown paths are admitted, too. */
export async function createApp(
  { limits, openServer, posted, optionalParts, corsOrigins, log, events, checks, answerLost, tell }: AppOptions,
  admit: Admit,
): Promise<App> {
  // Without a logger: the framework would keep request and reply for as long as a stream is open.
  const app: App = fastify({
    bodyLimit: limits.maxBodyBytes,
    // What is under way at a stop has bounds of its own, which are as long.
    pluginTimeout: 0,
    // The framework's own answer has another shape than our errors.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH, querystringParser: readQuery },
    serverFactory: openServer,
    // The server has answered.
    clientErrorHandler: () => {},
    // "true" and 1 must not pass for each other: a query or a body is taken as it was written.
    ajv: { customOptions: { coerceTypes: false } },
    schemaController: { compilersFactory: { buildValidator: checks as Compilers['buildValidator'], buildSerializer } },
    frameworkErrors: (error, request, reply) => {
      const told = tell === undefined ? null : clientFault(error, limits.maxBodyBytes);
      if (tell === undefined || told === null) answerError(error, reply, limits.maxBodyBytes, log);
      else sendTold(reply, tell(told, request.raw.url));
    },
  });
  app.removeContentTypeParser('text/plain');
  // A plugin may throw null.
  const answerWith = (error: Error | null, reply: Reply) =>
    answerError(error ?? new Error('null was thrown'), reply, limits.maxBodyBytes, log);
  // A client over its limit hears that first, whatever else is wrong.
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
  const paths = knownPaths(app, optionalParts);
  for (const path of posted) paths.add(path, ['POST']);
  if (corsOrigins.length > 0) await allowOrigins(app, corsOrigins, paths);
  const refuse = (request: Request) => {
    const refusal = paths.refusal(request.method, request.url);
    if (refusal.status !== 404) throw refusal;
    if (answerLost === null || !isVisit(request)) throw paths.absence(request.url);
  };
  app.setNotFoundHandler((request: Request, reply) =>
    reply.code(404).header(ERROR_HEADER, httpErrors.notFound.code).send(answerLost?.(request, reply)),
  );
  app.decorate('answerAsLost', (request: FastifyRequest, reply: FastifyReply) => {
    if (answerLost === null || !isVisit(request as Request)) throw new RequestError(httpErrors.notFound);
    reply.callNotFound();
  });
  // Called back at once: a promise for each request costs more than these hooks do.
  app.addHook('onRequest', (request, _reply, done) => {
    const admitted = withAnswer(admit(request), () => {
      if (request.is404) refuse(request);
    });
    if (admitted instanceof Promise) admitted.then(() => done(), done);
    else done();
  });
  return app;
}

/** Adds routes whose body is read as a form, whatever its type; without a body it is empty. */
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

/** Adds routes that take no body: one that comes all the same is ignored. */
export function addBodilessRoutes(app: App, add: (bodiless: App) => void): void {
  app.register(async (bodiless) => {
    bodiless.removeAllContentTypeParsers();
    bodiless.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined);
    add(bodiless);
  });
}

/** Adds routes that take a body as it came, whatever its type, or undefined. A coded body is answered 415. */
export function addRawRoutes(app: App, add: (raw: App) => void): void {
  app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: Request, body: Buffer) => body);
    raw.addHook('preParsing', refuseCoding);
    add(raw);
  });
}

/** For routes whose body must not be read if it is coded. Answers 415. */
export const refuseCoding: preParsingHookHandler = (request, _reply, body, done) =>
  done(refusalOfCoding(request as Request), body);

/** Why a coded body is not read (RFC 9110 section 15.5.16): read as plain, it would do what its client did not ask. */
function refusalOfCoding({ method, headers }: Request): RequestError | null {
  const { 'content-encoding': coding = 'identity' } = headers;
  if (method === 'GET' || method === 'HEAD' || coding.toLowerCase() === 'identity') return null;
  return new RequestError(httpErrors.unsupportedContentEncoding, {}, { 'accept-encoding': 'identity' });
}

/** Only browsers ask for HTML (RFC 9110 section 12.5.1). */
function isVisit({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false);
}

async function allowOrigins(app: App, origins: readonly string[], paths: KnownPaths): Promise<void> {
  app.addHook('onRequest', async ({ method, url, headers }) => {
    const isPreflight = headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
    // The plugin would answer with a text of its own.
    if (method === 'OPTIONS' && !isPreflight) throw paths.refusal(method, url);
  });
  // Most services allow no origin.
  const { default: cors } = await import('@fastify/cors');
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
    exposedHeaders: ['Retry-After', ERROR_HEADER, HINT_HEADER, 'Mcp-Session-Id'],
    credentials: false,
    maxAge: PREFLIGHT_MAX_AGE_S,
  });
}

function beginAnswers(app: App): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onRequest', ({ socket }, reply, done) => {
    // The connection was cut for a request too many (see `BrokenRequests`).
    if (socket.destroyed) reply.hijack();
    else for (const [name, value] of ANSWER_HEADER_ROWS) reply.header(name, value);
    if (isStopping) done(stoppingError());
    else done();
  });
}

/** Reports an answer as it begins. Whatever sends past the framework calls it itself. */
type CountAnswer = (request: FastifyRequest, status: number) => void;

/** Counts answers as they begin: a hook on their end would hold each stream's request and reply while it is open. */
function countAnswers(app: App, events: HttpEvents | undefined): void {
  app.decorate('countAnswer', events === undefined ? null : countAnswer(events));
  if (app.countAnswer === null) return;
  app.addHook('onSend', (request, { statusCode }, payload, done) => {
    app.countAnswer?.(request, statusCode);
    done(null, payload);
  });
}

function countAnswer(events: HttpEvents): CountAnswer {
  // By then the schema has dropped an unknown `source` from the query.
  return ({ routeOptions, url }, status) => {
    const source = routeOptions.config?.source ?? sourceLabel(readQuery(url.split('?', 2)[1] ?? '')) ?? 'other';
    events.answered(routeOptions.url ?? null, status, source);
  };
}

const ANSWER_HEADER_ROWS = Object.entries(ANSWER_HEADERS);

function knownPaths(app: App, optionalParts: readonly OptionalPart[] | undefined): KnownPaths {
  const paths = new KnownPaths(optionalParts);
  app.addHook('onRoute', ({ url, method, prefix }) => {
    if (url !== '*') paths.add(url, [method].flat(), prefix);
  });
  return paths;
}

/** What a client is told of an error; null where the fault is ours. A store that is away is logged elsewhere. */
export function faultOf(error: Error, maxBodyBytes: number, plugin?: string): RequestError | null {
  if (error instanceof RequestError) return error;
  const isAway = error instanceof StoreAwayError || error instanceof NotCountedError;
  if (error instanceof StoreFullDiskError) return diskFullError(error);
  if (error instanceof ThreadsClosedError) return stoppingError();
  return isAway ? storeAwayError() : clientFault(error, maxBodyBytes, plugin);
}

function sendTold(reply: Reply, { status, headers, body }: ToldError): void {
  reply.code(status).headers(headers).send(body);
}

function answerError(error: Error, reply: Reply, maxBodyBytes: number, log: Log): void {
  const { url: route, bodyLimit, config } = reply.request.routeOptions;
  const told = faultOf(error, bodyLimit ?? maxBodyBytes, config?.plugin);
  // Not logged as ours: a client's fault, and what ended because the client has left.
  if (told === null && error.name !== 'AbortError') {
    const place = config?.plugin === undefined ? '' : ` in the plugin ${config.plugin}`;
    log.error({ err: error, route }, `A request failed${place}.`);
  } else if (told !== error) log.debug({ reason: error.message, route }, 'A request was refused.');
  const { status, headers, body } = told ?? new RequestError(httpErrors.internal);
  reply.code(status).headers(headers);
  // Without it a browser tells our page not even the status of a framed answer.
  if (config?.isFramed) reply.header('content-security-policy', FRAMED_ERROR_POLICY);
  reply.type(JSON_TYPE).send(body);
}
