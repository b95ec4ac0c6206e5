import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type Composed, type Composition, compose, composeUnread } from './compose.js';

/** What the composer asks of a worker thread. */
export interface WorkerTask {
  readonly composition: Composition;
  /** False when reading this message failed before: then only its raw text is kept. */
  readonly readable: boolean;
}

/** Runs in a worker thread: composes one message, and hands its bytes over without copying the large ones. */
export default function work({ composition, readable }: WorkerTask): unknown {
  const composed: Composed = readable ? compose(composition) : composeUnread(composition);
  const pieces = [composed.index, ...composed.content];
  return move({
    // A piece that shares its memory with others (Node pools small buffers) is copied: moving it would take theirs too.
    [transferableSymbol]: pieces.filter(ownsItsMemory).map((piece) => piece.buffer),
    [valueSymbol]: composed,
  });
}

function ownsItsMemory(bytes: Uint8Array): boolean {
  return bytes.byteLength > 0 && bytes.byteLength === bytes.buffer.byteLength;
}
