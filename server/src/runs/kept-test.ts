import type { ReportedTest, RunOutcome, RunWait } from 'mayfly-client';

/** An inbox of a test: as it was reported, and which it is; null if the reporting client could not have read it. */
export interface KeptInbox {
  readonly to: string;
  readonly inbox: string | null;
}

export interface KeptTest {
  readonly id: string;
  readonly title: string;
  readonly outcome: RunOutcome;
  readonly error: string | null;
  readonly waits: readonly RunWait[];
  readonly inboxes: readonly KeptInbox[];
  /** When it was first and last reported, in milliseconds since the epoch. */
  readonly begunAt: number;
  readonly reportedAt: number;
}

/** About what a test takes in memory besides its texts. */
const TEST_BYTES = 400;

/** And each of its inboxes and waits. */
const ROW_BYTES = 100;

/** A reported test as it is kept. `earlier` is the same test as it was reported before. */
export function keptTest(
  { id, title, outcome, error, waits }: ReportedTest,
  inboxes: readonly KeptInbox[],
  { now, earlier }: { readonly now: number; readonly earlier: KeptTest | undefined },
): KeptTest {
  return {
    ...{ id, title, outcome, error, inboxes },
    waits: waits.map(({ to, text }) => ({ to, text })),
    begunAt: earlier?.begunAt ?? now,
    reportedAt: now,
  };
}

/** About how many bytes of memory a test takes. */
export function bytesOf({ id, title, error, waits, inboxes }: KeptTest): number {
  let chars = id.length + title.length + (error?.length ?? 0);
  for (const { to, text } of waits) chars += to.length + text.length;
  for (const { to, inbox } of inboxes) chars += to.length + (inbox?.length ?? 0);
  return TEST_BYTES + ROW_BYTES * (waits.length + inboxes.length) + 2 * chars;
}
