import { describe, expect, it } from 'vitest';
import { ATTACKS, breachOf } from '../abuse/attacks.js';
import { FACTOR, SHORT_FACTOR, waitsOf } from '../abuse/others.js';

/** Twenty deliveries and twenty fetches. `deliver` and `fetch` are their 95th percentiles, the second longest waits. */
function seen({ deliver = 10, fetch = 2, longest = 200, failures = [] } = {}) {
  return {
    deliver: [...Array(18).fill(1), deliver, longest],
    fetch: [...Array(18).fill(1), fetch, longest],
    failures,
  };
}

const calm = seen({ longest: 20 });
const busyIdle = seen({ deliver: 40, fetch: 40, longest: 300 });

describe('waitsOf judges how long other clients wait during an attack', () => {
  it.each([
    ['accepts waits that are no longer than idle ones', seen(), calm, []],
    ['accepts waits up to the limits', seen({ deliver: 150, fetch: 150, longest: 1_000 }), calm, []],
    ['rejects a p95 beyond the limit', seen({ deliver: 151 }), calm, [/deliver: .*p95.* 151 ms, .* 150 ms/]],
    ['rejects a fetch p95 beyond the limit', seen({ fetch: 151 }), calm, [/fetch: .*p95.* 151 ms, .* 150 ms/]],
    [
      'rejects the longest wait beyond the limit',
      seen({ longest: 1_001 }),
      calm,
      [/deliver: .*longest.* 1,?001/, /fetch: .*longest.* 1,?001/],
    ],
    ['accepts longer waits if idle waits are slow', seen({ deliver: 160, fetch: 160, longest: 1_200 }), busyIdle, []],
    ['rejects even longer waits', seen({ deliver: 161 }), busyIdle, [/deliver: .*p95.* 161 ms, .* 160 ms/]],
    ['rejects requests that failed fast', seen({ failures: [503, 503] }), calm, [/2 requests of others failed: 503/]],
    ['accepts a phase without deliveries', { ...seen(), deliver: [] }, calm, []],
  ])('%s', (_name, others, idle, sentences) => {
    expect(waitsOf(others, idle, FACTOR)).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)));
  });

  it('accepts longer waits with SHORT_FACTOR, and any wait with an infinite factor', () => {
    const others = seen({ deliver: 100, fetch: 20, failures: ['timeout'] });
    expect(waitsOf(others, seen({ deliver: 10 }), SHORT_FACTOR)).toHaveLength(1);
    expect(waitsOf(seen({ deliver: 4_000, longest: 9_000 }), calm, Infinity)).toEqual([]);
  });
});

describe("breachOf compares an attacker's responses with the limits of the attack", () => {
  const attack = (name) => ATTACKS.find((one) => one.name === name);

  it.each([
    ['wrong keys', { 401: 200 }, null],
    ['wrong keys', { 401: 201 }, /^the attacker got 401 201 times in 11\.0 s; at most 200 are allowed$/],
    ['names tried by stream', { opened: 6_111 }, /at most 6110 are allowed/],
    ['store quota of 1 MiB', { 250: 4 }, /^the attacker got no 452, so this proves nothing$/],
  ])('attack "%s" with the responses %o', (name, tally, sentence) => {
    const found = breachOf(attack(name), { tally, elapsedMs: 10_000, storeBytes: 0, memoryMb: 0 });
    expect(found).toEqual(sentence && expect.stringMatching(sentence));
  });
});
