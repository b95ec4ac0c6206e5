import { describe, expect, it } from 'vitest';
import { needs } from '../../tools/needs.js';
import { openStoreAt, packedBytes, storedForm } from '../internals.js';
import { listens } from '../ports.js';
import { startCluster, startRedis, startReplica } from '../redis.js';
import { htmlMail } from '../sample-mails.js';

describe('Redis servers of a benchmark', needs('redis-server'), () => {
  it('hold what the service would store, tell what it costs them, and end', async () => {
    const master = await startRedis();
    const replica = await startReplica(master);
    const store = await openStoreAt(master.url, { retentionMs: 3_600_000 });
    const [before, calls] = [await master.usedBytes(), await master.calls()];
    const form = storedForm(await htmlMail());
    const recipients = [{ inbox: 'a', to: 'a@inbox.example.com' }];
    const mails = 50;
    for (let n = 0; n < mails; n++) await store.append({ ...form, receivedAt: Date.now(), recipients }, Date.now());
    await store.close();
    expect(await master.usedBytes()).toBeGreaterThan(before + mails * (await packedBytes(form)));
    // One script for each, the first of which is not known to the server yet.
    const after = await master.calls();
    expect(after.get('evalsha') - (calls.get('evalsha') ?? 0)).toBe(mails);
    expect(master.cpuMs()).toBeGreaterThanOrEqual(0);
    for (const server of [replica, master]) {
      await server.stop();
      expect(await listens(server.port)).toBe(false);
    }
  });

  it('share the slots of a cluster', async () => {
    const masters = await startCluster(3);
    for (const master of masters) expect(await master.number('cluster', 'cluster_enabled')).toBe(1);
    expect(await masters[0].command('CLUSTER', 'INFO')).toContain('cluster_slots_ok:16384');
    for (const master of masters) await master.stop();
  });
});
