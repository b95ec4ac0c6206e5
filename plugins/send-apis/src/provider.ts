import type { App } from 'mayfly-inbox/plugin';
import type { Answer } from './answer.js';
import type { Desk } from './desk.js';
import type { Problem } from './problem.js';

/** A provider's API, as far as applications send with it. */
export interface Provider {
  /** As its users call it. */
  readonly title: string;
  /** How it answers a request that it refuses: shape, status and words. */
  answer(problem: Problem): Answer;
  /** Adds its routes. The desk takes what they send. */
  addRoutes(api: App, desk: Desk): void;
  /** Paths below which every other request is answered as unknown, in its shape. */
  readonly roots: readonly string[];
  /** What a parameter of its roots may be; null for anything. */
  readonly resources: readonly string[] | null;
}
