import type { ReportedTest } from 'mayfly-client';
import { describe, expect, test } from 'vitest';
import { MAX_BYTES, MAX_RUN_BYTES, MAX_RUNS, MAX_TESTS, RunBook } from '../../src/runs/run-book.js';
import { ManualClock } from '../manual-clock.js';

const RETENTION_MS = 60_000;

/** A secret of its own for each number. */
const secret = (number: number) => String(number).padStart(26, 'a');

function reported(id: string, more: Partial<ReportedTest> = {}) {
  const test: ReportedTest = { id, title: id, outcome: 'running', inboxes: [], error: null, waits: [], ...more };
  return { test, inboxes: [] };
}

/** Tests of this many bytes in all, about. */
function heavy(bytes: number) {
  const each = 100_000;
  return Array.from({ length: Math.ceil(bytes / each) }, (_, at) =>
    reported(`t-${at}`, { title: 'x'.repeat(each / 2) }),
  );
}

const newBook = (clock = new ManualClock()) => new RunBook(clock, RETENTION_MS);

const has = (book: RunBook, number: number) => book.read(secret(number), 0, 1).total > 0;

describe('a book of runs', () => {
  test('keeps the last report of each test, in the order of the first ones', async () => {
    const clock = new ManualClock();
    const book = newBook(clock);
    const begunAt = clock.now();
    expect(book.report(secret(1), 'a', [reported('one'), reported('two')])).toBe(2);
    await clock.advance(1_000);
    expect(book.report(secret(1), 'a', [reported('one', { outcome: 'failed', error: 'why' })])).toBe(2);
    const { tests, counts, total } = book.read(secret(1), 0, 10);
    expect(tests).toMatchObject([
      { id: 'one', outcome: 'failed', error: 'why', begunAt, reportedAt: begunAt + 1_000 },
      { id: 'two', outcome: 'running', begunAt, reportedAt: begunAt },
    ]);
    expect({ counts, total }).toEqual({ counts: { running: 1, passed: 0, failed: 1, skipped: 0 }, total: 2 });
    expect(book.read(secret(1), 1, 10).tests).toMatchObject([{ id: 'two' }]);
  });

  test('forgets a run as long after its last report as mail is kept', async () => {
    const clock = new ManualClock();
    const book = newBook(clock);
    book.report(secret(1), 'a', [reported('one')]);
    await clock.advance(RETENTION_MS - 1);
    book.report(secret(2), 'a', [reported('one')]);
    expect(has(book, 1)).toBe(true);
    await clock.advance(1);
    expect([has(book, 1), has(book, 2), book.size]).toEqual([false, true, 1]);
    await clock.advance(RETENTION_MS);
    expect([has(book, 2), book.bytes]).toEqual([false, 0]);
  });

  test('takes no more tests than a run may have, and changes those that it has', () => {
    const book = newBook();
    const all = Array.from({ length: MAX_TESTS }, (_, at) => reported(`t-${at}`));
    expect(book.report(secret(1), 'a', all)).toBe(MAX_TESTS);
    expect(book.report(secret(1), 'a', [reported('t-0', { outcome: 'passed' }), reported('more')])).toBe('full');
    expect(book.read(secret(1), 0, 1).counts).toMatchObject({ passed: 1, running: MAX_TESTS - 1 });
  });

  test('takes no more bytes than a run may have', () => {
    const book = newBook();
    expect(book.report(secret(1), 'a', heavy(MAX_RUN_BYTES + 1_000_000))).toBe('full');
    expect(book.bytes).toBeLessThanOrEqual(MAX_RUN_BYTES);
  });

  test('with no room in all, the client that holds most loses its oldest run', () => {
    const book = newBook();
    book.report(secret(0), 'small', [reported('one')]);
    const many = Math.ceil(MAX_BYTES / MAX_RUN_BYTES) + 2;
    for (let at = 1; at <= many; at += 1) book.report(secret(at), 'large', heavy(MAX_RUN_BYTES - 200_000));
    expect(book.bytes).toBeLessThanOrEqual(MAX_BYTES);
    expect([has(book, 0), has(book, 1), has(book, many)]).toEqual([true, false, true]);
  });

  test('with too many runs, the client that has most of them loses its oldest one', () => {
    const book = newBook();
    book.report(secret(0), 'heavy', heavy(MAX_RUN_BYTES - 200_000));
    for (let at = 1; at <= MAX_RUNS; at += 1) book.report(secret(at), 'many', [reported('one')]);
    expect([book.size, has(book, 0), has(book, 1), has(book, 2)]).toEqual([MAX_RUNS, true, false, true]);
  });
});
