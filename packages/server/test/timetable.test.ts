import { expect, test } from 'vitest';
import { Timed, Timetable } from '../src/base/timetable.js';
import { ManualClock } from './manual-clock.js';

/** Notes at which times after the test's beginning it was due. */
class Noting extends Timed {
  readonly at: number[] = [];
  readonly #clock: ManualClock;
  readonly #start: number;

  constructor(clock: ManualClock) {
    super();
    this.#clock = clock;
    this.#start = clock.now();
  }

  due(): void {
    this.at.push(this.#clock.now() - this.#start);
  }
}

const MOMENTS = [100, 250, 1_000];

/** For so long some begin at every millisecond. */
const BEGINNING_MS = 50;

/** Moments that lie closer together than this may be as late as this. */
const LATE_MS = 4;

test('each has its moments after its own beginning, and no more', async () => {
  const clock = new ManualClock();
  const timetable = new Timetable(clock, MOMENTS);
  const [first, second] = [new Noting(clock), new Noting(clock)];
  timetable.begin(first);
  await clock.advance(130);
  timetable.begin(second);
  await clock.advance(10_000);
  expect(first.at).toEqual([100, 250, 1_000]);
  expect(second.at).toEqual([230, 380, 1_130]);
});

test('who has ended is not called any more, wherever it stood among the others', async () => {
  const clock = new ManualClock();
  const timetable = new Timetable(clock, MOMENTS);
  const all = Array.from({ length: 5 }, () => new Noting(clock));
  for (const timed of all) timetable.begin(timed);
  for (const position of [0, 2, 4]) timetable.end(all[position] as Noting);
  timetable.end(all[2] as Noting);
  await clock.advance(260);
  timetable.end(all[1] as Noting);
  await clock.advance(10_000);
  expect(all.map(({ at }) => at)).toEqual([[], [100, 250], [], MOMENTS, []]);
});

test('who has its last moment keeps it no longer, and may begin again or end then', async () => {
  const clock = new ManualClock();
  const timetable = new Timetable(clock, MOMENTS);
  const called: string[] = [];
  class Again extends Timed {
    due(moment: number): void {
      called.push(`${clock.monotonic() - start}: ${moment}`);
      if (moment === MOMENTS.length - 1 && called.length < 2 * MOMENTS.length) timetable.begin(this);
      else if (moment === 0 && called.length > MOMENTS.length) timetable.end(this);
    }
  }
  const start = clock.monotonic();
  timetable.begin(new Again());
  await clock.advance(10_000);
  expect(called).toEqual(['100: 0', '250: 1', '1000: 2', '1100: 0']);
  expect(clock.alarms).toBe(0);
});

test('once nobody keeps it, no timer is left that would hold up the end of the process', async () => {
  const clock = new ManualClock();
  const timetable = new Timetable(clock, MOMENTS);
  const [first, second] = [new Noting(clock), new Noting(clock)];
  for (const timed of [first, second]) timetable.begin(timed);
  await clock.advance(110);
  timetable.end(first);
  expect(clock.alarms).toBe(1);
  timetable.end(second);
  timetable.end(second);
  expect(clock.alarms).toBe(0);
  timetable.begin(first);
  await clock.advance(10_000);
  expect(first.at).toEqual([100, 210, 360, 1_110]);
  expect(clock.alarms).toBe(0);
});

test('thousands that begin at every millisecond are late by little, in their order, and take one timer', async () => {
  let timers = 0;
  const clock = new ManualClock();
  const after = clock.after.bind(clock);
  clock.after = (delayMs, wake) => {
    timers += 1;
    return after(delayMs, wake);
  };
  const timetable = new Timetable(clock, MOMENTS);
  const all: Noting[] = [];
  for (let ms = 0; ms < BEGINNING_MS; ms++) {
    for (let n = 0; n < 40; n++) {
      const timed = new Noting(clock);
      all.push(timed);
      timetable.begin(timed);
    }
    await clock.advance(1);
  }
  await clock.advance(2_000);
  for (const { at } of all) {
    expect(at).toHaveLength(MOMENTS.length);
    const late = at.map((ms, moment) => ms - (MOMENTS[moment] as number));
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...late)).toBeLessThanOrEqual(LATE_MS);
  }
  // One in each pause, and for each moment one at its beginning and one at its end.
  expect(timers).toBeLessThanOrEqual(MOMENTS.length * (BEGINNING_MS / LATE_MS + 2));
});

test('of thousands that are due together some have their moment at a time, and others come between', async () => {
  const clock = new ManualClock();
  const timetable = new Timetable(clock, MOMENTS);
  const calls: number[] = [];
  let called = 0;
  class Counting extends Timed {
    due(): void {
      called += 1;
    }
  }
  for (let n = 0; n < 1_000; n++) timetable.begin(new Counting());
  await clock.advance(99);
  for (let ms = 0; ms < 10; ms++) {
    await clock.advance(1);
    calls.push(called);
  }
  expect(calls[0]).toBeGreaterThan(0);
  expect(calls[0]).toBeLessThan(1_000);
  expect(calls.at(-1)).toBe(1_000);
});
