import { piecesWithoutBareCr } from '../mail/mime/line-ends.js';
import type { LocatedPart } from '../mail/mime/part-list.js';
import { decodedPortions } from '../mail/mime/portions.js';
import type { Pieces } from './read.js';
import { inTurns, type Turns } from './turns.js';

/** One part of a message, its content decoded and in bounded pieces, each made when it is asked for. */
export interface OpenedPart extends Pick<LocatedPart, 'type' | 'charset' | 'filename' | 'size'> {
  readonly content: Pieces;
}

/** Opens the part that lies in a message as it was located. Others have turns between the pieces that are read and decoded for it. */
export function openPart(
  { type, charset, filename, size, ...place }: LocatedPart,
  pieces: Pieces,
  turns: Turns,
): OpenedPart {
  const encoded = range(inTurns(pieces, turns), place);
  const content = decodedPortions(place.bareCr ? piecesWithoutBareCr(encoded) : encoded, place.transferEncoding);
  return { type, charset, filename, size, content };
}

/** The bytes from `start` to `end`, in pieces. What follows them is not read. */
async function* range(
  pieces: Pieces,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of pieces) {
    const from = Math.max(0, start - at);
    const to = end - at;
    at += piece.length;
    if (from < piece.length && from < to) yield piece.subarray(from, to);
    if (at >= end) return;
  }
}
