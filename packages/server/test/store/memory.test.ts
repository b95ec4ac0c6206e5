import { describe } from 'vitest';
import { describeContract } from './contract.js';

describe('the store in memory', () => {
  describeContract({ newUrl: async () => 'memory:', isDurable: false });
});
