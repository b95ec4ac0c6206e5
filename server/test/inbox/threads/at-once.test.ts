import { expect, test } from 'vitest';
import { AT_ONCE_BYTES, AtOnce } from '../../../src/inbox/threads/at-once.js';
import { ManualClock } from '../../manual-clock.js';

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
    mayRead: (bytes = 100) => atOnce.mayRead(bytes),
    read: (message: Costs) => {
      costs = message;
      return atOnce.read({
        raw: Uint8Array.of(0),
        envelopeFrom: '',
        generatedId: '',
        recipientBytes: 0,
        recipients: null,
      });
    },
    pass(ms: number) {
      now += ms;
    },
  };
}

test('nothing is read before what reads is loaded', () => {
  const atOnce = new AtOnce(new ManualClock(), async () => () => COMPOSED);
  expect(atOnce.mayRead(100)).toBe(false);
});

test('nothing is read while what reads is being compiled', async () => {
  const whileWarming: boolean[] = [];
  const atOnce: AtOnce = new AtOnce(new ManualClock(), async () => () => {
    whileWarming.push(atOnce.mayRead(100));
    return COMPOSED;
  });
  await atOnce.warmUp();
  expect(new Set(whileWarming)).toEqual(new Set([false]));
  expect(atOnce.mayRead(100)).toBe(true);
});

test('what is larger is never read', async () => {
  const { mayRead } = await newAtOnce();
  expect(AT_ONCE_BYTES).toBe(16 * 1024);
  expect(mayRead(AT_ONCE_BYTES)).toBe(true);
  expect(mayRead(AT_ONCE_BYTES + 1)).toBe(false);
});

test.each([
  ['as long', { ms: 4 }, 4],
  ['a hundred times as long where it was costly', { ms: 5 }, 500],
  ['a hundred times as long where it was costly and could not be read', { ms: 5, fails: true }, 500],
  ['as long as it took, where others had the processor meanwhile', { ms: 50, processorMs: 2 }, 2],
  ['as long as it took, where other threads used the processor too', { ms: 2, processorMs: 50 }, 2],
])('after a message nothing is read for %s', async (_, message: Costs, pause) => {
  const { mayRead, read, pass } = await newAtOnce();
  if (message.fails) expect(() => read(message)).toThrow('cannot be read');
  else read(message);
  pass(pause - 1);
  expect(mayRead()).toBe(false);
  pass(1);
  expect(mayRead()).toBe(true);
});
