import { describe } from 'vitest';
import { describeContract } from '../contract.js';
import { temporaryDirectories } from '../temporary.js';

describe('the store in LMDB', () => {
  const newDirectory = temporaryDirectories();
  describeContract({ newUrl: async () => `lmdb:${await newDirectory()}`, isDurable: true });
});
