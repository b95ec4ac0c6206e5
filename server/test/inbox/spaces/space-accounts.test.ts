import { expect, test } from 'vitest';
import { openSpaces, SpaceAccounts } from '../../../src/inbox/spaces/space-accounts.js';

const RETENTION_MS = 30_000;
const MAIL = { bytes: 8_500, recipients: 1 };

const accounts = () => new SpaceAccounts({ maxBytes: 20_000, retentionMs: RETENTION_MS });

test('a space takes mail up to its budget, and leaves others theirs', () => {
  const spaces = accounts();
  expect(spaces.take('a', MAIL, 0)).not.toBeNull();
  expect(spaces.take('a', MAIL, 0)).not.toBeNull();
  expect(spaces.take('a', { bytes: 0, recipients: 1 }, 0)).toBeNull();
  expect(spaces.take('b', MAIL, 0)).not.toBeNull();
});

test('each further recipient counts', () => {
  expect(accounts().take('a', { bytes: 8_000, recipients: 25 }, 0)).toBeNull();
});

test('what has expired counts no more, a slice later at the most', () => {
  const spaces = accounts();
  spaces.take('a', { bytes: 18_000, recipients: 1 }, 0);
  expect(spaces.take('a', MAIL, RETENTION_MS)).toBeNull();
  expect(spaces.take('a', MAIL, RETENTION_MS + RETENTION_MS / 15)).not.toBeNull();
});

test('mail that was not stored gives its room back, and a space that had no other is new again', () => {
  const spaces = accounts();
  const share = spaces.take('a', { bytes: 18_000, recipients: 1 }, 0);
  expect(spaces.hasMail('a')).toBe(true);
  share?.giveBack();
  expect(spaces.hasMail('a')).toBe(false);
  expect(spaces.take('a', { bytes: 18_000, recipients: 1 }, 0)).not.toBeNull();
});

test('mail that was stored meanwhile keeps the space known', () => {
  const spaces = accounts();
  const share = spaces.take('a', MAIL, 0);
  spaces.take('a', MAIL, 0);
  share?.giveBack();
  expect(spaces.hasMail('a')).toBe(true);
});

test('the space that took mail longest ago is forgotten first', () => {
  const spaces = accounts();
  for (let n = 0; n <= 10_000; n += 1) spaces.take(`space-${n}`, MAIL, 0);
  expect([spaces.hasMail('space-0'), spaces.hasMail('space-1'), spaces.hasMail('space-10000')]).toEqual([
    false,
    true,
    true,
  ]);
});

test('there are none unless the operator asks for them', () => {
  const bounds = { 'space-budget': 1, retention: 1 };
  expect(openSpaces({ spaces: false, ...bounds })).toBeNull();
  expect(openSpaces({ spaces: true, ...bounds })).not.toBeNull();
});
