import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { type MaybePromise, startingWith, withAnswer } from '../../base/maybe-promise.js';
import { EmailGoneError, type Json, type Message, type Pieces, type Reader } from '../../inbox/inboxes.js';
import type { Reply } from '../framework.js';
import type { Asking } from './large-answers.js';
import { JSON_TYPE } from './request-error.js';

/** Pieces are joined up to this size. Smaller answers are sent whole. */
const CHUNK_BYTES = 256 * 1024;

/** Small answers bypass the framework, which would copy them; large ones go in turns. The route returns the result. */
export function sendJson(
  reply: Reply,
  makeJson: () => MaybePromise<Json>,
): MaybePromise<Buffer | Readable | undefined> {
  const { largeAnswers } = reply.server;
  return withAnswer(
    largeAnswers.make(askingOf(reply), makeJson),
    (answer): MaybePromise<Buffer | Readable | undefined> => {
      reply.type(JSON_TYPE);
      if (typeof answer !== 'string') return largeText(reply, answer);
      const compress = reply.server.compressing.begin(reply, answer.length);
      if (compress !== null) return compress(inTime(reply, Buffer.from(answer, 'latin1')));
      reply.header('content-length', String(answer.length)).hijack();
      reply.server.countAnswer?.(reply.request, 200);
      reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders).end(answer, 'latin1');
      return undefined;
    },
  );
}

export function readerOf(reply: Reply): Reader {
  return reply.server.largeAnswers.readerOf(askingOf(reply));
}

export function waitForTurn(reply: Reply): Promise<(pieces: Pieces) => Pieces> {
  return reply.server.largeAnswers.wait(askingOf(reply));
}

/** A message as a body that has begun; null if it is gone. */
export async function messageIfThere(
  reply: Reply,
  read: () => MaybePromise<Message | null>,
): Promise<Buffer | Readable | null> {
  const { largeAnswers } = reply.server;
  try {
    const message = await largeAnswers.make(askingOf(reply), read);
    if (message === null) return null;
    if (!(message instanceof Uint8Array)) return await wholeOrStream(message);
    return Buffer.from(message.buffer, message.byteOffset, message.length);
  } catch (error) {
    if (error instanceof EmailGoneError) return null;
    throw error;
  }
}

function askingOf({ request, raw }: Reply): Asking {
  return { client: request.caller?.client ?? '', response: raw };
}

export function textBody(reply: Reply, text: Buffer): Buffer | Readable {
  return reply.server.compressing.begin(reply, text.length)?.(inTime(reply, text)) ?? text;
}

/** One piece with a deadline for its reader, who holds a place for compression. */
function inTime(reply: Reply, text: Buffer): AsyncIterable<Buffer> {
  return reply.server.largeAnswers.inTime(askingOf(reply), [text]);
}

async function largeText(reply: Reply, pieces: Pieces): Promise<Buffer | Readable> {
  const body = await wholeOrChunks(pieces);
  if (Buffer.isBuffer(body)) return textBody(reply, body);
  return reply.server.compressing.begin(reply, Number.POSITIVE_INFINITY)?.(body) ?? streamOf(body);
}

/** One buffer, or a stream as fast as the client reads. */
export async function wholeOrStream(pieces: Pieces): Promise<Buffer | Readable> {
  const body = await wholeOrChunks(pieces);
  return Buffer.isBuffer(body) ? body : streamOf(body);
}

async function wholeOrChunks(pieces: Pieces): Promise<Buffer | AsyncGenerator<Buffer>> {
  const chunks = joined(pieces);
  const first = await chunks.next();
  const second = await chunks.next();
  if (first.done || second.done) return first.value ?? Buffer.alloc(0);
  return startingWith([first.value, second.value], chunks);
}

function streamOf(chunks: AsyncIterable<Buffer>): Readable {
  return Readable.from(chunks, { objectMode: false });
}

export async function* joined(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.byteLength;
    if (bytes < CHUNK_BYTES) continue;
    const chunk = one(held, bytes);
    // Before `yield`, or the pieces stay in memory until the chunk is read.
    held = [];
    bytes = 0;
    yield chunk;
  }
  if (bytes > 0) yield one(held, bytes);
}

function one(pieces: readonly Uint8Array[], bytes: number): Buffer {
  const [only] = pieces;
  return Buffer.isBuffer(only) && pieces.length === 1 ? only : Buffer.concat(pieces, bytes);
}
