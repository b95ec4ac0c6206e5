import { describe, expect, it } from 'vitest';
import type { Open } from '../contract.js';
import { costOf, delivery, letter, NOON, noise, purgeAll } from '../mail.js';

export function describeMeasuring(open: Open, expiresByItself = false): void {
  describe.skipIf(expiresByItself)('the usage of a store', () => {
    it('is zero in a new store', async () => {
      expect(await (await open()).usage()).toEqual({ bytes: 0, emails: 0 });
    });

    it('counts recipients and bytes until they are purged', async () => {
      const store = await open({ retentionMs: 60_000 });
      const [first, second] = [
        letter(['a', 'b'], NOON, 'hello'),
        delivery('a', NOON + 30_000, { content: [noise(9_000)] }),
      ];
      await store.append(first, NOON);
      expect(await store.usage()).toEqual({ bytes: costOf(first), emails: 2 });
      await store.append(second, NOON + 30_000);
      expect(await store.usage()).toEqual({ bytes: costOf(first) + costOf(second), emails: 3 });
      await purgeAll(store, NOON + 60_000);
      expect(await store.usage()).toEqual({ bytes: costOf(second), emails: 1 });
      await purgeAll(store, NOON + 90_000);
      expect(await store.usage()).toEqual({ bytes: 0, emails: 0 });
    });

    it('includes no bytes of cleared emails, and no cleared email past its original expiry', async () => {
      const store = await open({ retentionMs: 60_000 });
      for (let i = 0; i < 3; i++) await store.append(letter('a', NOON + i, 'hello'), NOON);
      await store.clear('a', NOON + 10);
      await purgeAll(store, NOON + 11);
      expect((await store.usage()).emails).toBeLessThanOrEqual(1);
      expect((await store.usage()).bytes).toBe(0);
      await purgeAll(store, NOON + 60_002);
      expect(await store.usage()).toEqual({ bytes: 0, emails: 0 });
    });
  });
}
