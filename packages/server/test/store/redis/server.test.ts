import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../../../../tools/needs.js';
import { NoRoomError, type SharedCounts } from '../../../src/limits/limits.js';
import { openStore } from '../../../src/store/open-store.js';
import { Connection } from '../../../src/store/redis/connection/connection.js';
import { Server } from '../../../src/store/redis/connection/server.js';
import { Standalone } from '../../../src/store/redis/connection/servers.js';
import { type Part, packedDelivery } from '../../../src/store/redis/mail/part.js';
import { Shard, type ShardOptions } from '../../../src/store/redis/mail/shard.js';
import { type Store, StoreAwayError, type StoredEmail } from '../../../src/store/store.js';
import {
  contentOf,
  costOf,
  delivery,
  indexOf,
  letter,
  NOON,
  noise,
  purgeAll,
  ROOMY,
  storeAt,
  textsOf,
} from '../mail.js';
import { type RedisProxy, startProxy } from './proxy.js';
import { type RedisServer, startRedis } from './redis-server.js';

const GRACE_MS = 10 * 60_000;

const warn = () => {};

/** The part of a letter to these inboxes that a shard gets which has all of them. */
async function partOf(inboxes: string[], text: string, message: string): Promise<Part> {
  const whole = letter(inboxes, NOON, text);
  const recipients = whole.recipients.map((recipient, ordinal) => ({ recipient, ordinal }));
  return { delivery: whole, recipients, packed: await packedDelivery(whole), message };
}

