import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Json, Pieces } from '../inbox/read.js';
import { type Soon, withAnswer } from '../soon.js';
import { startingWith } from '../starting-with.js';
import type { Reply } from './framework.js';
import type { Asking } from './large-answers.js';
import { JSON_TYPE } from './request-error.js';

/** Pieces are joined until they are so large. An answer that is smaller is sent whole; of a larger one, few are held. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Sends JSON: at once where it is small, past the framework, which would make bytes of it first; otherwise no faster than the
 * client reads, and in turns (see `LargeAnswers.make`). A large one is compressed where that is asked for. What it answers is the route's
 * to return.
 */
export function sendJson(reply: Reply, makeJson: () => Soon<Json>): Soon<Buffer | Readable | undefined> {
  const { largeAnswers } = reply.server;
  return withAnswer(largeAnswers.make(askingOf(reply), makeJson), (answer): Soon<Buffer | Readable | undefined> => {
    reply.type(JSON_TYPE);
    if (typeof answer !== 'string') return largeText(reply, answer);
    const compress = reply.server.compressing.begin(reply, answer.length);
    if (compress !== null) return compress([Buffer.from(answer, 'latin1')]);
    reply.header('content-length', String(answer.length)).hijack();
    reply.server.countAnswer?.(reply.request, 200);
    reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders).end(answer, 'latin1');
    largeAnswers.holdUnread(askingOf(reply), answer.length);
    return undefined;
  });
}

/** Whom a reply is for. */
export function askingOf({ request, raw }: Reply): Asking {
  return { client: request.caller?.client ?? '', response: raw };
}

/** A text that is at hand as it is to be sent: compressed where it is large and that is asked for. */
export function textBody(reply: Reply, text: Buffer): Buffer | Readable {
  return reply.server.compressing.begin(reply, text.length)?.([text]) ?? text;
}

async function largeText(reply: Reply, pieces: Pieces): Promise<Buffer | Readable> {
  const body = await wholeOrChunks(pieces);
  if (Buffer.isBuffer(body)) return textBody(reply, body);
  return reply.server.compressing.begin(reply, Number.POSITIVE_INFINITY)?.(body) ?? streamOf(body);
}

/** Pieces as one buffer where they are few, and otherwise as a stream that reads no faster than the client does. */
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

/** Joins small pieces, so that none of them is a packet of its own. */
export async function* joined(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.byteLength;
    if (bytes < CHUNK_BYTES) continue;
    const chunk = one(held, bytes);
    // Before the chunk is handed on: for as long as the client takes to read it, the pieces would be in memory beside it.
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
