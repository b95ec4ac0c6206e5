import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import {
  EmailGoneError,
  type Json,
  type Leaving,
  type Message,
  type Pieces,
  type Reader,
} from '../../inbox/inboxes.js';
import type { HeldBytes } from '../../limits/client-memory.js';
import { Quota } from '../../limits/quota.js';
import { FairSemaphore, type Release, releaseWhenOver } from '../../limits/semaphore.js';
import type { Reply, Request } from '../framework.js';
import type { HttpEvents } from '../http-events.js';
import { JSON_TYPE, RETRY_SOON, RequestError, stoppingError } from './request-error.js';

declare module 'fastify' {
  interface FastifyInstance {
    answers: Answers;
  }
}

/** Maximum number of answers that are sent in pieces at a time. Each holds its bytes until the client has read them. */
const IN_PIECES = { total: 64, perClient: 16 } as const;
const PIECES_BYTES = 1024 * 1024;

/** Pieces are joined up to this size. */
const CHUNK_BYTES = 256 * 1024;

/** Maximum number of answers that are compressed at a time. Each takes up to half a megabyte (D34). */
const COMPRESSED = { total: 16, perClient: 2 } as const;
const LEAST_COMPRESSED_BYTES = 64 * 1024;

type Answer = Json | Message | null;
type Making<A> = () => A | Promise<A>;

export type Answers = ReturnType<typeof answersOf>;

/** Limits the large answers of all clients. Answers in pieces wait for their turn, as parsing does (D40). */
export function answersOf(clock: Clock, held: HeldBytes, events?: HttpEvents) {
  const busy = () => {
    events?.limited('large-answers');
    return new RequestError(httpErrors.tooManyAnswers, {}, RETRY_SOON);
  };
  const turns = new FairSemaphore({ clock, bounds: IN_PIECES, held, busy, closed: stoppingError });

  function readerOf(client: string, response: ServerResponse): Reader {
    const controller = new AbortController();
    const { signal } = controller;
    const cut = () => response.req.socket.destroy();
    const hold = (bytes: number) => held.set(response, { client, bytes: signal.aborted ? 0 : bytes, cut });
    whenOver(response, () => {
      controller.abort();
      hold(0);
    });
    return { client, signal, cut, hold };
  }

  function begin(release: Release, reader: Reader): void {
    releaseWhenOver(release, reader);
    reader.hold(PIECES_BYTES);
  }

  /** Waits for a turn, for an answer that is too costly to make twice, as `make` may do. Rejects like `make`. */
  async function wait(client: string, response: ServerResponse): Promise<void> {
    const reader = readerOf(client, response);
    begin(await turns.acquire(reader), reader);
  }

  /** The answer; undefined if it must wait. Separate from `make`, to free the memory of an answer that is dropped. */
  async function makeNow<A extends Answer>(client: string, response: ServerResponse, make: Making<A>) {
    if (held.isFullFor(client)) return undefined;
    const answer = await make();
    if (answer === null || typeof answer === 'string' || answer instanceof Uint8Array) return answer;
    const release = turns.tryAcquire(client);
    if (release === null) return undefined;
    begin(release, readerOf(client, response));
    return answer;
  }

  /**
   * Makes an answer. If an answer in pieces must wait for its client's turn, drops it and makes it again then, because
   * answers that wait must hold no memory. Rejects with 503, or with the signal's reason.
   */
  async function make<A extends Answer>(client: string, response: ServerResponse, make: Making<A>): Promise<A> {
    const answer = await makeNow(client, response, make);
    if (answer !== undefined) return answer;
    await wait(client, response);
    return make();
  }

  return { turns, compressed: new Quota(COMPRESSED), readerOf, wait, make };
}

/** Sends JSON in UTF-8, given as a `ByteText` with one character per byte. Large answers take turns. */
export async function sendJson(reply: Reply, makeJson: Making<Json>): Promise<Uint8Array | Readable | Reply> {
  const json = await reply.server.answers.make(reply.request.caller.client, reply.raw, makeJson);
  reply.type(JSON_TYPE);
  if (typeof json === 'string') {
    const encoder = encoderFor(reply, json.length);
    if (encoder !== null) return encoder.end(json, 'latin1');
    // Bypasses Fastify, which would send a string as UTF-8. Making a buffer instead takes a tenth of a fetch's time.
    sendHead(reply, { 'content-length': json.length });
    reply.raw.end(json, 'latin1');
    return reply;
  }
  const body = await streamOf(json);
  const encoder = encoderFor(reply, Number.POSITIVE_INFINITY);
  return encoder === null ? body : pipeline(body, encoder, () => {});
}

