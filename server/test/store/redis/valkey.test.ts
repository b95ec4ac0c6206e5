import { afterAll, beforeAll, describe } from 'vitest';
import { describeContract } from '../contract.js';
import { type RedisServer, startRedis } from './redis-server.js';
import { VALKEY } from './valkey.js';

describe.skipIf(VALKEY === null)('the store in Valkey (skipped without valkey-server)', () => {
  let valkey: RedisServer;
  beforeAll(async () => {
    valkey = await startRedis({ program: VALKEY ?? '' });
  });
  afterAll(() => valkey.end());

  describeContract({ newUrl: async () => valkey.newUrl(), isDurable: true, answersAtOnce: false, counts: true });
});
