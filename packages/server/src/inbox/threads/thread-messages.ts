/** What travels between the event loop and a reading thread. */

/**
 * Bytes at the head of the slab, the shared memory of a thread and the event loop. They hold which task of its batch
 * the thread has begun, from 1, so that it is known which one it died of. Behind them lie the small messages, one after
 * another.
 */
export const HEAD_BYTES = 8;

/** Bytes of small messages handed over at once. */
export const SLAB_BYTES = 256 * 1024;

export interface HandedTask {
  readonly name: string;
  readonly details: unknown;
  /** The number of its bytes in the slab, behind the task before; or pieces, in shared memory if large. */
  readonly message: number | readonly Uint8Array[];
}

export interface ThreadData {
  readonly slab: SharedArrayBuffer;
}

/** With pieces of these lengths, or an error. */
export interface EndedTask {
  readonly lengths: readonly number[];
  readonly error: { readonly message: string; readonly stack: string | undefined } | null;
  readonly usedMs: number;
}

/** Tasks of a batch in order, behind those told before; `bytes` holds their pieces, one after another. */
export interface EndedTasks {
  readonly tasks: readonly EndedTask[];
  readonly bytes: ArrayBuffer;
}

export type FromThread = 'ready' | EndedTasks;
