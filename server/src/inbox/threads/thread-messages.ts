/** What travels between the event loop and a reading thread. */

/**
 * What a thread and the event loop share: a head, and behind it the bytes of the small messages that the thread was
 * handed, one behind the other. In the head stands which task of its batch the thread has begun, counted from 1; so it
 * is known which one a thread died of.
 */
export const HEAD_BYTES = 8;

/** How many bytes of small messages a thread is handed at once. */
export const SLAB_BYTES = 256 * 1024;

export interface HandedTask {
  readonly name: string;
  readonly details: unknown;
  /** Its message: the number of its bytes in the slab, after the task before; or pieces, in shared memory if large. */
  readonly message: number | readonly Uint8Array[];
}

export interface ThreadData {
  readonly slab: SharedArrayBuffer;
}

/** How a task ended: with pieces of these lengths, or with an error. */
export interface EndedTask {
  readonly lengths: readonly number[];
  readonly error: { readonly message: string; readonly stack: string | undefined } | null;
  /** How long it took, in milliseconds. */
  readonly usedMs: number;
}

/** Some tasks of a batch in order, following those told before. `bytes` are their pieces, one after the other. */
export interface EndedTasks {
  readonly tasks: readonly EndedTask[];
  readonly bytes: ArrayBuffer;
}

/** What a thread says: that it can begin, or what it has done. */
export type FromThread = 'ready' | EndedTasks;
