import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { describeContract } from '../../server/test/store/contract.js';
import { type RedisServer, startRedis } from './redis-server.js';

const POLL_MS = 50;

describe('the store in Redis that waits for a replica', needs('redis-server'), () => {
  let redis: RedisServer;
  let replica: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
    replica = await startRedis({ args: ['--replicaof', '127.0.0.1', `${redis.port}`] });
    while (!(await replica.command('INFO', 'replication')).includes('master_link_status:up')) await delay(POLL_MS);
  });
  afterAll(() => Promise.all([redis.end(), replica.end()]));

  const newUrl = async () => redis.newUrl();
  // Tests with several processes and reopened stores run elsewhere, without a replica.
  describeContract({ newUrl, isDurable: false, expiresByItself: true, modelRuns: 20, replicas: 1 });
});
