import { compose } from './compose.js';
import { inspect } from './inspect.js';

/** What a thread can be asked to do, by name. */
export const TASKS = { compose, inspect } as const;

export type TaskName = keyof typeof TASKS;
export type TaskInput<N extends TaskName> = Parameters<(typeof TASKS)[N]>[0];
export type TaskResult<N extends TaskName> = ReturnType<(typeof TASKS)[N]>;

/** One task as it travels to a thread. */
export interface Task<N extends TaskName = TaskName> {
  readonly name: N;
  readonly input: TaskInput<N>;
}
