import { describe, expect, test } from 'vitest';
import { adHocOf, parseCredentials } from '../../src/inbox/ad-hoc.js';

const KEY = adHocOf({ user: 'run-1', password: 'secret' }) as string;

describe('the key of an ad-hoc workspace (D66)', () => {
  test('has 26 characters, reveals neither user nor password, and is always the same', () => {
    expect(KEY).toMatch(/^[a-z2-7]{26}$/);
    expect(adHocOf({ user: 'Run-1', password: 'secret' })).toBe(KEY);
  });

  test.each([
    ['another password', 'run-1', 'Secret'],
    ['another user', 'run-2', 'secret'],
    ['a character of the password in the user', 'run-1s', 'ecrets'],
  ])('differs for %s', (_, user, password) => {
    const other = adHocOf({ user, password });
    expect(other).not.toBeNull();
    expect(other).not.toBe(KEY);
  });

  test.each([
    ['', 'secret'],
    ['a@b.test', 'secret'],
    ['a b', 'secret'],
    ['u'.repeat(65), 'secret'],
    ['run-1', ''],
    ['run-1', 'short'],
    ['run-1', 'p'.repeat(129)],
    ['run-1', 'with a blank'],
    ['run-1', 'with-a-line\n'],
    ['run-1', 'pässwort'],
    ['run-1', 'nul\0nul'],
  ])('is null for the user %j and the password %j', (user, password) => {
    expect(adHocOf({ user, password })).toBeNull();
  });

  test.each([
    ['run-1:secret', { user: 'run-1', password: 'secret' }],
    ['run-1:a:b', { user: 'run-1', password: 'a:b' }],
    [':secret', { user: '', password: 'secret' }],
    ['re_123', null],
  ])('is made from the credentials in %j, if any: %j', (text, pair) => expect(parseCredentials(text)).toEqual(pair));
});
