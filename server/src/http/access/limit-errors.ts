import { httpErrors } from '../../errors.js';

/** What a client is told when it has reached a limit. */
export const REFUSALS = {
  fetch: httpErrors.tooManyRequests,
  look: httpErrors.tooManyLooks,
  'drop-in': httpErrors.tooManyDropInRequests,
  stream: httpErrors.tooManyOpenings,
  waitlist: httpErrors.tooManyPosts,
  workspace: httpErrors.tooManyWorkspaceRequests,
  'wrong-key': httpErrors.tooManyWrongKeys,
  name: httpErrors.tooManyNames,
} as const;

export type Refused = keyof typeof REFUSALS;

export function mapped<K extends string, V, R>(values: Record<K, V>, map: (value: V, name: K) => R): Record<K, R> {
  const entries = Object.entries<V>(values).map(([name, value]) => [name, map(value, name as K)]);
  return Object.fromEntries(entries) as Record<K, R>;
}
