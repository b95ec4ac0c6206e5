import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { type RedisServer, startRedis } from '../../../store-redis/test/redis-server.js';
import { readStream } from './end-to-end.js';
import { mailTo, UNLIMITED } from './on-redis.js';
import { endAll, fetchInbox, runMayfly, serve } from './process.js';

describe('two nodes on one Redis server', needs('redis-server'), () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(endAll);
  afterAll(() => redis.end());

  test('act as one service: mail to one node reaches streams and inboxes on the other', async () => {
    const store = ['--store', redis.newUrl(), ...UNLIMITED];
    const [one, two] = await Promise.all([serve(store), serve(store)]);
    const stream = await readStream(two, 'demo/stream');
    await mailTo(one, 'demo@inbox.example.com', 'over there');
    expect((await stream.ended).text).toContain('"subject":"over there"');
    expect((await fetchInbox(two, 'demo')).count).toBe(1);
    expect((await fetch(`${two.url}/api/inbox/demo`, { method: 'DELETE' })).ok).toBe(true);
    expect((await fetchInbox(one, 'demo')).count).toBe(0);
  });

  test('share one waitlist, which the command line lists', async () => {
    const url = redis.newUrl();
    const nodes = await Promise.all([serve(['--store', url]), serve(['--store', url])]);
    for (const [n, node] of [...nodes, ...nodes].entries()) {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ email: `${n % 3}@app.test` });
      await fetch(`${node.url}/api/waitlist`, { method: 'POST', headers, body });
    }
    const { stdout, stderr } = await runMayfly(['waitlist', '--json', '--store', url]);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout).map(({ email }: { email: string }) => email)).toEqual(
      [0, 1, 2].map((n) => `${n}@app.test`),
    );
  });
});
