import { createHash } from 'node:crypto';
import type { ReportedTest, RunCounts, RunOutcome, RunWait } from 'mayfly-protocol';
import type { Clock } from '../base/clock.js';

export const MAX_RUNS = 1_000;
export const MAX_BYTES = 16 * 1024 * 1024;

export const MAX_TESTS = 5_000;
export const MAX_RUN_BYTES = 4 * 1024 * 1024;

/** About the memory of a test beside its texts, and of each of its inboxes and waits. */
const TEST_BYTES = 400;

const ROW_BYTES = 100;

/** `inbox` is null if the reporting client could not have read it. */
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

export interface CheckedTest {
  readonly test: ReportedTest;
  readonly inboxes: readonly KeptInbox[];
}

interface Run {
  /** The first reporter, whose share of the book it counts to. */
  readonly client: string;
  readonly tests: Map<string, KeptTest>;
  bytes: number;
  /** The last report, monotonic. */
  reportedAt: number;
}

export interface RunPage {
  readonly tests: readonly KeptTest[];
  readonly counts: RunCounts;
  readonly total: number;
}

/**
 * Test runs in the memory of this process, kept for the retention after the last report. Keys are digests of their
 * secrets, and nothing lists them. A full book forgets the oldest run of the client that holds most: no client pushes
 * out others.
 */
export class RunBook {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #retentionMs: number;
  /** By digest: the time of a look-up reveals nothing of a secret. Reported longest ago comes first. */
  readonly #runs = new Map<string, Run>();
  #bytes = 0;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, retentionMs: number) {
    this.#clock = clock;
    this.#retentionMs = retentionMs;
  }

  get size(): number {
    return this.#runs.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns how many tests the run has, or 'full' if there is no room for all: the first are kept. */
  report(secret: string, client: string, tests: readonly CheckedTest[]): number | 'full' {
    this.#forgetExpired();
    const key = digest(secret);
    const run = this.#runs.get(key) ?? { client, tests: new Map(), bytes: 0, reportedAt: 0 };
    run.reportedAt = this.#clock.monotonic();
    this.#runs.delete(key);
    this.#runs.set(key, run);
    const hasRoom = tests.every((one) => this.#keep(run, one));
    this.#makeRoom(run);
    return hasRoom ? run.tests.size : 'full';
  }

  /** Tests in the order of their first report, from a position on; an unknown run has none. */
  read(secret: string, from: number, most: number): RunPage {
    this.#forgetExpired();
    const tests = [...(this.#runs.get(digest(secret))?.tests.values() ?? [])];
    const counts: RunCounts = { running: 0, passed: 0, failed: 0, skipped: 0 };
    for (const { outcome } of tests) counts[outcome] += 1;
    return { tests: tests.slice(from, from + most), counts, total: tests.length };
  }

  #keep(run: Run, { test, inboxes }: CheckedTest): boolean {
    const earlier = run.tests.get(test.id);
    if (earlier === undefined && run.tests.size >= MAX_TESTS) return false;
    const kept = keptTest(test, inboxes, { now: this.#clock.now(), earlier });
    const grown = bytesOf(kept) - (earlier === undefined ? 0 : bytesOf(earlier));
    if (run.bytes + grown > MAX_RUN_BYTES) return false;
    run.tests.set(test.id, kept);
    run.bytes += grown;
    this.#bytes += grown;
    return true;
  }

  #forgetExpired(): void {
    const oldestKept = this.#clock.monotonic() - this.#retentionMs;
    for (const [key, run] of this.#runs) {
      if (run.reportedAt > oldestKept) return;
      this.#forget(key, run);
    }
  }

  /** The run that was just reported stays: it alone always has room. */
  #makeRoom(reported: Run): void {
    while (this.#bytes > MAX_BYTES || this.#runs.size > MAX_RUNS) {
      const weightOf = this.#runs.size > MAX_RUNS ? () => 1 : ({ bytes }: Run) => bytes;
      const heaviest = this.#heaviest(weightOf);
      const others = [...this.#runs].filter(([, run]) => run !== reported);
      const [key, run] = others.find(([, { client }]) => client === heaviest) ?? others[0] ?? [];
      if (key === undefined || run === undefined) return;
      this.#forget(key, run);
    }
  }

  #heaviest(weightOf: (run: Run) => number): string {
    const weights = new Map<string, number>();
    let heaviest = '';
    for (const run of this.#runs.values()) {
      const weight = (weights.get(run.client) ?? 0) + weightOf(run);
      weights.set(run.client, weight);
      if (weight > (weights.get(heaviest) ?? -1)) heaviest = run.client;
    }
    return heaviest;
  }

  #forget(key: string, run: Run): void {
    this.#runs.delete(key);
    this.#bytes -= run.bytes;
  }
}

/** `earlier` is the same test as reported before. */
function keptTest(
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

function bytesOf({ id, title, error, waits, inboxes }: KeptTest): number {
  let chars = id.length + title.length + (error?.length ?? 0);
  for (const { to, text } of waits) chars += to.length + text.length;
  for (const { to, inbox } of inboxes) chars += to.length + (inbox?.length ?? 0);
  return TEST_BYTES + ROW_BYTES * (waits.length + inboxes.length) + 2 * chars;
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
