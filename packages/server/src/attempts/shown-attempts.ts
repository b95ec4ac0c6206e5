import type { Attempt as ShownAttempt } from 'mayfly-protocol';
import type { Attempt, NotedRecipient } from './attempt.js';
import type { Shown } from './book.js';

export type ClientSight = (client: string) => string | null;

/** Attempts as JSON: a row for each recipient that may be shown, or one row for a session without recipients. */
export function shownAttempts(all: readonly Shown[], sight: ClientSight): ShownAttempt[] {
  return all.flatMap((one) => rowsOf(one).map((recipient) => shown(one, recipient, sight)));
}

function rowsOf({ recipients }: Shown): readonly (NotedRecipient | null)[] {
  return recipients.length === 0 ? [null] : recipients;
}

export function countsOf(all: readonly Shown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of all) {
    for (const recipient of rowsOf(one)) {
      const outcome = outcomeOf(one, recipient);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  }
  return counts;
}

/** Counts attempts hidden because either the sender or the caller, but not both, has an ad-hoc workspace (D66). */
export function acrossAdHoc(all: readonly Shown[], adHoc: string | null): Record<string, number> {
  const across = all.filter(({ attempt }) => (adHoc === null) !== (attempt.around.adHoc === null));
  const isRefused = ({ attempt }: Shown) => adHoc !== null && attempt.around.auth === 'refused';
  const named = across.filter((one) => one.recipients.length > 0 && !isRefused(one)).length;
  const refused = across.filter(isRefused).length;
  return {
    ...(named > 0 && { [adHoc === null ? 'in-spaces' : 'outside-spaces']: named }),
    ...(refused > 0 && { 'refused-sign-ins': refused }),
  };
}

/** Whether an attempt ended without an email, and was more than a test of the connection. */
export function isFailure(one: Shown, recipient: NotedRecipient | null): boolean {
  return !['kept', 'open', 'tested'].includes(outcomeOf(one, recipient));
}

function shown(one: Shown, recipient: NotedRecipient | null, sight: ClientSight): ShownAttempt {
  const { at, way, client, from, around, stages, isReplyLost } = one.attempt;
  const { tls, auth, lastCommand } = around;
  const told = toldOf(one.attempt, recipient);
  const handed = recipient?.handed ?? [];
  return {
    at: new Date(at).toISOString(),
    ...{ way, client: sight(client), tls, auth, lastCommand, from },
    to: recipient?.address ?? null,
    outcome: outcomeOf(one, recipient),
    error: told && { code: told.code, enhanced: told.enhanced, text: told.text },
    receivedAt: recipient?.receivedAt ? new Date(recipient.receivedAt).toISOString() : null,
    reply: isReplyLost && recipient?.receivedAt ? 'lost' : null,
    stages: {
      ...{ connect: null, rcpt: null, data: null, content: null, kept: null, ...stages },
      handedOut: handed[0]?.ms ?? null,
    },
    handed: handed.map((taker) => ({ way: taker.way, client: sight(taker.client), ms: taker.ms })),
  };
}

function outcomeOf({ attempt, isTest }: Shown, recipient: NotedRecipient | null): string {
  if (recipient?.receivedAt) return 'kept';
  const told = toldOf(attempt, recipient);
  if (told !== null) return told.name;
  if (attempt.isOpen) return 'open';
  return isTest ? 'tested' : attempt.ending;
}

function toldOf({ told }: Attempt, recipient: NotedRecipient | null): Attempt['told'] {
  return recipient?.receivedAt ? null : (recipient?.told ?? told);
}
