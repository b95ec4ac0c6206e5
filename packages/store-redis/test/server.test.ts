import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { type Store, StoreAwayError } from '../../server/src/store/store.js';
import { costOf, delivery, letter, NOON, purgeAll, ROOMY, storeAt, textsOf } from '../../server/test/store/mail.js';
import { type RedisProxy, startProxy } from './proxy.js';
import { type RedisServer, startRedis } from './redis-server.js';

const GRACE_MS = 10 * 60_000;

describe('a store in Redis', needs('redis-server'), () => {
  let redis: RedisServer;
  let proxy: RedisProxy;
  /** The same database, at once and through the proxy. */
  let url: string;
  let store: Store;
  let distant: Store;
  /** Sends a command to the database of the test. */
  let command: (...args: string[]) => Promise<string>;

  beforeAll(async () => {
    redis = await startRedis();
  });
  beforeEach(async () => {
    url = redis.newUrl();
    proxy = await startProxy(redis.port);
    const { pathname } = new URL(url);
    command = (...args) => redis.command('-n', pathname.slice(1), ...args);
    [store, distant] = await Promise.all([
      storeAt(url, ROOMY),
      storeAt(`redis://127.0.0.1:${proxy.port}${pathname}`, ROOMY),
    ]);
  });
  afterEach(async () => {
    await redis.restore();
    await Promise.all([store.close(), distant.close()]);
    await proxy.close();
  });
  afterAll(() => redis.end());

  test('goes on when the server has forgotten the scripts', async () => {
    for (const text of ['before', 'after']) {
      await redis.command('SCRIPT', 'FLUSH');
      const both = [store.append(letter('a', NOON, text), NOON), store.append(letter('b', NOON, text), NOON)];
      for (const appended of await Promise.all(both)) expect(appended.stored).toBe(true);
      await redis.command('SCRIPT', 'FLUSH');
      await store.clear('b', NOON);
    }
    expect(await textsOf(store, 'a', NOON)).toEqual(['after', 'before']);
    expect(await store.list('b', {}, NOON)).toEqual([]);
  });

  test('stores once what it stores again because the answer got lost', async () => {
    await distant.append(letter(['a', 'b'], NOON, 'first'), NOON);
    let isCut = false;
    proxy.answer = (bytes) => {
      // The script has run: the answer is the receivedAt of both.
      if (isCut || !bytes.includes(`${NOON + 1} ${NOON + 1}`)) return bytes;
      isCut = true;
      throw new Error('lost');
    };
    const appended = await distant.append(letter(['a', 'b'], NOON, 'second'), NOON);
    expect(isCut).toBe(true);
    expect(appended).toEqual({ stored: true, receivedAt: [NOON + 1, NOON + 1] });
    for (const inbox of ['a', 'b']) expect(await textsOf(store, inbox, NOON)).toEqual(['second', 'first']);
  });

  test('refuses what it cannot store in time, and works again when the server can be reached', async () => {
    await proxy.close();
    await Promise.all([
      expect(distant.append(delivery('a', NOON), NOON)).rejects.toThrow(StoreAwayError),
      expect((async () => distant.list('a', {}, NOON))()).rejects.toThrow(StoreAwayError),
      expect(distant.ping()).rejects.toThrow(/The store does not answer: .*(?:ECONNREFUSED|closed)/),
    ]);
    expect(await store.list('a', {}, NOON)).toEqual([]);
  });

  test('makes a connection anew over which nothing comes, and stores nothing twice', async () => {
    await distant.append(delivery('a', NOON), NOON);
    proxy.silence();
    const sent = Array.from({ length: 30 }, (_, n) => distant.append(delivery(`box${n}`, NOON), NOON));
    const reasons: string[] = [];
    for (const one of await Promise.allSettled(sent)) if (one.status === 'rejected') reasons.push(String(one.reason));
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason).toContain('no reply for 10 seconds');
    expect(await textsOf(distant, 'a', NOON)).toHaveLength(1);
    const lists = await Promise.all(sent.map((_, n) => store.list(`box${n}`, {}, NOON)));
    expect(Math.max(...lists.map(({ length }) => length))).toBe(1);
  });

  test('wakes who watches after the connection was lost, also of what came meanwhile', async () => {
    const found: string[] = [];
    distant.watch('a', async () => {
      for (const text of await textsOf(distant, 'a', NOON).catch(() => [])) if (!found.includes(text)) found.push(text);
    });
    await store.append(letter('a', NOON, 'first'), NOON);
    await expect.poll(() => found).toEqual(['first']);
    for (const text of ['second', 'third']) {
      proxy.cut();
      await store.append(letter('a', NOON, text), NOON);
      await expect.poll(() => found).toContain(text);
      await store.append(letter('a', NOON, `after ${text}`), NOON);
      await expect.poll(() => found).toContain(`after ${text}`);
    }
  });

  test('goes by the clock of the server', async () => {
    await distant.ping();
    // Both clocks are this machine's; a busy one takes its time to ask.
    expect(Math.abs(distant.clockOffsetMs())).toBeLessThan(60_000);
    proxy.answer = (bytes) =>
      Buffer.from(
        bytes.toString('latin1').replace(/^(\*2\r\n\$10\r\n)(\d{10})\r/m, (_all, head, seconds) => {
          return `${head}${Number(seconds) + 86_400}\r`;
        }),
        'latin1',
      );
    await distant.ping();
    expect(Math.abs(distant.clockOffsetMs() - 86_400_000)).toBeLessThan(60_000);
  });

  test('has Redis delete by itself what no node was there to forget, ten minutes later, and counts it no more', async () => {
    await store.append(delivery(['a', 'b'], NOON), NOON);
    await store.append(delivery('a', NOON + 500), NOON);
    await store.clearOne('a', NOON, NOON + 600);
    await store.append(delivery('b', NOON + 700), NOON);
    await store.clear('b', NOON + 800);
    const keys = (await command('KEYS', '*')).split('\n');
    const lasting = keys.filter((key) => !/:(?:due|tally)$/.test(key));
    expect(lasting.length).toBeGreaterThan(6);
    for (const key of lasting) {
      const expiresAt = Number(await command('PEXPIRETIME', key)) - GRACE_MS - ROOMY.retentionMs;
      expect(expiresAt).toBeGreaterThanOrEqual(NOON);
      expect(expiresAt).toBeLessThanOrEqual(NOON + 701);
    }
    const lastOfA = NOON + 500 + ROOMY.retentionMs + GRACE_MS;
    expect(await command('PEXPIRETIME', 'mayfly:{0}:z:a')).toBe(`${lastOfA}`);
    await command('DEL', ...lasting);
    const later = NOON + ROOMY.retentionMs + 600;
    // One email is not due yet: what it costs is what is left.
    await purgeAll(store, later);
    expect(await command('HGET', 'mayfly:{0}:tally', 'bytes')).toBe(`${costOf(delivery('b', NOON))}`);
    await store.append(delivery('c', later), later);
    await purgeAll(store, later + ROOMY.retentionMs);
    expect(await command('KEYS', '*')).toBe('');
  });
});
