import type { InboxWait } from 'mayfly-protocol/wire-attempts';
import { isLater, type KnownEmail, knownMismatches } from './filter.js';
import { describeFilter } from './shown.js';

/** What is known of an email in the list of an inbox. */
export interface ListedEmail extends KnownEmail {
  readonly receivedAt: Date | string;
}

/** What a wait that the service lists is for, as a timeout says it: `an email with a code, subject "Welcome"`. */
export function waitedFor({ filter: { after, ...filter } }: InboxWait): string {
  const parts = describeFilter(filter);
  if (after !== undefined) parts.push(`received after ${after}`);
  return `an email ${parts.join(', ')}`.trim();
}

/** Why a wait that the service lists has not ended with an email that is there, as a timeout says it. */
export function whyNot({ filter: { after, ...filter } }: InboxWait, email: ListedEmail): string[] {
  const isEarly = !isLater(email, after === undefined ? undefined : new Date(after));
  const reasons = knownMismatches(filter, email);
  // A summary has no body and may lack other texts, but the service has looked.
  if (reasons.length === 0 && !isEarly)
    reasons.push(filter.body === undefined ? 'not looked at' : 'body does not match');
  if (isEarly) reasons.unshift('not after `after`');
  return reasons;
}
