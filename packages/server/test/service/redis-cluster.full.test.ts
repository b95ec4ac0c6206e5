import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { startProxy } from '../../../store-redis/test/proxy.js';
import { type RedisCluster, startCluster } from '../../../store-redis/test/redis-cluster.js';
import type { RedisServer } from '../../../store-redis/test/redis-server.js';
import { freePort } from '../ports.js';
import { describeEndToEnd, readStream } from './end-to-end.js';
import { CLOCK_MS, isReady, mailTo, UNLIMITED } from './on-redis.js';
import { endAll, fetchInbox, refusedStart, runMayfly, serve, serveWithoutStore } from './process.js';

describe('on a Redis cluster', needs('redis-server'), () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterEach(async () => {
    endAll();
    await cluster.reset();
  });
  afterAll(() => cluster.end());

  describeEndToEnd(() => ['--store', cluster.url], CLOCK_MS);

  test('if one node receives a message to 20 inboxes, the other node shows it in each of them', async () => {
    const store = ['--store', cluster.url, ...UNLIMITED];
    const [one, two] = await Promise.all([serve([...store, '--store-replicas', '1']), serve(store)]);
    const stream = await readStream(two, 'box3/stream');
    const boxes = Array.from({ length: 20 }, (_, n) => `box${n}`);
    await mailTo(
      one,
      boxes.map((box) => `${box}@inbox.example.com`),
      'over there',
    );
    expect((await stream.ended).text).toContain('"subject":"over there"');
    for (const box of boxes) expect((await fetchInbox(two, box)).count).toBe(1);
    const doctor = await runMayfly(['doctor', '--http-port', '0', '--smtp-port', '0', '--store', cluster.url]);
    const hosts = cluster.masters.map(({ port }) => `127.0.0.1:${port}`).join(',');
    expect(doctor.stdout).toContain(`The store on the cluster ${hosts} can be opened. It holds 20 emails in `);
  });

  test('the service waits at startup for an unreachable cluster, and meanwhile is not ready and accepts no mail', async () => {
    const port = await freePort();
    const mayfly = await serveWithoutStore(['--store', `redis+cluster://127.0.0.1:${port}`, ...UNLIMITED]);
    expect(mayfly.log()).toContain(`Redis at 127.0.0.1:${port} cannot be reached: connect ECONNREFUSED`);
    await expect.poll(() => isReady(mayfly).catch(String)).toBe(false);
    await expect(mailTo(mayfly, 'demo@inbox.example.com', 'too soon')).rejects.toThrow(/451 .* is not responding/);
    expect((await fetch(`${mayfly.url}/api/inbox/demo`)).status).toBe(503);
    const proxy = await startProxy((cluster.masters[0] as RedisServer).port, port);
    await expect.poll(() => mayfly.output()).toMatch(/^ready /);
    await mailTo(mayfly, 'demo@inbox.example.com', 'in time');
    expect((await fetchInbox(mayfly, 'demo')).emails.map(({ subject }) => subject)).toEqual(['in time']);
    await proxy.close();
  });

  test('a wrong name or password in --store stops the start', async () => {
    const [{ port }] = cluster.masters as [RedisServer];
    const { exitCode, stderr } = await refusedStart(['--store', `redis+cluster://nobody:s3cret@127.0.0.1:${port}`]);
    expect(stderr).toMatch(
      /^mayfly: --store: .*refused the login: WRONGPASS .*redis\+cluster:\/\/NAME:PASSWORD@[^\n]+\n$/,
    );
    expect(stderr).not.toContain('s3cret');
    expect(exitCode).toBe(2);
  });
});
