import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../../../../tools/needs.js';
import { openStore } from '../../../src/store/open-store.js';
import { CLUSTER_SHARDS, shardNumber, shardTags, slotOf } from '../../../src/store/redis/connection/topology.js';
import type { Store } from '../../../src/store/store.js';
import { costOf, delivery, letter, NOON, purgeAll, ROOMY, storeAt, textsOf } from '../mail.js';
import { type RedisCluster, startCluster } from './redis-cluster.js';
import type { RedisServer } from './redis-server.js';

/** The first so many slots of the first master are moved to the second. */
const MOVED_SLOTS = 200;

/** A replica takes over, and the cluster is whole again: that takes a busy machine more than a minute. */
const UNTIL_FAILED_OVER = { timeout: 90_000 };

const TAGS = shardTags();

const slotOfInbox = (inbox: string) => slotOf(TAGS[shardNumber(inbox, CLUSTER_SHARDS)] as string);

/** So many inboxes whose slots are at least `from` and less than `to`. */
function inboxesIn(from: number, to: number, count: number): string[] {
  const found: string[] = [];
  for (let n = 0; found.length < count; n++) {
    const slot = slotOfInbox(`box${n}`);
    if (slot >= from && slot < to) found.push(`box${n}`);
  }
  return found;
}

/** So many inboxes of which no two share a slot. */
function inboxesApart(count: number): string[] {
  const found = new Map<number, string>();
  for (let n = 0; found.size < count; n++) found.set(slotOfInbox(`box${n}`), `box${n}`);
  return [...found.values()];
}

