import { afterAll, beforeAll, describe } from 'vitest';
import { needs, VALKEY } from '../../../tools/needs.js';
import { describeContract } from '../../server/test/store/contract.js';
import { type RedisServer, startRedis } from './redis-server.js';

describe('the store in Valkey', needs('Valkey'), () => {
  let valkey: RedisServer;
  beforeAll(async () => {
    valkey = await startRedis({ program: VALKEY ?? '' });
  });
  afterAll(() => valkey.end());

  describeContract({
    newUrl: async () => valkey.newUrl(),
    isDurable: true,
    counts: true,
    expiresByItself: true,
    partOf: (inbox) => inbox,
  });
});
