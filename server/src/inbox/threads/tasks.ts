import type { Envelope } from 'mayfly-client';
import { compose } from './compose.js';
import type { Composition } from './composition.js';
import { type Inspection, inspect } from './inspect.js';

interface InspectDetails {
  readonly inspection: Inspection;
  readonly envelope: Envelope;
}

/** What a thread can be asked to do with a message, by name. What comes out is bytes, which travel without copies of objects. */
export const TASKS = {
  /** What is kept of a message (see `Composed`). */
  compose(
    raw: Uint8Array,
    details: Omit<Composition, 'raw'>,
  ): [index: Uint8Array, record: Uint8Array, summary: Uint8Array] {
    const { index, record, summary } = compose({ raw, ...details });
    return [index, record, summary];
  },
  inspect(raw: Uint8Array, { inspection, envelope }: InspectDetails): [found: Uint8Array] {
    return [inspect(raw, inspection, envelope)];
  },
} as const;

export type TaskName = keyof typeof TASKS;
export type TaskDetails<N extends TaskName> = Parameters<(typeof TASKS)[N]>[1];
export type TaskResult<N extends TaskName> = ReturnType<(typeof TASKS)[N]>;
