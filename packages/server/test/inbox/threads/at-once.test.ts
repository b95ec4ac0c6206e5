import { expect, test } from 'vitest';
import { AtOnce, WARM_UP_MAILS } from '../../../src/inbox/threads/at-once.js';
import { ManualClock } from '../../manual-clock.js';

const COMPOSITION = {
  raw: Uint8Array.of(0),
  envelopeFrom: '',
  generatedId: '',
  recipientBytes: 0,
  recipients: null,
};

const COMPOSED = { index: new Uint8Array(0), record: new Uint8Array(0), summary: new Uint8Array(0) };

/** A message by what its reading takes, in milliseconds, and of the processor's time; and whether it can be read. */
interface Costs {
  readonly ms: number;
  readonly processorMs?: number;
  readonly fails?: boolean;
}

/** One that is warm. */
async function newAtOnce() {
  let now = 0;
  let processor = 0;
  let costs: Costs = { ms: 0 };
  const clock = Object.assign(new ManualClock(), { monotonic: () => now, processor: () => processor });
  const atOnce = new AtOnce(clock, async () => () => {
    now += costs.ms;
    processor += costs.processorMs ?? costs.ms;
    if (costs.fails) throw new Error('This cannot be read.');
    return COMPOSED;
  });
  await atOnce.warmUp();
  return {
    pauseMs: () => atOnce.pauseMs(),
    read: (message: Costs) => {
      costs = message;
      return atOnce.read(COMPOSITION);
    },
    pass(ms: number) {
      now += ms;
    },
  };
}

test('what reads is loaded once, and read with after that', async () => {
  let loaded = 0;
  const atOnce = new AtOnce(new ManualClock(), async () => {
    loaded += 1;
    return () => COMPOSED;
  });
  expect(atOnce.isLoaded).toBe(false);
  expect(() => atOnce.read(COMPOSITION)).toThrow('not loaded');
  await Promise.all([atOnce.load(), atOnce.warmUp(), atOnce.load()]);
  expect([loaded, atOnce.isLoaded]).toEqual([1, true]);
  expect(atOnce.read(COMPOSITION)).toBe(COMPOSED);
});

test('the first message ends warming up: it does the same', async () => {
  let reads = 0;
  const atOnce = new AtOnce(new ManualClock(), async () => () => {
    reads += 1;
    return COMPOSED;
  });
  await atOnce.load();
  const warming = atOnce.warmUp();
  await Promise.resolve();
  atOnce.read(COMPOSITION);
  await warming;
  expect(reads).toBeLessThan(4);
});

test('what takes long before all is compiled is not costly', async () => {
  let now = 0;
  const clock = Object.assign(new ManualClock(), { monotonic: () => now, processor: () => now });
  const atOnce = new AtOnce(clock, async () => () => {
    now += 5;
    return COMPOSED;
  });
  await atOnce.load();
  for (let messages = 0; messages < WARM_UP_MAILS; messages += 1) {
    atOnce.read(COMPOSITION);
    expect(atOnce.pauseMs()).toBe(5);
    now += 5;
  }
  for (const pause of [5, 500]) {
    atOnce.read(COMPOSITION);
    expect(atOnce.pauseMs()).toBe(pause);
  }
});

test('a costly message is the second one until a hundred times what the one before took has passed', async () => {
  const { pauseMs, read, pass } = await newAtOnce();
  const pauseAfter = (ms: number) => {
    pass(ms);
    read({ ms: 5 });
    return pauseMs();
  };
  expect([0, 500, 499, 499, 500].map(pauseAfter)).toEqual([5, 5, 500, 500, 5]);
});

test.each([
  ['as long', { ms: 4 }, 4],
  ['a hundred times as long where both were costly', { ms: 5 }, 500],
  ['a hundred times as long where both were costly and could not be read', { ms: 5, fails: true }, 500],
  ['as long as it took, where others had the processor meanwhile', { ms: 50, processorMs: 2 }, 2],
  ['as long as it took, where other threads used the processor too', { ms: 2, processorMs: 50 }, 2],
])('after such a message and another one nothing is read for %s', async (_, message: Costs, pause) => {
  const { pauseMs, read, pass } = await newAtOnce();
  for (let times = 0; times < 2; times += 1) {
    if (message.fails) expect(() => read(message)).toThrow('cannot be read');
    else read(message);
  }
  expect(pauseMs()).toBe(pause);
  pass(pause + 1);
  expect(pauseMs()).toBe(0);
});
