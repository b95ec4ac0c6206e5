import { describe, expect, it } from 'vitest';
import { openStore, STORE_SCHEMES } from '../../src/store/open-store.js';
import { ROOMY } from './mail.js';

describe('openStore', () => {
  it.each(['', 'memory', 'memory:x', 'lmdb', 'lmdb:', 'LMDB:./data', './data', 'redis:localhost', 'redis://'])(
    'lists the allowed forms instead of "%s"',
    async (url) => {
      await expect(openStore(url, ROOMY)).rejects.toThrow(
        `Unknown store "${url}". Use lmdb:DIR or redis://HOST:PORT or redis+cluster://HOST:PORT,HOST:PORT or memory:.`,
      );
    },
  );

  it('recognizes each kind of store by its form', () => {
    for (const { form, pattern } of STORE_SCHEMES) expect(form).toMatch(pattern);
  });
});