/** Stores letters one behind the other, each for two inboxes, until it is stopped; remembers those that were acknowledged. */
function storeOnAndOn(store: Store, inboxes: readonly string[]) {
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

/** Expects all that was acknowledged in all of its inboxes, and nothing twice. */
async function expectComplete(store: Store, { acknowledged }: Pick<ReturnType<typeof storeOnAndOn>, 'acknowledged'>) {
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

  test('spreads inboxes evenly over the slots, and keeps what belongs together in one', async () => {
    const slots = TAGS.map(slotOf).sort((a, b) => a - b);
    for (const [i, slot] of slots.entries()) expect(Math.floor(slot / (16_384 / CLUSTER_SHARDS))).toBe(i);
    const asked = await cluster.masters[0]?.command('CLUSTER', 'KEYSLOT', `mayfly:{${TAGS[7]}}:due`);
    expect(slotOf(TAGS[7] as string)).toBe(Number(asked));
    await one.append(letter(inboxesIn(0, 16_384, 30), NOON, 'to all'), NOON);
    const held = await Promise.all(cluster.masters.map((master) => master.command('DBSIZE')));
    for (const keys of held) expect(Number(keys)).toBeGreaterThan(0);
  });

  test('cleaning up asks every shard once, however many of them have something to forget', async () => {
    const inboxes = inboxesIn(0, 16_384, 100);
    for (const inbox of inboxes) await one.append(letter(inbox, NOON, 'short-lived'), NOON);
    const later = NOON + ROOMY.retentionMs;
    for (const master of cluster.masters) await master.command('CONFIG', 'RESETSTAT');
    while (await one.purge(later));
    expect((await one.usage()).emails).toBe(0);
    const asked = await Promise.all(cluster.masters.map((master) => master.command('INFO', 'commandstats')));
    const calls = asked.map((stats) => Number(/cmdstat_zrange:calls=(\d+)/.exec(stats)?.[1]));
    // Beside that, each shard in which something is due is listed, and its script looks whether there is more.
    const due = new Set(inboxes.map((inbox) => slotOfInbox(inbox))).size;
    expect(calls.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(CLUSTER_SHARDS + 2 * due);
  });

  test('stores a large mail for many inboxes, of which no more is on its way than may wait', async () => {
    const inboxes = inboxesApart(80);
    // Each of the three masters gets more than 64 MiB of it.
    const large = delivery(inboxes, NOON, { content: [randomBytes(3_000_000)] });
    expect(await one.append(large, NOON)).toMatchObject({ stored: true });
    for (const inbox of inboxes) expect((await two.list(inbox, {}, NOON)).length).toBe(1);
  });

  test('takes back what one shard refuses', async () => {
    const [here, there] = [inboxesIn(0, 5_000, 1), inboxesIn(11_000, 16_384, 1)].flat() as [string, string];
    const { store: small } = await openStore(cluster.url, { ...ROOMY, maxEmails: 1 });
    await small.append(letter(here, NOON, 'first'), NOON);
    const before = await small.usage();
    expect(await small.append(letter([there, here], NOON, 'second'), NOON)).toEqual({
      stored: false,
      reason: 'inbox-full',
    });
    expect(await textsOf(small, there, NOON)).toEqual([]);
    expect(await small.usage()).toEqual(before);
    await small.append(letter(there, NOON, 'third'), NOON);
    expect(await textsOf(small, there, NOON)).toEqual(['third']);
    await small.close();
  });

  test('loses nothing while slots move from one master to another, and is told of what comes there', async () => {
    const [watched, ...moved] = inboxesIn(0, MOVED_SLOTS, 5) as [string, ...string[]];
    const inboxes = [...moved, ...inboxesIn(MOVED_SLOTS, 16_384, 4)];
    let wakes = 0;
    one.watch(watched, () => {
      wakes += 1;
    });
    const load = storeOnAndOn(two, inboxes);
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

  test('loses nothing that was acknowledged when a master dies under load, and its replica takes its place', async () => {
    const [dying, replica] = [cluster.masters[2], cluster.replicas[2]] as [RedisServer, RedisServer];
    const [watched, ...its] = inboxesIn(11_000, 16_384, 5) as [string, ...string[]];
    let wakes = 0;
    one.watch(watched, () => {
      wakes += 1;
    });
    const load = storeOnAndOn(two, [...its, ...inboxesIn(0, 10_000, 4)]);
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(50);
    await dying.end('SIGKILL');
    await expect.poll(() => replica.command('ROLE'), UNTIL_FAILED_OVER).toMatch(/^master/);
    // It has no replica by now: what it takes is not acknowledged.
    await expect(two.append(letter(its[0] as string, NOON, 'alone'), NOON)).rejects.toThrow(
      /The store does not answer/,
    );
    await cluster.restart(dying);
    const isStored = () => two.append(letter(its[0] as string, NOON, 'again'), NOON).then(Boolean, () => false);
    await expect.poll(isStored, UNTIL_FAILED_OVER).toBe(true);
    const soFar = load.acknowledged.length;
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(soFar + 50);
    await load.stop();
    await expectComplete(one, load);
    const wakesBefore = wakes;
    await two.append(letter(watched, NOON, 'woken'), NOON);
    await expect.poll(() => wakes).toBeGreaterThan(wakesBefore);
    await Promise.all([one.ping(), two.ping()]);
  }, 300_000);

  test('stores in all or in none where a master stands still', async () => {
    const [here, there] = [inboxesIn(0, 5_000, 1), inboxesIn(6_000, 10_000, 1)].flat() as [string, string];
    const still = cluster.masters[1] as RedisServer;
    still.process.kill('SIGSTOP');
    const isStored = await one.append(letter([here, there], NOON, 'both'), NOON).then(
      ({ stored }) => stored,
      () => false,
    );
    const expected = isStored ? ['both'] : [];
    // What cannot be taken back at once is so with the next step of cleaning up.
    const shown = async () => {
      await one.purge(NOON);
      return Promise.all([here, there].map((inbox) => textsOf(one, inbox, NOON)));
    };
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

  test('follows a slot whose new master is named by its port alone', async () => {
    const { store } = await openStore(cluster.url, ROOMY);
    const [inbox] = inboxesIn(0, 5_000, 1) as [string];
    const id = await (cluster.masters[1] as RedisServer).command('CLUSTER', 'MYID');
    for (const master of cluster.masters) {
      expect(await master.command('CLUSTER', 'SETSLOT', `${slotOfInbox(inbox)}`, 'NODE', id)).toBe('OK');
    }
    await store.append(letter(inbox, NOON, 'moved'), NOON);
    expect(await textsOf(store, inbox, NOON)).toEqual(['moved']);
    await store.close();
  });

  test('goes on with what others have while a master is away, and is away where none can be read', async () => {
    const [here, there] = [inboxesIn(6_000, 10_000, 1), inboxesIn(11_000, 16_384, 1)].flat() as [string, string];
    const [, second, third] = cluster.masters as [RedisServer, RedisServer, RedisServer];
    const first = letter(here, NOON, 'first');
    await cluster.reset();
    const { store } = await openStore(cluster.url, { ...ROOMY, budgetBytes: costOf(first) * 1.5 });
    await store.append(first, NOON);
    await third.end('SIGKILL');
    await store.ping();
    await expect(store.append(letter(there, NOON, 'nowhere'), NOON)).rejects.toThrow('The store does not answer');
    expect(await store.append(letter(here, NOON, 'full'), NOON)).toEqual({ stored: false, reason: 'store-full' });
    // Room is made where something is due, and what has been deleted is known to be.
    const later = NOON + ROOMY.retentionMs;
    expect(await store.append(letter(here, later, 'second'), later)).toMatchObject({ stored: true });
    await purgeAll(store, later + ROOMY.retentionMs);
    expect(await second.command('DBSIZE')).toBe('0');
    // One of three is no majority, and refuses what it is asked for.
    await second.end('SIGKILL');
    await expect.poll(() => store.ping().then(() => 'ready', String)).toContain('CLUSTERDOWN');
    await store.close();
  });
});
