import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { type RedisServer, startRedis } from '../store/redis/redis-server.js';
import { temporaryDirectories } from '../store/temporary.js';
import { readStream } from './end-to-end.js';
import { mailTo, UNLIMITED } from './on-redis.js';
import { endAll, fetchInbox, type RunningMayfly, runMayfly, serve } from './process.js';

/** An environment in which a process has its clock set wrong. */
const clockOff = (offMs: number) => ({
  NODE_OPTIONS: `--import ${new URL('./clock-off.mjs', import.meta.url)}`,
  CLOCK_OFF_MS: `${offMs}`,
});

const newFolder = temporaryDirectories();

describe('two nodes whose clocks differ', needs('redis-server'), () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(endAll);
  afterAll(() => redis.end());

  /** Five seconds, as of a machine that is badly looked after, and so much that no wrong time goes unnoticed. */
  test.each([-5_000, 3 * 3_600_000])('by %i ms go by that of the server', async (offMs) => {
    const store = ['--store', redis.newUrl()];
    const [right, wrong] = await Promise.all([
      serve([...store, ...UNLIMITED]),
      serve([...store, ...UNLIMITED, '--drop-in', 'mailpit'], clockOff(offMs)),
    ]);
    const begunAt = Date.now();
    const settings = (await (await fetch(`${wrong.url}/api/settings`)).json()) as { now: string };
    const isNow = (time: string) => {
      // The server's clock is asked for, which takes a moment, and so does its answer.
      expect(Math.abs(Date.parse(time) - begunAt)).toBeLessThan(Math.abs(offMs) / 2 + (Date.now() - begunAt));
    };
    isNow(settings.now);

    const streams = await Promise.all(
      [right, wrong].map((node) => readStream(node, `demo/stream?after=${settings.now}`)),
    );
    for (const [n, node] of [wrong, right, wrong, right].entries())
      await mailTo(node, 'demo@inbox.example.com', `${n}`);
    for (const { ended } of streams) expect((await ended).text).toMatch(/"subject":"[0-3]"/);

    const [seen, seenByOther] = await Promise.all([fetchInbox(right, 'demo'), fetchInbox(wrong, 'demo')]);
    expect(seenByOther).toEqual(seen);
    expect(seen.emails.map(({ subject }) => subject)).toEqual(['3', '2', '1', '0']);
    for (const { receivedAt } of seen.emails) isNow(receivedAt);
    const newer = await fetchInbox(wrong, `demo?after=${seen.emails[1]?.receivedAt}`);
    expect(newer.emails.map(({ subject }) => subject)).toEqual(['3']);

    const listed = (await (await fetch(`${wrong.url}/api/v1/messages`)).json()) as { messages: unknown[] };
    expect(listed.messages).toHaveLength(4);
    const folder = await newFolder();
    await runMayfly(['export', `${folder}/all`, ...store], clockOff(offMs));
    expect(await readdir(`${folder}/all`)).toHaveLength(4);

    const headers = { 'content-type': 'application/json' };
    await fetch(`${wrong.url}/api/waitlist`, { method: 'POST', headers, body: '{"email":"a@app.test"}' });
    const { stdout } = await runMayfly(['waitlist', '--json', ...store], clockOff(offMs));
    isNow(JSON.parse(stdout)[0].joinedAt);
  });

  test('by five seconds, ahead or behind, serve no mail that has expired, and all that has not', async () => {
    const retentionMs = 6_000;
    const dropIn = ['--drop-in', 'mailpit', '--drop-in-limit', 'off'];
    const args = ['--store', redis.newUrl(), ...UNLIMITED, '--retention', `${retentionMs}ms`, ...dropIn];
    const [right, ...wrong] = await Promise.all([0, 5_000, -5_000].map((offMs) => serve(args, clockOff(offMs))));
    // What a node thinks of the server's clock is ahead by what the question took.
    const AHEAD_MS = 2_500;
    await mailTo(right as RunningMayfly, 'demo@inbox.example.com', 'short-lived');
    const [email] = (await fetchInbox(right as RunningMayfly, 'demo')).emails;
    const expiresAt = Date.parse(email?.receivedAt ?? '') + retentionMs;
    const countOf = async (node: RunningMayfly) => (await fetchInbox(node, 'demo')).count;
    // A list of all inboxes has what came to another node a moment later.
    const totalOf = async (node: RunningMayfly) =>
      ((await (await fetch(`${node.url}/api/v1/messages`)).json()) as { total: number }).total;
    for (let askedAt = Date.now(); ; askedAt = Date.now()) {
      const [counts, totals] = await Promise.all([Promise.all(wrong.map(countOf)), Promise.all(wrong.map(totalOf))]);
      if (Date.now() < expiresAt - AHEAD_MS) expect(counts).toEqual([1, 1]);
      if (askedAt < expiresAt) continue;
      expect([...counts, ...totals]).toEqual([0, 0, 0, 0]);
      return;
    }
  });
});
