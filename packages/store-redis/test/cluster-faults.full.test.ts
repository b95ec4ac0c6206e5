import { once } from 'node:events';
import { connect } from 'node:net';
import calculateSlot from 'cluster-key-slot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { openStore } from '../../server/src/store/open-store.js';
import type { Store } from '../../server/src/store/store.js';
import { letter, NOON, ROOMY, storeAt, textsOf } from '../../server/test/store/mail.js';
import { type RedisCluster, startCluster } from './redis-cluster.js';
import type { RedisServer } from './redis-server.js';

/** Number of slots that move from the first master to the second. */
const MOVED_SLOTS = 200;

/** A failover can take more than a minute on a busy machine. */
const UNTIL_FAILED_OVER = { timeout: 90_000 };

/** Inboxes whose slots are at least `from` and less than `to`. */
function inboxesIn(from: number, to: number, count: number): string[] {
  const found: string[] = [];
  for (let n = 0; found.length < count; n++) {
    const slot = calculateSlot(`box${n}`);
    if (slot >= from && slot < to) found.push(`box${n}`);
  }
  return found;
}

/** Stores messages, each for two inboxes, until stopped, and records the acknowledged messages. */
function keepStoring(store: Store, inboxes: readonly string[]) {
  const acknowledged: { readonly text: string; readonly inboxes: readonly string[] }[] = [];
  let isStopped = false;
  const lane = async (name: number) => {
    for (let n = 0; !isStopped; n++) {
      const text = `${name}/${n}`;
      const both = [0, 1].map((i) => inboxes[(name + n * (i + 1)) % inboxes.length] as string);
      const isStored = await store.append(letter(both, NOON, text), NOON).then(
        ({ stored }) => stored,
        (error) => {
          if (error.name !== 'StoreAwayError') throw error;
          return false;
        },
      );
      if (isStored) acknowledged.push({ text, inboxes: both });
    }
  };
  const lanes = [0, 1, 2, 3].map(lane);
  return {
    acknowledged,
    async stop() {
      isStopped = true;
      await Promise.all(lanes);
    },
  };
}

/** Expects each acknowledged message exactly once in each of its inboxes. */
async function expectComplete(store: Store, { acknowledged }: Pick<ReturnType<typeof keepStoring>, 'acknowledged'>) {
  const expected = new Map<string, string[]>();
  for (const { text, inboxes } of acknowledged) {
    for (const inbox of inboxes) expected.set(inbox, [...(expected.get(inbox) ?? []), text]);
  }
  for (const [inbox, texts] of expected) {
    const found = await textsOf(store, inbox, NOON);
    expect(texts.filter((text) => !found.includes(text))).toEqual([]);
    const toOnlyOne = texts.filter((text, i) => texts.indexOf(text) === i);
    expect(found.filter((text) => toOnlyOne.includes(text)).length).toBe(texts.length);
  }
}

describe('a store in a Redis cluster', needs('redis-server'), () => {
  let cluster: RedisCluster;
  let one: Store;
  let two: Store;
  const opening = { warn: () => {}, replicas: 1 };

  beforeAll(async () => {
    cluster = await startCluster();
  });
  beforeEach(async () => {
    await cluster.reset();
    [one, two] = await Promise.all([storeAt(cluster.url, ROOMY), storeAt(cluster.url, ROOMY, 'create', opening)]);
  });
  afterEach(() => Promise.all([one.close(), two.close()]));
  afterAll(() => cluster.end());

  test('loses no mail while slots move to another master, and wakes watches of moved inboxes', async () => {
    const [watched, ...moved] = inboxesIn(0, MOVED_SLOTS, 5) as [string, ...string[]];
    const inboxes = [...moved, ...inboxesIn(MOVED_SLOTS, 16_384, 4)];
    let wakes = 0;
    one.watch(watched, () => {
      wakes += 1;
    });
    const load = keepStoring(two, inboxes);
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(50);
    const [from, to] = cluster.masters as [RedisServer, RedisServer];
    const [fromId, toId] = await Promise.all([from, to].map((master) => master.command('CLUSTER', 'MYID')));
    const ends = ['--cluster-from', `${fromId}`, '--cluster-to', `${toId}`, '--cluster-slots', `${MOVED_SLOTS}`];
    await from.command('--cluster', 'reshard', `127.0.0.1:${from.port}`, ...ends, '--cluster-yes');
    expect(await to.command('CLUSTER', 'SLOTS')).toMatch(
      new RegExp(`^0\\n${MOVED_SLOTS - 1}\\n127\\.0\\.0\\.1\\n`, 'm'),
    );
    const soFar = load.acknowledged.length;
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(soFar + 50);
    await load.stop();
    await expectComplete(one, load);
    const wakesBefore = wakes;
    await two.append(letter(watched, NOON, 'after'), NOON);
    await expect.poll(() => wakes).toBeGreaterThan(wakesBefore);
  });

  test('stores a message to several inboxes in all of them or in none while a master hangs', async () => {
    const [here, there] = [inboxesIn(0, 5_000, 1), inboxesIn(6_000, 10_000, 1)].flat() as [string, string];
    const still = cluster.masters[1] as RedisServer;
    still.process.kill('SIGSTOP');
    const isStored = await one.append(letter([here, there], NOON, 'both'), NOON).then(
      ({ stored }) => stored,
      () => false,
    );
    const expected = isStored ? ['both'] : [];
    // A pending rollback completes once the master, or the replica that replaced it, is reachable.
    const shown = () => Promise.all([here, there].map((inbox) => textsOf(one, inbox, NOON)));
    await expect.poll(() => shown().catch(String), UNTIL_FAILED_OVER).toEqual([expected, expected]);
    still.process.kill('SIGCONT');
    await expect.poll(() => still.command('ROLE'), UNTIL_FAILED_OVER).toMatch(/^slave/);
    await expect.poll(() => shown().catch(String), UNTIL_FAILED_OVER).toEqual([expected, expected]);
  }, 300_000);
});

