import { createHash } from 'node:crypto';
import type { ReportedTest, RunCounts, RunWait } from 'mayfly-protocol';
import { SharedMap } from '../base/bounded-map.js';
import type { Clock } from '../base/clock.js';

const MAX_RUNS = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;

export const MAX_TESTS = 5_000;
export const MAX_RUN_BYTES = 4 * 1024 * 1024;

/** Approximate memory of a test without its texts, inboxes and waits; each inbox or wait takes `ROW_BYTES`. */
const TEST_BYTES = 400;

const ROW_BYTES = 100;

/** `inbox` is null if the reporting client could not have read it. */
export interface KeptInbox {
  readonly to: string;
  readonly inbox: string | null;
}

interface KeptTest extends Omit<ReportedTest, 'inboxes'> {
  readonly inboxes: readonly KeptInbox[];
  /** Times of the first and the last report, in milliseconds since the epoch. */
  readonly begunAt: number;
  readonly reportedAt: number;
}

export interface CheckedTest {
  readonly test: ReportedTest;
  readonly inboxes: readonly KeptInbox[];
}

interface Run {
  /** The client that reported first. */
  readonly client: string;
  readonly tests: Map<string, KeptTest>;
  bytes: number;
}

export type RunBook = ReturnType<typeof runBookOf>;

/** Test runs in memory, by the digests of their secrets, so that the time of a look-up reveals nothing about them. */
export function runBookOf(clock: Pick<Clock, 'now' | 'monotonic'>, retentionMs: number) {
  const bounds = { maxSize: MAX_RUNS, maxBytes: MAX_BYTES, keptMs: retentionMs };
  const runs = new SharedMap<string, Run>({ ...bounds, monotonic: () => clock.monotonic() });

  /** Returns whether the run has room for the test. */
  const keep = (run: Run, { test: { id, title, outcome, error, waits }, inboxes }: CheckedTest): boolean => {
    const earlier = run.tests.get(id);
    if (earlier === undefined && run.tests.size >= MAX_TESTS) return false;
    const reportedAt = clock.now();
    const begunAt = earlier?.begunAt ?? reportedAt;
    const kept = { id, title, outcome, error, inboxes, waits: waits.map(keptWait), begunAt, reportedAt };
    const grown = bytesOf(kept) - (earlier === undefined ? 0 : bytesOf(earlier));
    if (run.bytes + grown > MAX_RUN_BYTES) return false;
    run.tests.set(id, kept);
    run.bytes += grown;
    return true;
  };

  return {
    /** Returns the number of tests in the run, or 'full' if there is no room for all. The first tests are kept. */
    report(secret: string, client: string, tests: readonly CheckedTest[]): number | 'full' {
      const key = digest(secret);
      const run = runs.get(key) ?? { client, tests: new Map(), bytes: 0 };
      const hasRoom = tests.every((one) => keep(run, one));
      runs.set(key, run, run.client, run.bytes);
      return hasRoom ? run.tests.size : 'full';
    },
    /** Tests in the order of their first report, from a position on. An unknown run has no tests. */
    read(secret: string, from: number, most: number) {
      const tests = [...(runs.get(digest(secret))?.tests.values() ?? [])];
      const counts: RunCounts = { running: 0, passed: 0, failed: 0, skipped: 0 };
      for (const { outcome } of tests) counts[outcome] += 1;
      return { tests: tests.slice(from, from + most), counts, total: tests.length };
    },
  };
}

/** Copies what the service shows of a wait, because a request may contain other fields. */
function keptWait({ to, text, asked, arrived }: RunWait): RunWait {
  const emails = arrived?.map(({ subject, why }) => ({ subject, why }));
  return { to, text, ...(asked !== undefined && { asked }), ...(emails !== undefined && { arrived: emails }) };
}

function bytesOf({ id, title, error, waits, inboxes }: KeptTest): number {
  let chars = id.length + title.length + (error?.length ?? 0);
  for (const { to, text, asked = '', arrived = [] } of waits) {
    chars += to.length + text.length + asked.length + ROW_BYTES * arrived.length;
    for (const { subject, why } of arrived) chars += subject.length + why.length;
  }
  for (const { to, inbox } of inboxes) chars += to.length + (inbox?.length ?? 0);
  return TEST_BYTES + ROW_BYTES * (waits.length + inboxes.length) + 2 * chars;
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
