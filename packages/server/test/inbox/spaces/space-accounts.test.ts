import { expect, test } from 'vitest';
import { openSpaces, SpaceAccounts } from '../../../src/inbox/spaces/space-accounts.js';

const RETENTION_MS = 30_000;
const MAIL = { client: '192.0.2.1', bytes: 8_500, recipients: 1 };

const accounts = () => new SpaceAccounts({ maxBytes: 20_000, retentionMs: RETENTION_MS });

test('a space takes mail up to its budget, and leaves others theirs', () => {
  const spaces = accounts();
  expect(spaces.take('a', MAIL, 0)).not.toBeNull();
  expect(spaces.take('a', MAIL, 0)).not.toBeNull();
  expect(spaces.take('a', { ...MAIL, bytes: 0 }, 0)).toBeNull();
  expect(spaces.take('b', MAIL, 0)).not.toBeNull();
});

test('each further recipient counts', () => {
  expect(accounts().take('a', { ...MAIL, bytes: 8_000, recipients: 25 }, 0)).toBeNull();
});

test('what has expired counts no more, a slice later at the most', () => {
  const spaces = accounts();
  spaces.take('a', { ...MAIL, bytes: 18_000 }, 0);
  expect(spaces.take('a', MAIL, RETENTION_MS)).toBeNull();
  expect(spaces.take('a', MAIL, RETENTION_MS + RETENTION_MS / 15)).not.toBeNull();
});

test('mail that was not stored gives its room back, and a space that had no other is new again', () => {
  const spaces = accounts();
  const share = spaces.take('a', { ...MAIL, bytes: 18_000 }, 0);
  expect(spaces.hasMail('a')).toBe(true);
  share?.giveBack();
  expect(spaces.hasMail('a')).toBe(false);
  expect(spaces.take('a', { ...MAIL, bytes: 18_000 }, 0)).not.toBeNull();
});

test('mail that was stored meanwhile keeps the space known', () => {
  const spaces = accounts();
  const share = spaces.take('a', MAIL, 0);
  spaces.take('a', MAIL, 0);
  share?.giveBack();
  expect(spaces.hasMail('a')).toBe(true);
});

/** The numbers of the spaces that are known, of those that took mail in this order: each with its client. */
function knownOf(clients: readonly string[], asked: readonly number[]): boolean[] {
  const spaces = accounts();
  for (const [n, client] of clients.entries()) spaces.take(`space-${n}`, { ...MAIL, client }, 0);
  return asked.map((n) => spaces.hasMail(`space-${n}`));
}

test('the space that took mail longest ago is forgotten first', () => {
  const clients = Array.from({ length: 10_001 }, (_, n) => `192.0.2.${n % 5}`);
  expect(knownOf(clients, [0, 1, 10_000])).toEqual([false, true, true]);
});

test('who makes up spaces pushes out only his own', () => {
  const clients = ['192.0.2.1', ...Array(20_000).fill('192.0.2.66')];
  expect(knownOf(clients, [0, 17_500, 17_501, 20_000])).toEqual([true, false, true, true]);
});

test('a space that takes mail again is the newest, whoever sends it', () => {
  const spaces = accounts();
  for (let n = 0; n < 2_500; n += 1) spaces.take(`space-${n}`, { ...MAIL, bytes: 0 }, 0);
  spaces.take('space-0', { client: '192.0.2.2', bytes: 0, recipients: 1 }, 0);
  spaces.take('one-more', MAIL, 0);
  expect([spaces.hasMail('space-0'), spaces.hasMail('space-1')]).toEqual([true, false]);
});

test('there are none unless the operator asks for them', () => {
  const bounds = { 'space-budget': 1, retention: 1 };
  expect(openSpaces({ spaces: false, ...bounds })).toBeNull();
  expect(openSpaces({ spaces: true, ...bounds })).not.toBeNull();
});
