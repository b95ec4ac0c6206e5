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
