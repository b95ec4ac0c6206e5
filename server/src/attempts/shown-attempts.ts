import type { Attempt, AttemptStages } from 'mayfly-client';
import type { Noted, NotedRecipient } from './attempt.js';
import type { Shown } from './book.js';

/** Attempts as they travel: one for each recipient that may be shown, and one for a session that named none. */
export function shownAttempts(all: readonly Shown[]): Attempt[] {
  return all.flatMap(({ noted, recipients }) =>
    recipients.length === 0 ? [shown(noted, null)] : recipients.map((recipient) => shown(noted, recipient)),
  );
}

/** How many attempts ended how: for each recipient, and for each session that named none. */
export function countsOf(all: readonly Noted[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const noted of all) {
    const recipients = noted.recipients.length === 0 ? [null] : noted.recipients;
    for (const recipient of recipients) {
      const outcome = outcomeOf(noted, recipient);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  }
  return counts;
}

function shown(noted: Noted, recipient: NotedRecipient | null): Attempt {
  const { at, way, client, tls, auth, lastCommand, from } = noted;
  const told = toldOf(noted, recipient);
  return {
    at: new Date(at).toISOString(),
    ...{ way, client, tls, auth, lastCommand, from },
    to: recipient?.address ?? null,
    outcome: outcomeOf(noted, recipient),
    error: told && { code: told.code, enhanced: told.enhanced, text: told.text },
    receivedAt: recipient?.receivedAt ? new Date(recipient.receivedAt).toISOString() : null,
    stages: stagesOf(noted, recipient),
  };
}

function outcomeOf(noted: Noted, recipient: NotedRecipient | null): string {
  return recipient?.receivedAt ? 'kept' : (toldOf(noted, recipient)?.name ?? noted.ending);
}

function toldOf({ told }: Noted, recipient: NotedRecipient | null): Noted['told'] {
  return recipient?.receivedAt ? null : (recipient?.told ?? told);
}

function stagesOf({ stages }: Noted, recipient: NotedRecipient | null): AttemptStages {
  const { connect, rcpt, data, content, kept } = stages;
  const all = { connect, rcpt, data, content, kept, handedOut: recipient?.handedOutMs ?? null };
  return Object.fromEntries(
    Object.entries(all).map(([stage, ms]) => [stage, ms && Math.round(ms)]),
  ) as unknown as AttemptStages;
}
