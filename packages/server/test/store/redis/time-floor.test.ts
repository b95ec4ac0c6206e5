import { expect, test } from 'vitest';
import { TimeFloor } from '../../../src/store/redis/mail/shard.js';

test('raises nothing as long as the connection holds', () => {
  const floor = new TimeFloor(() => 0);
  floor.told(1_000);
  floor.saw(2_000);
  expect(floor.atLeast(10)).toBe(10);
});

test('gives the time at which the connection was made anew, reckoned from when it was told last', () => {
  let monotonic = 50;
  const floor = new TimeFloor(() => monotonic);
  floor.told(1_000);
  monotonic = 80.5;
  floor.connectedAnew();
  monotonic = 500;
  expect(floor.atLeast(10)).toBe(1_031);
  expect(floor.atLeast(2_000)).toBe(2_000);
});

test('comes behind what was seen, where its clock was ahead by a little', () => {
  const floor = new TimeFloor(() => 0);
  floor.told(1_000);
  floor.saw(4_000);
  floor.saw(3_000);
  floor.connectedAnew();
  expect(floor.atLeast(10)).toBe(4_001);
});

test('follows a clock that was wrong by no more than five seconds', () => {
  const floor = new TimeFloor(() => 0);
  floor.told(1_000);
  floor.saw(1_000_000);
  floor.connectedAnew();
  expect(floor.atLeast(10)).toBe(6_000);
});

test('knows no time before it is told one', () => {
  const floor = new TimeFloor(() => 0);
  floor.connectedAnew();
  expect(floor.atLeast(10)).toBe(10);
});

test('never goes back', () => {
  const floor = new TimeFloor(() => 0);
  floor.told(1_000);
  floor.connectedAnew();
  floor.told(500);
  floor.connectedAnew();
  expect(floor.atLeast(10)).toBe(1_000);
});
