import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import { delivery, NOON, purgeAll } from '../mail.js';

async function inboxesOf(store: Store): Promise<string[]> {
  const names: string[] = [];
  for await (const name of store.inboxes()) names.push(name);
  return names.sort();
}

export function describeListingInboxes(open: Open, expiresByItself = false): void {
  describe('the list of inboxes', () => {
    it('contains each inbox once, whatever its name and number of emails', async () => {
      const store = await open();
      const names = ['a', 'a-b', 'a.b', 'a+b', 'ab', 'b', 'z'.repeat(64)];
      for (let i = 0; i < 3; i++) await store.append(delivery([...names, 'a'], NOON + i), NOON);
      expect(await inboxesOf(store)).toEqual([...names].sort());
    });

    it.skipIf(expiresByItself)('contains an inbox until its emails are purged', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(delivery(['expires', 'stays'], NOON), NOON);
      await store.append(delivery('stays', NOON + 500), NOON + 500);
      expect(await inboxesOf(store)).toEqual(['expires', 'stays']);
      await purgeAll(store, NOON + 1_000);
      expect(await inboxesOf(store)).toEqual(['stays']);
      await purgeAll(store, NOON + 1_500);
      expect(await inboxesOf(store)).toEqual([]);
    });

    it('contains each inbox that still has mail, even if others are purged while the list is read', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(delivery(['b', 'd'], NOON), NOON);
      await store.append(delivery(['a', 'c', 'e'], NOON + 500), NOON + 500);
      const names: string[] = [];
      for await (const name of store.inboxes()) {
        if (names.length === 0) await purgeAll(store, NOON + 1_000);
        names.push(name);
      }
      // The inboxes that existed the whole time.
      expect(names).toEqual(expect.arrayContaining(['a', 'c', 'e']));
      expect(new Set(names).size).toBe(names.length);
    });
  });
}
