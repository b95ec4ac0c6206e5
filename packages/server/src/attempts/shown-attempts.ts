import type { AttemptStages, Attempt as ShownAttempt } from 'mayfly-protocol';
import { type Attempt, NEVER, type NotedRecipient } from './attempt.js';
import { type Shown, spaceIn } from './book.js';

export type ClientSight = (client: string) => string | null;

/** Attempts as they travel: one for each recipient that may be shown, and one for a session that named none. */
export function shownAttempts(all: readonly Shown[], sight: ClientSight): ShownAttempt[] {
  return all.flatMap(({ attempt, recipients }) => {
    const named = recipients.length === 0 ? [null] : recipients;
    return named.map((recipient) => shown(attempt, recipient, sight));
  });
}

export function countsOf(all: readonly Attempt[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const attempt of all) {
    const recipients = attempt.recipients.length === 0 ? [null] : attempt.recipients;
    for (const recipient of recipients) {
      const outcome = outcomeOf(attempt, recipient);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  }
  return counts;
}

/**
 * How many attempts a caller does not see, because only one of the two is in a space (D66): those with a recipient,
 * and for a caller in a space those whose AUTH was refused, with or without one.
 */
export function acrossSpaces(all: readonly Attempt[], space: string | null): Record<string, number> {
  const across = all.filter((attempt) => (space === null) !== (spaceIn(attempt) === null));
  const isRefused = ({ live, auth }: Attempt) => space !== null && (live?.auth ?? auth) === 'refused';
  const named = across.filter((attempt) => attempt.recipients.length > 0 && !isRefused(attempt)).length;
  const refused = across.filter(isRefused).length;
  return {
    ...(named > 0 && { [space === null ? 'in-spaces' : 'outside-spaces']: named }),
    ...(refused > 0 && { 'refused-sign-ins': refused }),
  };
}

function shown(attempt: Attempt, recipient: NotedRecipient | null, sight: ClientSight): ShownAttempt {
  const { at, way, client, from } = attempt;
  const { tls, auth, lastCommand } = attempt.live ?? attempt;
  const told = toldOf(attempt, recipient);
  return {
    at: new Date(at).toISOString(),
    ...{ way, client: sight(client), tls, auth, lastCommand, from },
    to: recipient?.address ?? null,
    outcome: outcomeOf(attempt, recipient),
    error: told && { code: told.code, enhanced: told.enhanced, text: told.text },
    receivedAt: recipient?.receivedAt ? new Date(recipient.receivedAt).toISOString() : null,
    reply: attempt.isReplyLost && recipient?.receivedAt ? 'lost' : null,
    stages: stagesOf(attempt, recipient),
    handed: (recipient?.handed ?? []).map((one) => ({ way: one.way, client: sight(one.client), ms: one.ms })),
  };
}

function outcomeOf(attempt: Attempt, recipient: NotedRecipient | null): string {
  if (recipient?.receivedAt) return 'kept';
  return toldOf(attempt, recipient)?.name ?? endingOf(attempt);
}

function endingOf({ live, isTest, ending }: Attempt): string {
  if (live !== null) return 'open';
  return isTest ? 'tested' : ending;
}

function toldOf({ told }: Attempt, recipient: NotedRecipient | null): Attempt['told'] {
  return recipient?.receivedAt ? null : (recipient?.told ?? told);
}

function stagesOf(attempt: Attempt, recipient: NotedRecipient | null): AttemptStages {
  return {
    connect: reached(attempt.connectMs),
    rcpt: reached(attempt.rcptMs),
    data: reached(attempt.dataMs),
    content: reached(attempt.contentMs),
    kept: reached(attempt.keptMs),
    handedOut: recipient?.handed[0]?.ms ?? null,
  };
}

function reached(ms: number): number | null {
  return ms === NEVER ? null : ms;
}
