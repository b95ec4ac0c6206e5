import type { SharedCounts } from '../shared-counts.js';
import type { Questions } from './questions.js';

/** Something that all nodes count together, for each client. */
export interface SharedCount {
  readonly counts: SharedCounts;
  readonly questions: Questions;
  /** What is counted; each client has a count of its own. */
  readonly name: string;
}

/** What the count of a client is called in the store. */
export function countOf({ name }: SharedCount, client: string): string {
  return `${name}:${client}`;
}
