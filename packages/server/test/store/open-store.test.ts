import { describe, expect, it } from 'vitest';
import { openStore, STORE_SCHEMES } from '../../src/store/open-store.js';
import { ROOMY } from './mail.js';

describe('openStore', () => {
  it.each(['', 'memory', 'memory:x', 'lmdb', 'lmdb:', 'LMDB:./data', './data', 'redis:localhost', 'redis://'])(
    'rejects "%s", and lists the allowed forms',
    async (url) => {
      await expect(openStore(url, ROOMY)).rejects.toThrow(
        `Unknown store "${url}". Use lmdb:DIR or redis://HOST:PORT or redis+cluster://HOST:PORT,HOST:PORT or memory:.`,
      );
    },
  );

  it('recognizes the documented URL form of each kind of store', () => {
    for (const { form, pattern } of STORE_SCHEMES) expect(form).toMatch(pattern);
  });
});
