import type { InboxWait } from 'mayfly-protocol/wire-attempts';
import { describeFilter, isLater, type KnownEmail, knownMismatches } from './filter.js';

export interface ListedEmail extends KnownEmail {
  readonly receivedAt: Date | string;
}

export function waitedFor({ filter: { after, ...filter } }: InboxWait): string {
  const parts = describeFilter(filter);
  if (after !== undefined) parts.push(`received after ${after}`);
  return `an email ${parts.join(', ')}`.trim();
}

export function whyNot({ filter: { after, ...filter } }: InboxWait, email: ListedEmail): string[] {
  const isEarly = !isLater(email, after === undefined ? undefined : new Date(after));
  const reasons = knownMismatches(filter, email);
  // A summary has no body and may lack other texts, but the service has applied the filter to them.
  if (reasons.length === 0 && !isEarly)
    reasons.push(filter.body === undefined ? 'not looked at' : 'body does not match');
  if (isEarly) reasons.unshift('not newer than `after`');
  return reasons;
}
