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
  // A summary lacks the body, so if nothing else excludes the email, the service found that the body does not match.
  if (reasons.length === 0 && !isEarly)
    reasons.push(filter.body === undefined ? 'not looked at' : 'body does not match');
  if (isEarly) reasons.unshift('not after `after`');
  return reasons;
}
