import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { LoopParser } from '../../../src/inbox/threads/loop-parser.js';

/** Parses messages that take so many milliseconds, each as soon as the event loop has rested. */
function newLoop() {
  let now = 0;
  const loop = new LoopParser({ ...systemClock, monotonic: () => now, processor: () => now });
  return {
    now: () => now,
    /** Returns the rest after the message. */
    parse(ms: number): number {
      now += loop.restMs();
      loop.parse(() => {
        now += ms;
      });
      return loop.restMs();
    },
  };
}

test('the event loop serves others for as long as it took to parse a message', () => {
  const { parse } = newLoop();
  for (let n = 0; n < 10_000; n++) expect(parse(2)).toBe(2);
});

test('the first messages of a process may be costly, because nothing is compiled yet', () => {
  const { parse } = newLoop();
  for (let n = 0; n < 20; n++) expect(parse(30)).toBe(30);
});

test('costly messages take a fiftieth of the time of the event loop after the first second', () => {
  const { parse, now } = newLoop();
  let usedMs = 0;
  for (; now() < 100_000; usedMs += 10) parse(10);
  expect(usedMs).toBeGreaterThan(2_000);
  expect(usedMs).toBeLessThan(3_100);
});

test('an error of the parser is the outcome', () => {
  const error = new Error('This message cannot be read.');
  const { outcome } = new LoopParser(systemClock).parse(() => {
    throw error;
  });
  expect(outcome).toBe(error);
});
