import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Readable, type Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { Quota } from '../../fairness/quota.js';
import { Semaphore } from '../../fairness/semaphore.js';
import type { Reply } from '../framework.js';
import { whenOver } from './client-left.js';

/** The preferred one first. */
const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Browsers send some 30 characters. */
const MAX_HEADER_LENGTH = 1_024;

/** The preferred encoding of Accept-Encoding (RFC 9110 section 12.5.3), or null. An unnamed `identity` comes last. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  const accepted = [header ?? ''].flat().join(',').toLowerCase();
  if (accepted === '' || accepted.length > MAX_HEADER_LENGTH) return null;
  const weights = new Map(accepted.split(',').map(weighted));
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [best] = ENCODINGS.toSorted((a, b) => weightOf(b) - weightOf(a));
  if (best === undefined || weightOf(best) === 0 || weightOf(best) < (weights.get('identity') ?? 0)) return null;
  return best;
}

/** RFC 9110 section 12.4.2; 0 for a weight that cannot be read. */
function weighted(part: string): [name: string, weight: number] {
  const [name = '', parameter] = part.split(';').map((piece) => piece.trim());
  if (parameter === undefined) return [name, 1];
  const weight = /^q\s*=\s*([01](?:\.\d*)?)$/.exec(parameter)?.[1];
  return [name, Math.min(Number(weight ?? 0), 1)];
}

declare module 'fastify' {
  interface FastifyInstance {
    /** What compresses the answers of this service. */
    compressing: Compressing;
  }
}

type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Smaller answers are faster as they are. */
const LEAST_BYTES = 64 * 1024;

/** How many answers are compressed at a time: each holds up to half a megabyte for it. */
const BOUNDS = { total: 16, perClient: 2 } as const;

/**
 * How many pieces are compressed at the same moment. Node has four threads for this, and what stores mail and looks up
 * names needs them too; and whoever compresses must leave processors to all others.
 */
const PIECES_AT_ONCE = Math.min(2, Math.ceil(availableParallelism() / 2));

/** How much is compressed in one go: some milliseconds' work, for which others wait who compress. */
const PIECE_BYTES = 64 * 1024;

/** What comes out is handed on in buffers of this size. */
const CHUNK_BYTES = 64 * 1024;

/** The fastest levels: those above take several times as long to make mail smaller by some percent. */
const ENCODERS: Readonly<Record<Encoding, () => Transform>> = {
  br: () =>
    createBrotliCompress({
      chunkSize: CHUNK_BYTES,
      params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
    }),
  gzip: () => createGzip({ chunkSize: CHUNK_BYTES, level: 1 }),
};

/**
 * Compresses large answers of text for clients that ask for it: on Node's threads, in pieces between which others have
 * turns, no faster than the client reads, and so many at a time. A client that comes while all places are taken has the
 * answer as it is, at once: nobody waits for a place.
 */
export class Compressing {
  readonly #places = new Quota(BOUNDS);
  readonly #pieces = new Semaphore(PIECES_AT_ONCE);

  /**
   * What compresses an answer of so many bytes; null where it is to be sent as it is. The headers of the answer are set
   * for that. The place is given back when the answer is over, or its client has left.
   */
  begin(reply: Reply, bytes: number): ((pieces: Pieces) => Readable) | null {
    if (bytes < LEAST_BYTES) return null;
    vary(reply, 'Accept-Encoding');
    const { request, raw } = reply;
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    // Of an answer to HEAD nothing would be left.
    if (encoding === null || request.method === 'HEAD' || raw.destroyed) return null;
    const place = this.#places.take(request.caller?.client ?? '');
    if (typeof place === 'string') return null;
    whenOver(raw, place);
    reply.header('content-encoding', encoding);
    return (pieces) => Readable.from(compressed(pieces, ENCODERS[encoding], this.#pieces), { objectMode: false });
  }
}

/** Pieces, compressed. The encoder takes its memory with the first and frees it at the end, even an early one. */
async function* compressed(pieces: Pieces, makeEncoder: () => Transform, semaphore: Semaphore): AsyncGenerator<Buffer> {
  const encoder = makeEncoder();
  const made: Buffer[] = [];
  encoder.on('data', (chunk: Buffer) => made.push(chunk));
  // The reader that waits for a piece handles it.
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

/** Resolves when the encoder has taken a piece; what comes out of it by then has been emitted. */
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

/** Notes that an answer depends on a header of its request (RFC 9110 section 12.5.5). */
function vary(reply: Reply, header: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? header : `${others}, ${header}`);
}
