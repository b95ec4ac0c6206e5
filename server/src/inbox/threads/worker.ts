import { TASKS, type Task } from './tasks.js';

/** Runs in a worker thread: does one task. */
export default function work({ name, input }: Task): unknown {
  const task = TASKS[name] as (input: Task['input']) => unknown;
  try {
    return task(input);
  } catch (error) {
    // Only plain errors keep their message and stack on the way to another thread.
    const plain = new Error(error instanceof Error ? error.message : String(error));
    if (error instanceof Error && error.stack !== undefined) plain.stack = error.stack;
    throw plain;
  }
}