/** Sends the status and the headers. Bypasses Fastify, which then releases what it made for the request. */
export function sendHead(reply: Reply, headers: Readonly<Record<string, string | number>>): void {
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.headers(headers).getHeaders() as OutgoingHttpHeaders);
  reply.server.countAnswer(reply.request, reply.statusCode);
}

export function textBody(reply: Reply, text: Uint8Array): Uint8Array | Readable {
  return encoderFor(reply, text.length)?.end(text) ?? text;
}

/** The body of a message, once its first bytes have been read; null if the message is gone. */
export async function messageIfThere(
  reply: Reply,
  read: Making<Message | null>,
): Promise<Uint8Array | Readable | null> {
  try {
    const message = await reply.server.answers.make(reply.request.caller.client, reply.raw, read);
    return message === null || message instanceof Uint8Array ? message : await streamOf(message);
  } catch (error) {
    if (error instanceof EmailGoneError) return null;
    throw error;
  }
}

export function readerOf(reply: Reply): Reader {
  return reply.server.answers.readerOf(reply.request.caller.client, reply.raw);
}

export function waitForTurn(reply: Reply): Promise<void> {
  return reply.server.answers.wait(reply.request.caller.client, reply.raw);
}

/** A body that is read as fast as the client reads. Rejects if the first chunk fails, in time for an error response. */
export async function streamOf(pieces: Pieces): Promise<Readable> {
  const body = Readable.from(joined(pieces), { objectMode: false });
  await once(body, 'readable');
  return body;
}

export async function* joined(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.byteLength;
    if (bytes < CHUNK_BYTES) continue;
    const chunk = Buffer.concat(held, bytes);
    // Cleared before `yield`. Otherwise the pieces stay in memory until the chunk is read.
    held = [];
    bytes = 0;
    yield chunk;
  }
  if (bytes > 0) yield Buffer.concat(held, bytes);
}

/** The preferred encoding comes first. */
const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Maximum length of Accept-Encoding. Browsers send about 30 characters. */
const MAX_HEADER_LENGTH = 1_024;

/** The first of our encodings that Accept-Encoding names without forbidding it (RFC 9110 section 12.5.3), or null. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  const accepted = [header ?? ''].flat().join(',').toLowerCase();
  if (accepted.length > MAX_HEADER_LENGTH) return null;
  const named = accepted.split(',').map((part) => part.split(';').map((piece) => piece.trim()));
  return (
    ENCODINGS.find((encoding) => named.some(([name, weight]) => name === encoding && !NO_WEIGHT.test(weight ?? ''))) ??
    null
  );
}

/** A weight of 0 means "not acceptable" (RFC 9110 section 12.4.2). */
const NO_WEIGHT = /^q\s*=\s*0(?:\.0*)?$/;

/** Loaded by the first compressed body, so that the start is faster. */
const zlib = () => process.getBuiltinModule('node:zlib');

/** The fastest levels. Higher levels take several times as long to save a few percent more. */
const ENCODERS: Readonly<Record<Encoding, () => Transform>> = {
  br: () =>
    zlib().createBrotliCompress({
      chunkSize: LEAST_COMPRESSED_BYTES,
      params: { [zlib().constants.BROTLI_PARAM_QUALITY]: 1, [zlib().constants.BROTLI_PARAM_LGWIN]: 18 },
    }),
  gzip: () => zlib().createGzip({ chunkSize: LEAST_COMPRESSED_BYTES, level: 1 }),
};

/** The encoder for a body; null to send the body uncompressed, such as when no slot is free. Sets the headers. */
function encoderFor(reply: Reply, bytes: number): Transform | null {
  if (bytes < LEAST_COMPRESSED_BYTES) return null;
  const { request, raw } = reply;
  // RFC 9110 section 12.5.5.
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? 'Accept-Encoding' : `${others}, Accept-Encoding`);
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  // HEAD has no body.
  if (encoding === null || request.method === 'HEAD' || raw.destroyed) return null;
  const place = reply.server.answers.compressed.take(reply.request.caller.client);
  if (typeof place === 'string') return null;
  whenOver(raw, place);
  reply.header('content-encoding', encoding);
  return ENCODERS[encoding]();
}

/** Calls `over` once: when a client has its answer or leaves, or immediately if it has already left. */
export function whenOver(response: ServerResponse, over: () => void): void {
  // A client that has already left emits no more events.
  if (response.destroyed || response.req.socket.destroyed) over();
  else response.on('close', over);
}

/** A signal for code that polls: `aborted` is true once the client has left. */
export function leavingOf({ socket }: Request): Leaving {
  return {
    get aborted() {
      return socket.destroyed || socket.writableEnded;
    },
  };
}
