import { describe, expect, it } from 'vitest';
import { ATTACKS } from '../attacks.js';

const MIB = 2 ** 20;

/** What an attacker got, and whether that is a breach: a part of its sentence, or null. */
const CASES = [
  ['wrong keys, /healthz', { tally: { 401: 100, 429: 50 }, elapsedMs: 9_000 }, null],
  ['wrong keys, /healthz', { tally: { 401: 101, 429: 50 }, elapsedMs: 9_000 }, '101 wrong keys'],
  ['wrong keys, stream', { tally: { 401: 200 }, elapsedMs: 10_100 }, null],
  ['wrong keys, stream', { tally: { 401: 201 }, elapsedMs: 10_100 }, '201 wrong keys'],
  ['names tried by stream', { tally: { opened: 6_030 }, elapsedMs: 2_000 }, null],
  ['names tried by stream', { tally: { opened: 6_031 }, elapsedMs: 2_000 }, '6031 names'],
  ['X-Forwarded-For garbage', { tally: { 200: 60, 429: 1 }, elapsedMs: 2_000 }, null],
  ['X-Forwarded-For garbage', { tally: { 200: 61, 429: 1 }, elapsedMs: 2_000 }, '61 fetches'],
  ['X-Forwarded-For garbage', { tally: { 429: 9 }, elapsedMs: 2_000 }, 'nothing was fetched'],
  ['store budget of 1 MiB', { tally: { 250: 20, 452: 1 }, storeBytes: 4 * MIB }, null],
  ['store budget of 1 MiB', { tally: { 250: 20, 452: 1 }, storeBytes: 4 * MIB + 1 }, '20 mails to 100 recipients'],
  ['store budget of 1 MiB', { tally: { 250: 20 }, storeBytes: MIB }, 'none was refused'],
  ['store budget of 1 MiB', { tally: { 452: 20 }, storeBytes: MIB }, 'no mail was taken'],
  ['lists read while emptied', { tally: { whole: 4 } }, null],
  ['lists read while emptied', { tally: { whole: 3, cut: 1 } }, '1 of 4 lists'],
  ['lists read while emptied', { tally: { whole: 3, shortened: 1 } }, '1 of 4 lists'],
  ['lists read while emptied', { tally: { 429: 4 } }, 'no list was read'],
  ['large answers unread', { tally: { unread: 690 }, memoryMb: 512 }, null],
  ['large answers unread', { tally: { unread: 690 }, memoryMb: 513 }, 'took 513 MB'],
  ['large bodies to a send API', { tally: { 200: 1, 503: 9 } }, null],
  ['large bodies to a send API', { tally: { 403: 9 } }, 'no request was accepted'],
  ['small answers unread', { tally: { cut: 1 }, memoryMb: 100 }, 'nothing was left unread'],
];

describe('what an attacker may get', () => {
  it.each(CASES)('%s: %j', (name, facts, sentence) => {
    const found = ATTACKS.find((attack) => attack.name === name).breach(facts);
    if (sentence === null) expect(found).toBeNull();
    else expect(found).toContain(sentence);
  });

  it('is judged by a name that no other attack has', () => {
    const names = ATTACKS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
