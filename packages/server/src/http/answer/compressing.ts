import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Readable, type Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { Quota } from '../../limits/quota.js';
import { Semaphore } from '../../limits/semaphore.js';
import type { Reply } from '../framework.js';
import { whenOver } from './client-left.js';

/** The preferred one first. */
const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Browsers send about 30 characters. */
const MAX_HEADER_LENGTH = 1_024;

/** The preferred encoding in Accept-Encoding (RFC 9110 section 12.5.3), or null. An unlisted `identity` comes last. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  const accepted = [header ?? ''].flat().join(',').toLowerCase();
  if (accepted === '' || accepted.length > MAX_HEADER_LENGTH) return null;
  const weights = new Map(accepted.split(',').map(weighted));
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [best] = ENCODINGS.toSorted((a, b) => weightOf(b) - weightOf(a));
  if (best === undefined || weightOf(best) === 0 || weightOf(best) < (weights.get('identity') ?? 0)) return null;
  return best;
}

/** RFC 9110 section 12.4.2; 0 if unreadable. */
function weighted(part: string): [name: string, weight: number] {
  const [name = '', parameter] = part.split(';').map((piece) => piece.trim());
  if (parameter === undefined) return [name, 1];
  const weight = /^q\s*=\s*([01](?:\.\d*)?)$/.exec(parameter)?.[1];
  return [name, Math.min(Number(weight ?? 0), 1)];
}

declare module 'fastify' {
  interface FastifyInstance {
    compressing: Compressing;
  }
}

type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Smaller answers are faster as they are. */
const LEAST_BYTES = 64 * 1024;

/** Answers compressed at a time; each takes up to half a megabyte. */
const BOUNDS = { total: 16, perClient: 2 } as const;

/** Pieces compressed at a time. Node has four threads for this, and storing mail and DNS need them, too. */
const PIECES_AT_ONCE = Math.min(2, Math.ceil(availableParallelism() / 2));

/** Bytes per piece: some milliseconds during which the other compressed answers wait. */
const PIECE_BYTES = 64 * 1024;

const CHUNK_BYTES = 64 * 1024;

/** The fastest levels; higher ones take several times as long for a few percent. */
const ENCODERS: Readonly<Record<Encoding, () => Transform>> = {
  br: () =>
    createBrotliCompress({
      chunkSize: CHUNK_BYTES,
      params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
    }),
  gzip: () => createGzip({ chunkSize: CHUNK_BYTES, level: 1 }),
};

/** Compresses large text answers on Node's threads, piece by piece. Without a free place they go uncompressed. */
export class Compressing {
  readonly #places = new Quota(BOUNDS);
  readonly #pieces = new Semaphore(PIECES_AT_ONCE);

  /** Compresses an answer of this size, with its headers set; null to send it as it is. Holds a place until the end. */
  begin(reply: Reply, bytes: number): ((pieces: Pieces) => Readable) | null {
    if (bytes < LEAST_BYTES) return null;
    vary(reply, 'Accept-Encoding');
    const { request, raw } = reply;
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    // HEAD has no body.
    if (encoding === null || request.method === 'HEAD' || raw.destroyed) return null;
    const place = this.#places.take(request.caller?.client ?? '');
    if (typeof place === 'string') return null;
    whenOver(raw, place);
    reply.header('content-encoding', encoding);
    return (pieces) => Readable.from(compressed(pieces, ENCODERS[encoding], this.#pieces), { objectMode: false });
  }
}

/** Compressed pieces. The encoder takes memory with the first and frees it at the end, even an early one. */
async function* compressed(pieces: Pieces, makeEncoder: () => Transform, semaphore: Semaphore): AsyncGenerator<Buffer> {
  const encoder = makeEncoder();
  const made: Buffer[] = [];
  encoder.on('data', (chunk: Buffer) => made.push(chunk));
  // The reader that awaits a piece handles it.
  encoder.on('error', () => {});
  try {
    for await (const piece of pieces) {
      for (let start = 0; start < piece.length; start += PIECE_BYTES) {
        await semaphore.run(() => write(encoder, piece.subarray(start, start + PIECE_BYTES)));
        yield* made.splice(0);
      }
    }
    await semaphore.run(() => end(encoder));
    yield* made.splice(0);
  } finally {
    encoder.destroy();
  }
}

function write(encoder: Transform, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    encoder.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

async function end(encoder: Transform): Promise<void> {
  const ended = once(encoder, 'end');
  encoder.end();
  await ended;
}

/** Adds a header to Vary (RFC 9110 section 12.5.5). */
function vary(reply: Reply, header: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? header : `${others}, ${header}`);
}
