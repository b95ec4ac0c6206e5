import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import swagger from '@fastify/swagger';
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
  type RouteOptions,
} from 'fastify';
import { errorText, type HttpError, httpErrors } from '../errors.js';
import { type AddressRange, isInRanges } from '../limits/client-address.js';
import type { Log } from '../log.js';
import { RequestError } from './request-error.js';

export type App = FastifyInstance;
export type Request<Params = unknown> = FastifyRequest<{ Params: Params }>;
export type Reply = FastifyReply;
export type Route = RouteOptions;

/** What bounds the way of a request into a route. Times are in milliseconds. */
export interface HttpLimits {
  readonly headerTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxConnections: number;
}

export interface AppOptions {
  readonly limits: HttpLimits;
  readonly trusted: readonly AddressRange[];
  readonly corsOrigins: readonly string[];
  readonly log: Log;
  /** What is answered to a request that breaks the schema of its route. */
  explainInvalid(invalid: InvalidRequest): RequestError;
}

/** Where a request breaks the schema of its route: the part of it, and the field in that part. */
export interface InvalidRequest {
  readonly part: 'body' | 'params' | 'querystring' | 'headers';
  readonly field: string;
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

/** What every answer carries (design D17). */
const ANSWER_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** Which row of the error table tells what the framework found wrong. */
const FRAMEWORK_ERRORS: Readonly<Record<string, HttpError>> = {
  FST_ERR_BAD_URL: httpErrors.badUrl,
  FST_ERR_CTP_BODY_TOO_LARGE: httpErrors.bodyTooLarge,
  FST_ERR_CTP_EMPTY_JSON_BODY: httpErrors.badJson,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: httpErrors.badRequest,
  FST_ERR_CTP_INVALID_JSON_BODY: httpErrors.badJson,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: httpErrors.unsupportedMediaType,
  HPE_HEADER_OVERFLOW: httpErrors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: httpErrors.requestTimeout,
};

/** The HTTP framework with Mayfly's bounds, errors and headers, and no routes yet. */
export async function createApp({ limits, trusted, corsOrigins, log, explainInvalid }: AppOptions): Promise<App> {
  const logger: FastifyBaseLogger = log;
  const answering = new WeakSet<Socket>();
  const app: App = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (address) => isInRanges(address, trusted),
    bodyLimit: limits.maxBodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: STALLED_CONNECTION_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
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
    schemaErrorFormatter: ([first], part) =>
      explainInvalid({ part: part as InvalidRequest['part'], field: fieldOf(first?.instancePath ?? '') }),
    ajv: { customOptions: { coerceTypes: false } },
    frameworkErrors: (error, _request, reply) => answerError(error, reply, limits),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, answering.has(socket)),
  });
  app.server.maxConnections = limits.maxConnections;
  // An expectation that is not known may be ignored (RFC 9110 section 10.1.1); Node's own answer has no body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('request', (request, response) => {
    answering.add(request.socket);
    response.once('close', () => answering.delete(request.socket));
  });
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler((error: FastifyError, _request, reply) => answerError(error, reply, limits));
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(ANSWER_HEADERS);
  });
  answerUnknownPaths(app);
  if (corsOrigins.length > 0) await allowOrigins(app, corsOrigins);
  return app;
}

/** Makes the OpenAPI document of the routes that are added afterwards, which is `app.swagger()` once all are there. */
export async function describeApi(app: App, document: object): Promise<void> {
  await app.register(swagger, {
    openapi: document,
    refResolver: { buildLocalReference: (schema) => String(schema.$id) },
  });
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

/** The field that a JSON pointer such as `/hasOtp` begins with. */
function fieldOf(pointer: string): string {
  return pointer.split('/')[1] ?? '';
}

/**
 * Reads a query string. A parameter that is given twice becomes a list, which no schema takes; a text that is not UTF-8
 * in percent-encoding is read with replacement characters.
 */
function readQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  const parameters = new URLSearchParams(text);
  for (const name of new Set(parameters.keys())) {
    const [first = '', ...others] = parameters.getAll(name);
    query[name] = others.length === 0 ? first : [first, ...others];
  }
  return query;
}

async function allowOrigins(app: App, origins: readonly string[]): Promise<void> {
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type'],
    exposedHeaders: ['Retry-After'],
    credentials: false,
    maxAge: PREFLIGHT_MAX_AGE_S,
  });
}

/** Tells a path that does not exist from one that does but does not take the method (design D11). */
function answerUnknownPaths(app: App): void {
  const methods = new Map<string, string[]>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url !== '*') methods.set(url, [...(methods.get(url) ?? []), ...[method].flat()]);
  });
  app.setNotFoundHandler((request) => {
    const path = request.url.split('?', 1)[0] ?? '';
    for (const [pattern, allowed] of methods) {
      if (!isSamePath(pattern, path)) continue;
      const allow = [...new Set(allowed)].sort().join(', ');
      throw new RequestError(httpErrors.methodNotAllowed, { method: request.method, allow }, { allow });
    }
    throw new RequestError(httpErrors.notFound);
  });
}

function isSamePath(pattern: string, path: string): boolean {
  const expected = pattern.split('/');
  const segments = path.split('/');
  return (
    expected.length === segments.length &&
    expected.every((segment, position) => segment.startsWith(':') || segment === segments[position])
  );
}

function answerError(error: FastifyError | Error, reply: Reply, limits: HttpLimits): void {
  reply.headers(ANSWER_HEADERS);
  if (error instanceof RequestError) {
    reply.code(error.status).headers(error.headers).send({ error: error.message });
    return;
  }
  const known = FRAMEWORK_ERRORS['code' in error ? error.code : ''] ?? invalidBody(error);
  if (known === undefined) reply.log.error({ err: error, route: reply.request.routeOptions.url }, 'a request failed');
  const { status, text } = known ?? httpErrors.internal;
  reply.code(status).send({ error: errorText({ text }, { limit: limits.maxBodyBytes }) });
}

/** The framework's JSON parser throws plain errors that carry a status and no code. */
function invalidBody(error: Error): HttpError | undefined {
  return error instanceof SyntaxError && 'statusCode' in error && error.statusCode === 400
    ? httpErrors.badJson
    : undefined;
}

/** Answers what never became a request: broken HTTP, too many header bytes, a client that is too slow. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, isAnswering: boolean): void {
  // An answer that is under way would be corrupted by this one.
  if (!socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const { status, text } = FRAMEWORK_ERRORS[error.code ?? ''] ?? httpErrors.badRequest;
  const body = JSON.stringify({ error: text });
  const headers = Object.entries({
    ...ANSWER_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n${body}`);
}
