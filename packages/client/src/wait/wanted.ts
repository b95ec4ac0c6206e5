import type { Email, EmailParts } from 'mayfly-protocol/wire';
import { type EmailFilter, serverFilter } from './filter.js';
import type { SelectionQuery } from './inbox-api.js';

/** What a message holds that may be waited for. */
export type Findable = Pick<EmailParts, 'codes' | 'links'>;

/** What a reader sees of an email. */
export type Readable = Pick<Email, 'subject' | 'body'>;

/** What an email must hold besides: it takes reading its message again to know. */
export interface Condition {
  /** As in `with a code that matches /x/`. */
  readonly what: string;
  /** The value that the condition means. */
  pick(contents: Findable, email: Readable): string | undefined;
}

/** Which emails of which inbox. */
export interface Wanted {
  readonly address: string;
  readonly filter: EmailFilter;
  /** Only emails received later count. */
  readonly after: Date | undefined;
  readonly condition: Condition | undefined;
}

/** The query with the conditions that the server can apply, from a cursor on if one is given. */
export function queryOf({ filter, after }: Wanted, cursor = after): SelectionQuery {
  return { ...serverFilter(filter), after: cursor?.toISOString() };
}

/** Whether an email was received after a moment. */
export function isLater({ receivedAt }: { readonly receivedAt: Date | string }, after: Date | undefined): boolean {
  return after === undefined || new Date(receivedAt) > after;
}
