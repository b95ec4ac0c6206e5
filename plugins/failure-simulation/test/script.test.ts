import { newName } from 'mayfly-client/api';
import { scriptOf } from 'mayfly-protocol/fault-script';
import { describe, expect, test } from 'vitest';

const ALWAYS = Number.POSITIVE_INFINITY;

describe('scriptOf', () => {
  test.each([
    ['a--451x2', [{ kind: 'refuse', at: 'rcpt', code: 451, times: 2 }]],
    ['a--550', [{ kind: 'refuse', at: 'rcpt', code: 550, times: ALWAYS }]],
    ['a--data554x100', [{ kind: 'refuse', at: 'data', code: 554, times: 100 }]],
    ['a--lost250', [{ kind: 'lose', times: 1 }]],
    ['a--delay60s', [{ kind: 'delay', ms: 60_000 }]],
    ['a--greylist600s', [{ kind: 'greylist', ms: 600_000 }]],
    ['a--limit3per10s', [{ kind: 'limit', count: 3, ms: 10_000 }]],
    ['calm-otter-7k2m4p3q5xyz--550', [{ kind: 'refuse', at: 'rcpt', code: 550, times: ALWAYS }]],
    ['a-b.c+d--twice--hold', [{ kind: 'twice' }, { kind: 'hold' }]],
    [
      'sign-up--451x1--lost250',
      [
        { kind: 'refuse', at: 'rcpt', code: 451, times: 1 },
        { kind: 'lose', times: 1 },
      ],
    ],
  ])('parses %s', (name, script) => {
    expect(scriptOf(name)).toEqual(script);
  });

  test.each([
    'a',
    'my--name',
    'a--b--c',
    'lost--and-found',
    'user--limit',
    '--',
    'a---b',
    'user--4821093',
    'user--550e8400-e29b-41d4',
  ])('treats %s as an ordinary name', (name) => {
    expect(scriptOf(name)).toBeNull();
  });

  test.each([
    'a--451x',
    'a--451x0',
    'a--451-x2',
    'a--461',
    'a--delay-5s',
    'a--600--twice',
    'a--delay0s',
    'a--delay61s',
    'a--greylist601s',
    'a--limit0per1s',
    'a--hold--releas',
    'a--twice--',
    'a--delay40s--delay21s',
    'calm-otter-7k2m4p3q5xyz--delay',
    'qa-calm-otter-7k2m4p3q5xyz--',
    '--451x2',
  ])('reports %s as a mistyped failure simulation', (name) => {
    expect(scriptOf(name)).toBe('broken');
  });

  test('finds no script in a name that the client generated', () => {
    for (let i = 0; i < 10_000; i += 1) expect(scriptOf(newName('acme', 'qa'))).toBeNull();
  });
});