describe('a store in Redis', needs('redis-server'), () => {
  let redis: RedisServer;
  let proxy: RedisProxy;
  /** The same database, at once and through the proxy. */
  let url: string;
  let store: Store;
  let distant: Store;
  let counts: SharedCounts;
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
    [{ store, sharedCounts: counts }, distant] = await Promise.all([
      openStore(url, ROOMY) as Promise<{ store: Store; sharedCounts: SharedCounts }>,
      storeAt(`redis://127.0.0.1:${proxy.port}${pathname}`, ROOMY),
    ]);
  });
  afterEach(async () => {
    await redis.restore();
    await Promise.all([store.close(), distant.close()]);
    await proxy.close();
  });
  afterAll(() => redis.end());

  /** A shard of the test's database without a store, with a connection of its own. */
  async function shardOf(options: Partial<ShardOptions> = {}) {
    const connection = new Connection({ url, replicas: 0 }, { connected: () => {}, received: () => {} });
    const server = new Server(connection, { name: 'the server', isMaster: false, warn });
    const servers = new Standalone(connection, server);
    await connection.open();
    return { shard: new Shard('0', servers.route(), options), close: () => servers.close() };
  }

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

  test('has a full disk while the server cannot write its files, and says so once a minute', async () => {
    const full = await startRedis({ args: ['--dir', '/proc', '--save', '3600 1'] });
    const told: string[] = [];
    const { store: own } = await openStore(full.newUrl(), ROOMY, 'create', {
      warn: (line) => told.push(line),
      replicas: 0,
    });
    await own.append(letter('a', NOON, 'before'), NOON);
    await full.command('BGSAVE');
    await expect.poll(() => full.command('INFO', 'persistence')).toContain('rdb_last_bgsave_status:err');
    const refused = { stored: false, reason: 'disk-full' };
    for (const [seconds, lines] of [
      [0, 1],
      [59, 1],
      [60, 2],
    ] as const) {
      expect(await own.append(letter('a', NOON, 'meanwhile'), NOON + 1_000 * seconds)).toEqual(refused);
      expect(told).toHaveLength(lines);
    }
    expect(told[1]).toMatch(/^The disk of the store on Redis at 127\.0\.0\.1:\d+ is full: .*MISCONF/);
    await expect(own.ping()).rejects.toMatchObject({ name: 'StoreFullDiskError' });
    await expect(own.clear('a', NOON)).rejects.toMatchObject({ name: 'StoreFullDiskError' });
    expect(await textsOf(own, 'a', NOON)).toEqual(['before']);
    await full.command('CONFIG', 'SET', 'stop-writes-on-bgsave-error', 'no');
    await own.append(letter('a', NOON, 'after'), NOON);
    await own.ping();
    expect(told[2]).toMatch(/has space again/);
    expect(await textsOf(own, 'a', NOON)).toEqual(['after', 'before']);
    await own.close();
    // It would save before it ends.
    await full.end('SIGKILL');
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

  test('is told of too few replicas also where it stores again, which writes nothing new', async () => {
    const replica = await startRedis({ args: ['--replicaof', '127.0.0.1', `${redis.port}`] });
    const { store: careful } = await openStore(`redis://127.0.0.1:${proxy.port}/9000`, ROOMY, 'create', {
      warn,
      replicas: 1,
    });
    await expect
      .poll(() => careful.append(delivery('a', NOON), NOON).catch(() => null))
      .toMatchObject({ stored: true });
    replica.process.kill('SIGSTOP');
    let cuts = 0;
    proxy.answer = (bytes) => {
      if (cuts > 0 || !/^\$\d+\r\n\d{13}\r\n/.test(bytes.toString())) return bytes;
      cuts += 1;
      throw new Error('lost');
    };
    await expect(careful.append(delivery('b', NOON), NOON)).rejects.toThrow('0 replicas have the mail');
    expect(cuts).toBe(1);
    replica.process.kill('SIGCONT');
    await expect.poll(() => replica.command('-n', '9000', 'EXISTS', 'mayfly:{0}:z:b')).toBe('1');
    await careful.close();
    await replica.end();
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

  test('takes back what it has of a mail for several shards, and turns away what comes of it only then', async () => {
    const { shard, close } = await shardOf();
    await shard.append(await partOf(['a'], 'kept', 'kept'), NOON, ROOMY);
    const before = await shard.tally();

    const come = await partOf(['a', 'b', 'a'], 'come', 'come');
    await shard.append(come, NOON, ROOMY);
    expect(await textsOf(store, 'a', NOON)).toEqual(['come', 'come', 'kept']);
    await shard.rollback(come, NOON, ROOMY.retentionMs, true)();
    expect(await shard.tally()).toEqual(before);
    expect(await command('EXISTS', 'mayfly:{0}:m:come')).toBe('0');

    const late = await partOf(['a', 'b'], 'late', 'late');
    for (let times = 0; times < 2; times++) await shard.rollback(late, NOON, ROOMY.retentionMs, false)();
    await expect(shard.append(late, NOON, ROOMY)).rejects.toThrow(StoreAwayError);
    expect(await textsOf(store, 'a', NOON)).toEqual(['kept']);
    expect(await store.list('b', {}, NOON)).toEqual([]);
    expect(await shard.tally()).toEqual(before);
    expect(await command('PEXPIRETIME', 'mayfly:{0}:m:late')).toBe(`${NOON + GRACE_MS}`);
    await close();
  });

  test('refuses at once what would make more than 64 MiB wait for an answer', async () => {
    const connection = new Connection(
      { url: `redis://127.0.0.1:${proxy.port}`, replicas: 0 },
      { connected: () => {}, received: () => {} },
    );
    await connection.open();
    proxy.silence();
    const value = Buffer.alloc(60_000);
    const refused: string[] = [];
    const sent = Array.from({ length: 1_300 }, () => connection.command('ECHO', value));
    for (const one of sent) one.catch(({ message }) => refused.push(message));
    await new Promise(setImmediate);
    const fitting = Math.floor((64 * 1024 * 1024) / (value.length + 'ECHO'.length));
    expect(refused).toHaveLength(sent.length - fitting);
    for (const message of refused) expect(message).toContain('64 MiB are waiting');
    connection.drop();
    await Promise.allSettled(sent);
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

  test('counts nothing new where memory is full, but says what was counted, prolongs what is held and gives it back', async () => {
    const window = { count: 1, windowMs: 600_000, batchSize: 1 };
    expect(await counts.use('a', window)).toBe(0);
    expect(await counts.hold('places', 'x', 1, 600_000)).toBe(true);
    await redis.set('maxmemory', '1');
    for (const refused of [
      () => counts.use('b', window),
      () => counts.useName('b', 'x', window),
      () => counts.hold('places', 'y', 1, 600_000),
    ]) {
      await expect(refused()).rejects.toThrow(NoRoomError);
    }
    expect(await counts.wait('a', window)).toBeGreaterThan(0);
    await counts.renew('places', ['x'], 600_000);
    await counts.free('places', 'x');
    await redis.restore();
    expect(await counts.hold('places', 'y', 1, 600_000)).toBe(true);
  });

  test.each([
    { what: 'no longer than the window', ahead: [1_000, 500], atMost: 600_000 },
    { what: 'until the first use leaves the window', ahead: [-300, 400], atMost: 300_000 },
  ])('has who used up a limit wait $what where clocks were ahead of the server', async ({ ahead, atMost }) => {
    const seconds = Number((await command('TIME')).split('\n')[0]);
    const batches = ahead.map((by) => `${1_000 * (seconds + by)} 1`);
    await command('RPUSH', 'mayfly:{limit:a}', ...batches);
    const window = { count: 2, windowMs: 600_000, batchSize: 1 };
    const waits = [await counts.use('a', window), await counts.wait('a', window)];
    for (const waitMs of waits) {
      expect(waitMs).toBeLessThanOrEqual(atMost);
      // As long as the test has taken so far is gone.
      expect(waitMs).toBeGreaterThan(atMost - 60_000);
    }
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

  test('subscribes only to what somebody watches', async () => {
    const channels = async () => (await redis.command('PUBSUB', 'SHARDCHANNELS')).split('\n').filter(Boolean);
    const leaves = [distant.watch('a', () => {}), distant.watch('a', () => {}), distant.watch('b', () => {})];
    await expect.poll(async () => (await channels()).length).toBe(2);
    leaves[0]?.();
    leaves[2]?.();
    await expect.poll(channels).toEqual(['mayfly:{0}:z:a']);
    leaves[1]?.();
    await expect.poll(channels).toEqual([]);
    // What is left while there is no connection is left for good.
    const [leave] = [distant.watch('left', () => {}), distant.watch('kept', () => {})];
    await expect.poll(async () => (await channels()).length).toBe(2);
    proxy.serverPort = 1;
    proxy.cut();
    await expect.poll(channels).toEqual([]);
    leave();
    proxy.serverPort = redis.port;
    await expect.poll(channels).toEqual(['mayfly:{0}:z:kept']);
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

  test('takes the clock of the server for no further ahead than the quickest of its answers says', async () => {
    let late = 0;
    proxy.answer = (bytes) => {
      // A question that took a day to get there: its answer tells a time that is a day ahead of when it was asked.
      const text = bytes.toString('latin1').replace(/^(\*2\r\n\$10\r\n)(\d{10})\r/m, (all, head, seconds) => {
        if (late === 1) return all;
        late += 1;
        return `${head}${Number(seconds) + 86_400}\r`;
      });
      return Buffer.from(text, 'latin1');
    };
    await distant.ping();
    expect(late).toBe(1);
    expect(Math.abs(distant.clockOffsetMs())).toBeLessThan(60_000);
  });

  test('looks at the server now and then while it cleans up, and says what an operator should know', async () => {
    const said: string[] = [];
    const { store: watchful } = await openStore(url, ROOMY, 'create', {
      warn: (sentence) => said.push(sentence),
      replicas: 0,
    });
    await redis.set('maxmemory-policy', 'allkeys-lru');
    for (let steps = 0; steps < 60; steps++) await watchful.purge(NOON);
    expect(said).toEqual([expect.stringContaining('now has maxmemory-policy allkeys-lru')]);
    await watchful.close();
  });

  test('holds nothing of mail once it was forgotten', async () => {
    for (let i = 0; i < 30; i++) await store.append(delivery(['a', `box${i}`, 'a'], NOON + i), NOON);
    await store.clearOne('a', NOON, NOON);
    await store.clear('a', NOON);
    for (let i = 0; i < 30; i++) await store.append(delivery('a', NOON + i), NOON);
    await purgeAll(store, NOON);
    expect(Number(await command('DBSIZE'))).toBeGreaterThan(60);
    await purgeAll(store, NOON + 2 * ROOMY.retentionMs);
    expect(await command('KEYS', '*')).toBe('');
  });

  test('remembers an inbox for as long as it has an email, and no longer, also where the newest one expires first', async () => {
    const { store: brief } = await openStore(url, { ...ROOMY, retentionMs: 1_000 });
    await store.append(letter('a', NOON, 'long'), NOON);
    await brief.append(letter('a', NOON + 1, 'short'), NOON + 1);
    await purgeAll(brief, NOON + 5_000);
    expect(await textsOf(store, 'a', NOON + 5_000)).toEqual(['long']);
    expect(await command('EXISTS', 'mayfly:{0}:s:a')).toBe('1');
    await purgeAll(store, NOON + 2 * ROOMY.retentionMs);
    expect(await command('KEYS', '*')).toBe('');
    await brief.close();
  });

  test('reads a bounded part of a full inbox whose emails expire in no order, and finds room at either end', async () => {
    const limits = { ...ROOMY, maxEmails: 3_000 };
    const [long, brief] = await Promise.all([storeAt(url, limits), storeAt(url, { ...limits, retentionMs: 1_000 })]);
    await brief.append(delivery('a', NOON - 500), NOON - 500);
    await long.append(delivery(Array(2_997).fill('a'), NOON), NOON);
    await brief.append(delivery(['a', 'a'], NOON + 5_000), NOON + 5_000);
    await redis.command('CONFIG', 'RESETSTAT');
    // The oldest has expired.
    expect(await long.append(delivery('a', NOON + 5_000), NOON + 5_000)).toMatchObject({ stored: true });
    expect(await long.append(delivery('a', NOON + 5_000), NOON + 5_000)).toEqual({
      stored: false,
      reason: 'inbox-full',
    });
    // The newest two of before have.
    expect(await long.append(delivery(['a', 'a'], NOON + 7_000), NOON + 7_000)).toMatchObject({ stored: true });
    expect(await long.append(delivery('a', NOON + 7_000), NOON + 7_000)).toEqual({
      stored: false,
      reason: 'inbox-full',
    });
    const stats = await redis.command('INFO', 'commandstats');
    expect(Number(/cmdstat_zrange:calls=(\d+)/.exec(stats)?.[1])).toBeLessThan(30);
    await Promise.all([long.close(), brief.close()]);
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

  test.each([false, true])(
    'has it delete an inbox no sooner than its last email, replicated: %s',
    async (isReplicated) => {
      const { shard, close } = await shardOf({ isReplicated });
      await shard.append(await partOf(['a'], 'long', 'long'), NOON, ROOMY);
      await shard.append(await partOf(['a'], 'short', 'short'), NOON, { ...ROOMY, retentionMs: 1_000 });
      const deletedAt = `${NOON + ROOMY.retentionMs + GRACE_MS}`;
      expect(await command('PEXPIRETIME', shard.keys.emails('a'))).toBe(deletedAt);
      if (isReplicated) expect(await command('PEXPIRETIME', shard.keys.shown('a'))).toBe(deletedAt);
      await close();
    },
  );

  test('keeps a long text in less room than it has, and noise in hardly more', async () => {
    const text = Buffer.alloc(200_000, 'The quick brown fox jumps over the lazy dog, and your code is 482913. ');
    for (const [inbox, content] of [
      ['text', text],
      ['page', text.subarray(0, 5_000)],
      ['noise', noise(16_000)],
      ['short', Buffer.from('x'.repeat(500))],
    ] as const) {
      await store.append(delivery(inbox, NOON, { content: [content], index: content }), NOON);
      const [email] = (await store.list(inbox, {}, NOON)) as [StoredEmail];
      for (const field of ['0', 'i']) {
        const kept = Number(await command('HSTRLEN', `mayfly:{0}:m:${store.contentKey(email)}`, field));
        expect(kept).toBeLessThanOrEqual(/text|page/.test(inbox) ? content.length / 4 : content.length + 1);
      }
      expect((await contentOf(store, email)).equals(content)).toBe(true);
      expect(await indexOf(store, inbox, email, NOON)).toEqual(content);
    }
  });
});
