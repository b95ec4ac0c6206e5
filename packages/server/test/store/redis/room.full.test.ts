import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../../../../tools/needs.js';
import { openStore } from '../../../src/store/open-store.js';
import { CLUSTER_SHARDS, shardNumber } from '../../../src/store/redis/connection/topology.js';
import type { Store, StoreLimits } from '../../../src/store/store.js';
import { costOf, keptInParts, letter, NOON, ROOMY } from '../mail.js';
import { type RedisCluster, startCluster } from './redis-cluster.js';

keptInParts((inbox) => shardNumber(inbox, CLUSTER_SHARDS));

const FITTING = 10;

/** How long to wait before a master that did not answer is asked again. */
const LOOK_MS = 50;

/** Names of one length: they count, too. */
const boxOf = (n: number) => `box${String(n).padStart(2, '0')}`;
const MAIL = (n: number, receivedAt = NOON) => letter(boxOf(n), receivedAt, 'x'.repeat(1_000));
const LIMITS = { ...ROOMY, retentionMs: 10_000, budgetBytes: FITTING * costOf(MAIL(0)) };
const FULL = { stored: false, reason: 'store-full' };

describe('a cluster whose budget is used up', needs('redis-server'), () => {
  let cluster: RedisCluster;
  let store: Store;
  let other: Store;
  beforeAll(async () => {
    cluster = await startCluster({ replicas: false });
  });
  beforeEach(async () => {
    await cluster.reset();
    [store, other] = await Promise.all([openReady(), openReady()]);
    for (let n = 0; n < FITTING; n += 1) await store.append(MAIL(n, NOON - 9_500 + n), NOON);
  });
  afterEach(() => Promise.all([store.close(), other.close()]));
  afterAll(() => cluster.end());

  /** A store that has found all masters, which on a busy machine may not answer at once. */
  async function openReady(limits: StoreLimits = LIMITS): Promise<Store> {
    const { store: opened } = await openStore(cluster.url, limits);
    while ((await Promise.resolve(opened.usage()).catch(() => null)) === null) await delay(LOOK_MS);
    return opened;
  }

  /** How many commands all masters have carried out, but for this one. */
  async function commands(): Promise<number> {
    const stats = await Promise.all(cluster.masters.map((master) => master.command('INFO', 'commandstats')));
    const calls = stats
      .join('\n')
      .matchAll(/^cmdstat_(?!info|ping|cluster|config|command|replconf|psync)[^:]*:calls=(\d+)/gm);
    return [...calls].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  test('is asked for room once a second, however much mail is refused', async () => {
    expect(await store.append(MAIL(20), NOON)).toEqual(FULL);
    const before = await commands();
    for (let n = 0; n < 100; n += 1) expect(await store.append(MAIL(n), NOON + n)).toEqual(FULL);
    expect((await commands()) - before).toBe(0);
  });

  test('refuses what costs less by one script each, and takes what there is room for', async () => {
    const { budgetBytes } = LIMITS;
    const roomy = await openReady({ ...LIMITS, budgetBytes: budgetBytes + costOf(letter('s', NOON, '')) });
    expect(await roomy.append(MAIL(20), NOON)).toEqual(FULL);
    const before = await commands();
    for (let n = 0; n < 20; n += 1) {
      expect(await roomy.append(letter('box', NOON, 'x'.repeat(900 - n)), NOON)).toEqual(FULL);
    }
    // What a script calls is counted, too: of each it asks for the message, the state, the number of emails and the tally.
    expect((await commands()) - before).toBeLessThanOrEqual(20 * 5);
    expect(await roomy.append(letter('s', NOON, ''), NOON)).toMatchObject({ stored: true });
    await roomy.close();
  });

  test('has room at once for what this node has deleted, and within a second for what another has', async () => {
    for (const [clearing, at] of [
      [store, NOON],
      [other, NOON + 1_000],
    ] as const) {
      expect(await store.append(MAIL(20), NOON)).toEqual(FULL);
      await clearing.clear(clearing === store ? boxOf(8) : boxOf(9), NOON);
      expect(await store.append(MAIL(30), at)).toMatchObject({ stored: true });
    }
  });

  test('has room for what was cleared by itself', async () => {
    expect(await store.append(MAIL(20), NOON)).toEqual(FULL);
    await store.clearOne(boxOf(3), NOON - 9_497, NOON);
    expect(await store.append(MAIL(30), NOON)).toMatchObject({ stored: true });
  });

  test('has room for what expires within that second, from the millisecond at which it does', async () => {
    expect(await store.append(MAIL(20), NOON)).toEqual(FULL);
    expect(await store.append(MAIL(20), NOON + 499)).toEqual(FULL);
    expect(await store.append(MAIL(30), NOON + 500)).toMatchObject({ stored: true });
  });

  test('still takes what has expired before it came', async () => {
    expect(await store.append(MAIL(20), NOON)).toEqual(FULL);
    expect(await store.append(MAIL(30, NOON - 10_000), NOON)).toMatchObject({ stored: true });
  });
});
