import { afterAll, beforeAll, describe } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { describeContract } from '../../server/test/store/contract.js';
import { type RedisServer, startRedis } from './redis-server.js';

describe('the store in Redis', needs('redis-server'), () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.end());

  describeContract({
    newUrl: async () => redis.newUrl(),
    isDurable: true,
    counts: true,
    expiresByItself: true,
    partOf: (inbox) => inbox,
    modelRuns: 20,
  });
});
