import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../../tools/needs.js';
import { ATTACKS } from '../attacks.js';
import { UNTIMED_PATIENCE } from '../judge.js';
import { fillSmallInbox } from '../load.js';
import { attackPhase } from '../phase.js';
import { startService } from '../service.js';

const OPTIONS = { address: '127.0.1.1', durationMs: 500, idleCpuShare: 0, ...UNTIMED_PATIENCE };

/** On a busy machine nobody gets an answer in a phase as short as that. */
const LONGEST_MS = 16_000;

describe('a phase', needs('Linux'), () => {
  let service;
  beforeAll(async () => {
    service = await startService();
    await fillSmallInbox(service);
  });
  afterAll(() => service.kill());

  it('tells what the attacker got, what that cost and what others saw', async () => {
    const seen = await longEnough(service, named('wrong keys, /healthz'));
    expect(seen.tally['401']).toBeGreaterThan(0);
    expect(seen.cpuMsEach).toBeGreaterThan(0);
    expect(seen.storeBytes).toBeGreaterThan(0);
    expect(seen.fetch.length).toBeGreaterThan(0);
    expect(seen.deliver.length).toBeGreaterThan(0);
    expect([...seen.failures]).toEqual([]);
    expect(seen.isQuiet).toBe(true);
  }, 300_000);

  it('does not deliver where the attack fills the store', async () => {
    const seen = await attackPhase(service, { ...named('wrong keys, /healthz'), fillsStore: true }, OPTIONS);
    expect(seen.deliver).toEqual([]);
  });

  it('cannot begin without what the attack is prepared on, and says so', async () => {
    // There is no large email in this service.
    await expect(attackPhase(service, named('html of 10 MB'), OPTIONS)).rejects.toThrow(
      /was not prepared: The inbox large has no email/,
    );
  });
});

/** A phase in which the attacker and both kinds of others got an answer; the longest one where none has. */
async function longEnough(service, attack) {
  for (let { durationMs } = OPTIONS, attempt = 2; ; durationMs *= 2, attempt += 1) {
    // What an address has used up stays so for a while.
    const seen = await attackPhase(service, attack, { ...OPTIONS, address: `127.0.1.${attempt}`, durationMs });
    const isEnough = seen.tally['401'] > 0 && seen.fetch.length > 0 && seen.deliver.length > 0;
    if (isEnough || durationMs >= LONGEST_MS) return seen;
  }
}

function named(name) {
  return ATTACKS.find((attack) => attack.name === name);
}
