import { expect, test } from 'vitest';
import { AT_ONCE_BYTES, AtOnce } from '../../../src/inbox/threads/at-once.js';
import { ManualClock } from '../../manual-clock.js';

const COMPOSED = { index: new Uint8Array(0), record: new Uint8Array(0), summary: new Uint8Array(0) };

/** One that is warm; reading a message takes as many milliseconds as its first byte says. */
async function newAtOnce() {
  let now = 0;
  const clock = Object.assign(new ManualClock(), { monotonic: () => now });
  let isWarm = false;
  const atOnce = new AtOnce(clock, async () => ({ raw }) => {
    if (isWarm) now += raw[0] ?? 0;
    return COMPOSED;
  });
  await atOnce.warmUp();
  isWarm = true;
  return {
    mayRead: (bytes = 100) => atOnce.mayRead(bytes),
    read: (ms: number) => atOnce.read({ raw: Uint8Array.of(ms), envelopeFrom: '', generatedId: '', recipientBytes: 0 }),
    pass(ms: number) {
      now += ms;
    },
  };
}

test('nothing is read before what reads is loaded', () => {
  const atOnce = new AtOnce(new ManualClock(), async () => () => COMPOSED);
  expect(atOnce.mayRead(100)).toBe(false);
});

test('what is larger is never read', async () => {
  const { mayRead } = await newAtOnce();
  expect(mayRead(AT_ONCE_BYTES)).toBe(true);
  expect(mayRead(AT_ONCE_BYTES + 1)).toBe(false);
});

test.each([
  ['four times as long', 2, 8],
  ['a hundred times as long where it was costly', 3, 300],
])('after a message nothing is read %s', async (_, ms, pause) => {
  const { mayRead, read, pass } = await newAtOnce();
  read(ms);
  pass(pause - 1);
  expect(mayRead()).toBe(false);
  pass(1);
  expect(mayRead()).toBe(true);
});
