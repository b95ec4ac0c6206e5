import { createHash } from 'node:crypto';
import type { ReportedTest, RunCounts } from 'mayfly-client';
import type { Clock } from '../base/clock.js';
import { bytesOf, type KeptInbox, type KeptTest, keptTest } from './kept-test.js';

export type { KeptInbox, KeptTest } from './kept-test.js';

/** How many runs are remembered, and about how many bytes they may take. */
export const MAX_RUNS = 1_000;
export const MAX_BYTES = 16 * 1024 * 1024;

/** The same of one run. */
export const MAX_TESTS = 5_000;
export const MAX_RUN_BYTES = 4 * 1024 * 1024;

/** A test of a report, with its inboxes as the reporting client may read them. */
export interface CheckedTest {
  readonly test: ReportedTest;
  readonly inboxes: readonly KeptInbox[];
}

/** What is known of one run. */
interface Run {
  /** Who reported it first: his share of the book it counts to. */
  readonly client: string;
  readonly tests: Map<string, KeptTest>;
  bytes: number;
  /** The last report, by the clock that never goes back. */
  reportedAt: number;
}

/** A page of a run's tests. */
export interface RunPage {
  readonly tests: readonly KeptTest[];
  readonly counts: RunCounts;
  readonly total: number;
}

/**
 * What was reported of runs of tests, in the memory of this process, for as long after the last report as mail is
 * kept. Runs are kept by the digest of their secret, and nothing lists them. Where there is no room, the oldest run of
 * the client that holds most leaves, so that no client pushes out the runs of others.
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

  /** Keeps tests of a run. Returns how many it has, or 'full' if there is no room for all: then the first are kept. */
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

  /** The tests of a run in the order of their first report, from a position on. A run that is not known has none. */
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

  /** Keeps the run that has just been reported: it alone always has room. */
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

  /** The client whose runs weigh most. */
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

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
