import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { type Store, StoreAwayError, StoreFullError } from '../../server/src/store/store.js';
import { delivery, letter, NOON, ROOMY, storeAt, textsOf } from '../../server/test/store/mail.js';
import { type RedisProxy, startProxy } from './proxy.js';
import { type RedisServer, startRedis } from './redis-server.js';

describe('a store in Redis', needs('redis-server'), () => {
  let redis: RedisServer;
  let proxy: RedisProxy;
  /** `store` and `distant` use the same database; `distant` connects through the proxy. */
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

  test('sends its scripts again after the server has lost them', async () => {
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

  test('stores a message only once even if the reply to the write is lost and the write is repeated', async () => {
    await distant.append(letter(['a', 'b'], NOON, 'first'), NOON);
    let isCut = false;
    proxy.answer = (bytes) => {
      // A reply with this `receivedAt` proves that the script has run.
      if (isCut || !bytes.includes(`${NOON + 1}`)) return bytes;
      isCut = true;
      throw new Error('lost');
    };
    const appended = await distant.append(letter(['a', 'b'], NOON, 'second'), NOON);
    expect(isCut).toBe(true);
    expect(appended).toEqual({ stored: true, receivedAt: [NOON + 1, NOON + 1] });
    for (const inbox of ['a', 'b']) expect(await textsOf(store, inbox, NOON)).toEqual(['second', 'first']);
  });

  test('rejects with StoreAwayError while the server is unreachable', async () => {
    await proxy.close();
    await Promise.all([
      expect(distant.append(delivery('a', NOON), NOON)).rejects.toThrow(StoreAwayError),
      expect((async () => distant.list('a', {}, NOON))()).rejects.toThrow(StoreAwayError),
      expect(distant.ping()).rejects.toThrow(/The store does not answer: ./),
    ]);
    expect(await store.list('a', {}, NOON)).toEqual([]);
  });

  test('rejects messages after 10 seconds without a reply from Redis, and stores no message twice', async () => {
    await distant.append(delivery('a', NOON), NOON);
    proxy.silence();
    const sent = Array.from({ length: 30 }, (_, n) => distant.append(delivery(`box${n}`, NOON), NOON));
    const reasons: string[] = [];
    for (const one of await Promise.allSettled(sent)) if (one.status === 'rejected') reasons.push(String(one.reason));
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason).toContain('no reply for 10 seconds');
    expect(await textsOf(distant, 'a', NOON)).toHaveLength(1);
    const lists = await Promise.all(sent.map((_, n) => store.list(`box${n}`, {}, NOON)));
    expect(Math.max(...lists.map(({ length }) => length))).toBeLessThanOrEqual(1);
  });

  test('reconnects after connections were cut before their first reply', async () => {
    await distant.ping();
    let cuts = 0;
    proxy.answer = () => {
      cuts += 1;
      throw new Error('lost');
    };
    proxy.cut();
    const pinged = () => distant.ping().catch((error) => expect(error).toBeInstanceOf(StoreAwayError));
    await expect.poll(() => pinged().then(() => cuts)).toBeGreaterThan(2);
    proxy.answer = (bytes) => bytes;
    await expect.poll(() => distant.ping().then(() => 'ready', String)).toBe('ready');
    expect(await distant.append(letter('a', NOON, 'first'), NOON)).toMatchObject({ stored: true });
  });

  test('calls watches again after a lost connection, also for mail stored during the outage', async () => {
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

  test('measures by how much the clock of the Redis server differs from the local clock', async () => {
    await distant.ping();
    // The offset is not exactly 0, although both clocks are this machine's, because a busy machine delays the reply.
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

  test('refuses mail with store-full while the server memory is full, and still serves stored mail', async () => {
    await store.append(letter('a', NOON, 'kept'), NOON);
    await redis.set('maxmemory', '1mb');
    expect(await store.append(letter(['a', 'b'], NOON, 'too much'), NOON)).toEqual({
      stored: false,
      reason: 'store-full',
    });
    await expect(store.ping()).rejects.toThrow(StoreFullError);
    await expect(store.ping()).rejects.toThrow('The memory of the server is full');
    expect(await textsOf(store, 'a', NOON)).toEqual(['kept']);
    await store.clear('a', NOON);
    await redis.restore();
    await store.ping();
    expect(await store.append(letter('b', NOON, 'next'), NOON)).toMatchObject({ stored: true });
    expect((await store.usage()).bytes).toBeGreaterThan(500_000);
  });

  test('lets Redis delete all keys of an email a minute after it expired or was cleared', async () => {
    const [retentionMs, graceMs] = [ROOMY.retentionMs, 60_000];
    const expiryOf = async (key: string) => Number(await command('PEXPIRETIME', key)) - graceMs;
    const expiries = async (pattern: string) => {
      const keys = (await command('KEYS', pattern)).split('\n');
      return (await Promise.all(keys.map(expiryOf))).sort();
    };
    await store.append(delivery(['a', 'b'], NOON), NOON);
    await store.append(delivery('a', NOON + 500), NOON);
    expect(await expiries('mayfly:{a}:e:*')).toEqual([NOON + retentionMs, NOON + 500 + retentionMs]);
    expect(await expiryOf('mayfly:{a}:z')).toBe(NOON + 500 + retentionMs);
    expect(await expiryOf('mayfly:{a}:s')).toBe(NOON + 500 + retentionMs);
    expect(await expiryOf('mayfly:{index0}')).toBe(NOON + 500 + retentionMs);
    await store.clearOne('a', NOON, NOON + 600);
    expect(await expiries('mayfly:{a}:e:*')).toEqual([NOON + 600, NOON + 500 + retentionMs]);
    await store.clear('b', NOON + 800);
    expect(await expiries('mayfly:{b}:e:*')).toEqual([NOON + 800]);
    for (const expiry of await expiries('*')) expect(expiry).toBeGreaterThan(NOON);
  });

  test('leaves no key in Redis once mail has expired by the clock of the server', async () => {
    const brief = await storeAt(url, { ...ROOMY, retentionMs: 1_000 });
    // The email has already expired, but stays readable for another half second.
    const before = Date.now() - 59_500;
    await brief.append(letter(['a', 'b'], before, 'gone'), before);
    expect((await command('KEYS', '*')).split('\n').length).toBeGreaterThan(5);
    await expect.poll(() => command('KEYS', '*')).toBe('');
    expect(await brief.usage()).toMatchObject({ emails: 0 });
    await brief.close();
  });

  test('warns on opening about a missing maxmemory and about mail of an earlier version', async () => {
    const sentences: string[] = [];
    const open = async () => {
      await (
        await storeAt(url, ROOMY, 'create', { warn: (sentence) => sentences.push(sentence), replicas: 0 })
      ).close();
    };
    await open();
    expect(sentences).toEqual([expect.stringMatching(/^Redis: the server has no maxmemory, .* CONFIG SET maxmemory/)]);
    await redis.set('maxmemory', '1gb');
    sentences.length = 0;
    await open();
    expect(sentences).toEqual([]);
    await command('ZADD', 'mayfly:{0}:due', `${NOON}`, 'e one');
    await command('HSET', 'mayfly:{0}:tally', 'bytes', '1');
    await open();
    expect(sentences).toEqual([expect.stringMatching(/holds mail of an earlier version .* within 1 minutes after/)]);
    for (const list of ['due', 'tally']) expect(await command('PTTL', `mayfly:{0}:${list}`)).toMatch(/^\d{5,6}$/);
  });
});
