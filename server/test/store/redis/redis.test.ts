import { afterAll, beforeAll, describe } from 'vitest';
import { describeContract } from '../contract.js';
import { hasRedis, type RedisServer, startRedis } from './redis-server.js';

describe.skipIf(!hasRedis)('the store in Redis (skipped without redis-server)', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.end());

  describeContract({ newUrl: async () => redis.newUrl(), isDurable: true, answersAtOnce: false, counts: true });
});
