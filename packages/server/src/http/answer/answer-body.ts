import { Readable } from 'node:stream';
import { type MaybePromise, startingWith, withAnswer } from '../../base/maybe-promise.js';
import { EmailGoneError, type Json, type Message, type Pieces, type Reader } from '../../inbox/inboxes.js';
import type { Reply } from '../framework.js';
import type { Asking } from './large-answers.js';
import { JSON_TYPE } from './request-error.js';

/** Pieces are joined up to this size. Smaller answers are sent whole. */
const CHUNK_BYTES = 256 * 1024;

/** Sends JSON, which has one byte for each of its characters. Large answers go in turns. */
export function sendJson(reply: Reply, makeJson: () => MaybePromise<Json>): MaybePromise<Buffer | Readable> {
  const { largeAnswers } = reply.server;
  return withAnswer(largeAnswers.make(askingOf(reply), makeJson), (answer): MaybePromise<Buffer | Readable> => {
    reply.type(JSON_TYPE);
    return typeof answer === 'string' ? textBody(reply, Buffer.from(answer, 'latin1')) : largeText(reply, answer);
  });
}

export function readerOf(reply: Reply): Reader {
  return reply.server.largeAnswers.readerOf(askingOf(reply));
}

export function waitForTurn(reply: Reply): Promise<void> {
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
  return reply.server.compressing.begin(reply, text.length)?.([text]) ?? text;
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
