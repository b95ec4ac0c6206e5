import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { Quota } from '../../limits/quota.js';
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

/** Compresses large text answers on Node's threads. Without a free place they go uncompressed. */
export class Compressing {
  readonly #places = new Quota(BOUNDS);

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
    return (pieces) => pipeline(Readable.from(pieces, { objectMode: false }), ENCODERS[encoding](), () => {});
  }
}

/** Adds a header to Vary (RFC 9110 section 12.5.5). */
function vary(reply: Reply, header: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? header : `${others}, ${header}`);
}
