import { type InspectionTask, inspect } from './inspect.js';

/** Runs in a worker thread: inspects one message. */
export default function work(task: InspectionTask): string {
  return inspect(task);
}
