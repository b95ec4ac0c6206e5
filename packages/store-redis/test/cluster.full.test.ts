import { afterAll, beforeAll, describe } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { describeContract } from '../../server/test/store/contract.js';
import { type RedisCluster, startCluster } from './redis-cluster.js';

describe('the store in a Redis cluster', needs('redis-server'), () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    // cluster-faults.full.test.ts tests replicas.
    cluster = await startCluster({ replicas: false });
  });
  afterAll(() => cluster.end());

  const newUrl = async () => {
    await cluster.reset();
    return cluster.url;
  };
  const partOf = (inbox: string) => inbox;
  describeContract({ newUrl, isDurable: true, counts: true, expiresByItself: true, partOf, modelRuns: 3 });
});
