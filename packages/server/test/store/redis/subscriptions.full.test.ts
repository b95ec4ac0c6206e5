import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../../../../tools/needs.js';
import type { Store } from '../../../src/store/store.js';
import { letter, NOON, ROOMY, storeAt } from '../mail.js';
import { type RedisProxy, startProxy } from './proxy.js';
import { type RedisCluster, startCluster } from './redis-cluster.js';
import { type RedisServer, startRedis } from './redis-server.js';

/** Watches an inbox, and counts how often it is woken. */
function watch(store: Store, inbox: string) {
  const watched = { wakes: 0, leave: () => {} };
  watched.leave = store.watch(inbox, () => {
    watched.wakes += 1;
  });
  return watched;
}

describe('whether all was told', needs('redis-server'), () => {
  let redis: RedisServer;
  let proxy: RedisProxy;
  /** The same database, at once and through the proxy. */
  let store: Store;
  let distant: Store;

  beforeAll(async () => {
    redis = await startRedis();
  });
  beforeEach(async () => {
    const url = redis.newUrl();
    proxy = await startProxy(redis.port);
    [store, distant] = await Promise.all([
      storeAt(url, ROOMY),
      storeAt(`redis://127.0.0.1:${proxy.port}${new URL(url).pathname}`, ROOMY),
    ]);
  });
  afterEach(async () => {
    await Promise.all([store.close(), distant.close()]);
    await proxy.close();
  });
  afterAll(() => redis.end());

  const hasToldAll = () => distant.hasToldAll('a');

  test('is known once the subscription is in force, and every mail before it has been told by then', async () => {
    const watched = watch(distant, 'a');
    await expect.poll(hasToldAll).toBe(true);
    for (let n = 0; n < 30; n++) {
      const before = watched.wakes;
      await store.append(letter('a', NOON, `mail ${n}`), NOON);
      expect(await hasToldAll()).toBe(true);
      expect(watched.wakes).toBeGreaterThan(before);
    }
  });

  test('is not known of an inbox that nobody watches, or has left', async () => {
    expect(await hasToldAll()).toBe(false);
    const watched = watch(distant, 'a');
    await expect.poll(hasToldAll).toBe(true);
    watched.leave();
    expect(await hasToldAll()).toBe(false);
  });

  test('is known again of an inbox that is watched again at once, which is woken', async () => {
    watch(distant, 'a').leave();
    for (let n = 0; n < 20; n++) {
      const watched = watch(distant, 'a');
      await expect.poll(hasToldAll).toBe(true);
      const before = watched.wakes;
      await store.append(letter('a', NOON, `mail ${n}`), NOON);
      await expect.poll(() => watched.wakes).toBeGreaterThan(before);
      watched.leave();
    }
  });

  test('is not known while the connection is away, and what came meanwhile is told before it is known again', async () => {
    const watched = watch(distant, 'a');
    await expect.poll(hasToldAll).toBe(true);
    proxy.serverPort = 1;
    proxy.cut();
    await expect.poll(hasToldAll).toBe(false);
    const before = watched.wakes;
    await store.append(letter('a', NOON, 'meanwhile'), NOON);
    expect(await hasToldAll()).toBe(false);
    proxy.serverPort = redis.port;
    await expect.poll(hasToldAll).toBe(true);
    expect(watched.wakes).toBeGreaterThan(before);
  });

  test('is not known while the server says nothing, whose connection is made anew', async () => {
    const watched = watch(distant, 'a');
    await expect.poll(hasToldAll).toBe(true);
    proxy.silence();
    expect(await hasToldAll()).toBe(false);
    const before = watched.wakes;
    await store.append(letter('a', NOON, 'meanwhile'), NOON);
    await expect.poll(hasToldAll).toBe(true);
    expect(watched.wakes).toBeGreaterThan(before);
  });

  test('is not known of a subscriber that did not read, whom the server has cut off', async () => {
    const watched = watch(distant, 'a');
    await expect.poll(hasToldAll).toBe(true);
    const before = watched.wakes;
    await redis.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await store.append(letter('a', NOON, 'meanwhile'), NOON);
    await expect.poll(hasToldAll).toBe(true);
    expect(watched.wakes).toBeGreaterThan(before);
  });

  test('costs the server one command for all who ask in the same moment', async () => {
    const inboxes = Array.from({ length: 500 }, (_, n) => `box${n}`);
    for (const inbox of inboxes) watch(distant, inbox);
    const allTold = async () => (await Promise.all(inboxes.map((inbox) => distant.hasToldAll(inbox)))).every(Boolean);
    await expect.poll(allTold).toBe(true);
    await redis.command('CONFIG', 'RESETSTAT');
    for (let times = 0; times < 5; times++) expect(await allTold()).toBe(true);
    const stats = await redis.command('INFO', 'commandstats');
    expect(Number(/cmdstat_ping:calls=(\d+)/.exec(stats)?.[1])).toBeLessThanOrEqual(5);
    expect(stats).not.toContain('cmdstat_zrange:');
  });
});

describe('whether all was told in a cluster', needs('redis-server'), () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startCluster({ replicas: false });
  });
  afterAll(() => cluster.end());

  test('is known of every inbox, and again after its slot has moved', async () => {
    const [one, two] = await Promise.all([storeAt(cluster.url, ROOMY), storeAt(cluster.url, ROOMY)]);
    const inboxes = Array.from({ length: 60 }, (_, n) => `box${n}`);
    const watches = inboxes.map((inbox) => watch(one, inbox));
    const allTold = async () => (await Promise.all(inboxes.map((inbox) => one.hasToldAll(inbox)))).every(Boolean);
    const storeInAll = async (text: string) => {
      const before = watches.map(({ wakes }) => wakes);
      await two.append(letter(inboxes, NOON, text), NOON);
      await expect.poll(allTold).toBe(true);
      for (const [i, { wakes }] of watches.entries()) expect(wakes).toBeGreaterThan(before[i] as number);
    };
    await expect.poll(allTold).toBe(true);
    await storeInAll('before');
    const [from, to] = cluster.masters as [RedisServer, RedisServer];
    const [fromId, toId] = await Promise.all([from, to].map((master) => master.command('CLUSTER', 'MYID')));
    const ends = ['--cluster-from', `${fromId}`, '--cluster-to', `${toId}`, '--cluster-slots', '3000'];
    await from.command('--cluster', 'reshard', `127.0.0.1:${from.port}`, ...ends, '--cluster-yes');
    await two.append(letter(inboxes, NOON, 'goes where they are'), NOON);
    // Each node is asked for something of what has moved about once a second.
    const isFollowed = async () => {
      await one.list('box0', {}, NOON);
      await one.usage();
      return allTold();
    };
    await expect.poll(isFollowed).toBe(true);
    await storeInAll('after');
    await Promise.all([one.close(), two.close()]);
  });
});
