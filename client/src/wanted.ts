import type { Contents } from './contents.js';
import { type EmailFilter, isServers, serverFilter } from './filter.js';
import type { SelectionQuery } from './inbox-api.js';

/** What an email must hold besides: it takes reading its message again to know. */
export interface Condition {
  /** As in `an email with a code`. */
  readonly phrase: string;
  /** What is said of an email that does not hold it. */
  readonly lack: string;
  holds(contents: Contents, signal: AbortSignal): Promise<boolean>;
}

/** Which emails of which inbox. */
export interface Wanted {
  readonly address: string;
  readonly filter: EmailFilter;
  /** Only what was received later counts. */
  readonly after: Date | undefined;
  readonly condition: Condition | null;
}

/** The query that has the server select what is wanted after a moment, as far as it can. */
export function queryOf({ filter }: Wanted, after: Date | undefined): SelectionQuery {
  return { ...serverFilter(filter), ...(after && { after: after.toISOString() }) };
}

/** Whether whatever the server selects is wanted. */
export function isSelectedByServer({ filter, condition }: Wanted): boolean {
  return condition === null && isServers(filter);
}