describe('a store in a Redis cluster without replicas', needs('redis-server'), () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    const args = ['--cluster-require-full-coverage', 'no', '--cluster-preferred-endpoint-type', 'unknown-endpoint'];
    cluster = await startCluster({ replicas: false, args: async () => args });
  });
  afterAll(() => cluster.end());

  test('reaches each master even if CLUSTER SLOTS contains no hosts, also after a slot has moved', async () => {
    const { store } = await openStore(cluster.url, ROOMY);
    const [inbox] = inboxesIn(0, 5_000, 1) as [string];
    const elsewhere = [inboxesIn(6_000, 10_000, 1), inboxesIn(11_000, 16_384, 1)].flat();
    await store.append(letter([inbox, ...elsewhere], NOON, 'before'), NOON);
    await store.clear(inbox, NOON);
    const [from, to] = cluster.masters as [RedisServer, RedisServer];
    const slot = `${calculateSlot(inbox)}`;
    await from.command('DEL', ...(await from.command('CLUSTER', 'GETKEYSINSLOT', slot, '100')).split('\n'));
    const owner = await to.command('CLUSTER', 'MYID');
    for (const server of [to, from]) await server.command('CLUSTER', 'SETSLOT', slot, 'NODE', owner);
    await store.append(letter(inbox, NOON, 'after'), NOON);
    expect(await to.command('CLUSTER', 'COUNTKEYSINSLOT', slot)).not.toBe('0');
    for (const [name, texts] of [[inbox, ['after']] as const, ...elsewhere.map((one) => [one, ['before']] as const)]) {
      expect(await textsOf(store, name, NOON)).toEqual(texts);
    }
    await store.close();
  });

  test('subscribes to an inbox again after a master has ended the subscription', async () => {
    const { store } = await openStore(cluster.url, ROOMY);
    const [, inbox] = inboxesIn(0, 5_000, 2) as [string, string];
    let wakes = 0;
    store.watch(inbox, () => {
      wakes += 1;
    });
    await expect.poll(() => store.hasToldAll(inbox)).toBe(true);
    const before = wakes;
    // Sends both commands in one write, so that no client sees the slot without an owner.
    const socket = connect((cluster.masters[0] as RedisServer).port, '127.0.0.1');
    const slot = calculateSlot(inbox);
    socket.write(`CLUSTER DELSLOTS ${slot}\r\nCLUSTER ADDSLOTS ${slot}\r\n`);
    await once(socket, 'data');
    socket.destroy();
    // A new subscription wakes the watch once, because mail may have arrived before it.
    await expect.poll(() => wakes).toBeGreaterThan(before);
    const subscribed = wakes;
    await store.append(letter(inbox, NOON, 'new'), NOON);
    await expect.poll(() => wakes).toBeGreaterThan(subscribed);
    await store.close();
  });

  test('serves the inboxes of two masters while the third is down, and fails ping if only one is left', async () => {
    const [here, there] = [inboxesIn(6_000, 10_000, 1), inboxesIn(11_000, 16_384, 1)].flat() as [string, string];
    const [, second, third] = cluster.masters as [RedisServer, RedisServer, RedisServer];
    const first = letter(here, NOON, 'first');
    await cluster.reset();
    const { store } = await openStore(cluster.url, ROOMY);
    await store.append(first, NOON);
    await third.end('SIGKILL');
    await store.ping();
    await expect(store.append(letter(there, NOON, 'nowhere'), NOON)).rejects.toThrow('The store does not answer');
    expect(await store.append(letter(here, NOON, 'second'), NOON)).toMatchObject({ stored: true });
    // If one inbox is unreachable, the copies in the others are rolled back.
    await expect(store.append(letter([here, there], NOON, 'both'), NOON)).rejects.toThrow('The store does not answer');
    expect(await textsOf(store, here, NOON)).toEqual(['second', 'first']);
    // A single master out of three has no majority and refuses all commands.
    await second.end('SIGKILL');
    await expect.poll(() => store.ping().then(() => 'ready', String)).toContain('CLUSTERDOWN');
    await store.close();
  });
});
