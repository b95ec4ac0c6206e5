import { EventEmitter } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import type { Message, Reply, Request } from '../../../packages/server/dist/extension/extension.js';
import { ManualClock } from '../../../packages/server/test/manual-clock.js';
import { untilFound } from '../src/mailpit/search-wait.js';
import type { Shared } from '../src/shared.js';

const MAIL: Message = { key: 1, emails: [] };

let clock: ManualClock;
let found: Message[];
let looks: number;
let change: () => void;
let isWatched: boolean;
let slots: number;
let response: EventEmitter;

beforeEach(() => {
  clock = new ManualClock();
  [found, looks, change, isWatched, slots] = [[], 0, () => {}, false, 0];
  const socket = new EventEmitter();
  response = Object.assign(new EventEmitter(), { req: { socket }, socket, destroyed: false });
});

/** A search that waits for so long; each look takes so long. */
function wait(waitMs: number, lookMs = 0): Promise<readonly Message[]> {
  const find = async () => {
    looks += 1;
    spentMs += lookMs;
    return found;
  };
  let spentMs = 0;
  const slowClock = { ...clock, after: clock.after.bind(clock), monotonic: () => clock.monotonic() + spentMs };
  const watch = (wake: () => void) => {
    [change, isWatched] = [wake, true];
    return () => {
      isWatched = false;
    };
  };
  const streams = {
    open: () => {
      slots += 1;
    },
    close: () => {
      slots -= 1;
    },
  };
  const access = { clientOf: () => 'client' };
  const shared = { inboxes: { watch }, clock: slowClock, streams, access } as unknown as Shared;
  return untilFound(find, shared, { request: {} as Request, reply: { raw: response } as unknown as Reply, waitMs });
}

/** Lets everything happen that waits for no time. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('who does not wait takes no place', async () => {
  expect(await wait(0)).toEqual([]);
  found = [MAIL];
  expect(await wait(10_000)).toEqual([MAIL]);
  expect([looks, slots, isWatched]).toEqual([2, 0, false]);
});

test('what comes is looked for at once, and no sooner than 10 ms after the last look', async () => {
  const waiting = wait(10_000);
  await settled();
  expect([looks, slots, isWatched]).toEqual([2, 1, true]);
  found = [MAIL];
  change();
  await clock.advance(9);
  await settled();
  expect(looks).toBe(2);
  await clock.advance(1);
  expect(await waiting).toEqual([MAIL]);
  expect([looks, slots, isWatched]).toEqual([3, 0, false]);
});

test('what another process took is looked for twice a second', async () => {
  const waiting = wait(10_000);
  await settled();
  found = [MAIL];
  await clock.advance(499);
  await settled();
  expect(looks).toBe(2);
  await clock.advance(1);
  expect(await waiting).toEqual([MAIL]);
});

test('it ends with its time, and with the last look', async () => {
  const waiting = wait(700);
  await settled();
  await clock.advance(500);
  await settled();
  await clock.advance(200);
  expect(await waiting).toEqual([]);
  expect([looks, slots, isWatched]).toEqual([4, 0, false]);
});

test('it ends when its client leaves, and gives its place back', async () => {
  const waiting = wait(10_000);
  await settled();
  response.emit('close');
  expect(await waiting).toEqual([]);
  expect([slots, isWatched]).toEqual([0, false]);
});

test('a look that takes long is followed by a pause of four times as long, whatever comes', async () => {
  const waiting = wait(10_000, 50);
  await settled();
  expect(looks).toBe(2);
  change();
  await clock.advance(199);
  await settled();
  expect(looks).toBe(2);
  found = [MAIL];
  await clock.advance(1);
  expect(await waiting).toEqual([MAIL]);
});
