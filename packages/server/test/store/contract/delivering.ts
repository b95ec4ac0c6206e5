import { describe, expect, it } from 'vitest';
import type { Open } from '../contract.js';
import { costOf, delivery, letter, NOON, noise, purgeAll, textsOf } from '../mail.js';

export function describeDelivering(open: Open, expiresByItself = false): void {
  describe('append', () => {
    it('stores the message for each recipient, with the address of that recipient', async () => {
      const store = await open();
      const appended = await store.append(letter(['a', 'b', 'c'], NOON, 'hello'), NOON);
      expect(appended).toEqual({ stored: true, receivedAt: [NOON, NOON, NOON] });
      for (const inbox of ['a', 'b', 'c']) {
        expect(await store.list(inbox, {}, NOON)).toMatchObject([{ to: `${inbox}@inbox.example.com` }]);
        expect(await textsOf(store, inbox, NOON)).toEqual(['hello']);
      }
    });

    it('stores all messages of 40 concurrent writers', async () => {
      const store = await open();
      const writers = Array.from({ length: 40 }, (_, i) => i);
      await Promise.all(
        writers.map(async (writer) => {
          for (let i = 0; i < 25; i++) {
            const text = `${writer}/${i}`;
            const appended = await store.append(letter([`box${i % 5}`, `own${writer}`], NOON, text), NOON);
            expect(appended.stored).toBe(true);
            expect((await textsOf(store, `own${writer}`, NOON))[0]).toBe(text);
          }
        }),
      );
      for (let box = 0; box < 5; box++) {
        const listed = await store.list(`box${box}`, {}, NOON);
        expect(listed.map((email) => email.receivedAt)).toEqual(Array.from({ length: 200 }, (_, i) => NOON + 199 - i));
        const texts = new Set(await textsOf(store, `box${box}`, NOON));
        expect(texts).toEqual(
          new Set(writers.flatMap((writer) => [0, 5, 10, 15, 20].map((i) => `${writer}/${i + box}`))),
        );
      }
    });
  });

  describe('append with limits', () => {
    const mailFor = (inboxes: string | string[], at = NOON, size = 3_000) =>
      delivery(inboxes, at, { content: [noise(size)] });
    const full = { stored: false, reason: 'inbox-full' };
    const storeFull = { stored: false, reason: 'store-full' };

    it('refuses mail for a full inbox, evicts nothing, and accepts mail for other inboxes', async () => {
      const store = await open({ maxEmails: 3 });
      for (const text of ['1', '2', '3']) await store.append(letter('a', NOON, text), NOON);
      expect(await store.append(letter('a', NOON + 1_000, '4'), NOON + 1_000)).toEqual(full);
      expect(await textsOf(store, 'a', NOON)).toEqual(['3', '2', '1']);
      expect(await store.append(letter('b', NOON, '4'), NOON)).toMatchObject({ stored: true });
    });

    it('accepts mail for a full inbox once one of its emails has expired, even before a purge', async () => {
      const store = await open({ maxEmails: 2, retentionMs: 1_000 });
      await store.append(letter('a', NOON, '1'), NOON);
      await store.append(letter('a', NOON + 500, '2'), NOON + 500);
      expect(await store.append(letter('a', NOON + 999, '3'), NOON + 999)).toEqual(full);
      expect(await store.append(letter('a', NOON + 1_000, '3'), NOON + 1_000)).toMatchObject({ stored: true });
      expect(await store.append(letter('a', NOON + 1_001, '4'), NOON + 1_001)).toEqual(full);
      expect(await textsOf(store, 'a', NOON + 1_001)).toEqual(['3', '2']);
    });

    it.skipIf(expiresByItself)('refuses mail beyond the quota, and evicts nothing', async () => {
      const store = await open({ budgetBytes: 3 * costOf(mailFor('a')) });
      for (const inbox of ['a', 'b', 'c']) await store.append(mailFor(inbox), NOON);
      expect(await store.append(letter('d', NOON, ''), NOON)).toEqual(storeFull);
      for (const inbox of ['a', 'b', 'c']) expect(await store.list(inbox, {}, NOON)).toHaveLength(1);
      expect(await store.list('d', {}, NOON)).toEqual([]);
    });

    it.skipIf(expiresByItself)(
      'accepts mail for a full store again once older mail has expired, even before a purge',
      async () => {
        const retentionMs = 1_000;
        const large = (at: number) => mailFor(['a', 'b'], at, 20_000);
        const store = await open({ budgetBytes: costOf(large(NOON)), retentionMs });
        const small = (inbox: string, at: number) => mailFor(inbox, at, 1_000);
        const fits = Math.floor(costOf(large(NOON)) / costOf(small('c', NOON)));
        await store.append(large(NOON), NOON);
        expect(await store.append(small('c', NOON + 999), NOON + 999)).toEqual(storeFull);
        for (let i = 0; i < fits; i++) {
          expect(await store.append(small('c', NOON + 1_000), NOON + 1_000)).toMatchObject({ stored: true });
        }
        expect(await store.append(small('c', NOON + 1_000), NOON + 1_000)).toEqual(storeFull);
        const later = NOON + 2_000 + fits;
        await purgeAll(store, later);
        expect(await store.append(large(later), later)).toMatchObject({ stored: true });
      },
    );

    it.skipIf(expiresByItself)('stores as many simultaneous messages as the quota allows, and no more', async () => {
      const store = await open({ budgetBytes: 10 * costOf(mailFor('box00')) });
      const names = Array.from({ length: 30 }, (_, i) => `box${10 + i}`);
      const all = await Promise.all(names.map((inbox) => store.append(mailFor(inbox), NOON)));
      expect(all.filter((appended) => appended.stored)).toHaveLength(10);
    });

    it('stores as many simultaneous messages as the inbox may have, and refuses the others', async () => {
      const store = await open({ maxEmails: 10 });
      const all = await Promise.all(
        Array.from({ length: 30 }, (_, i) => store.append(letter('a', NOON, `${i}`), NOON)),
      );
      expect(all.filter((appended) => appended.stored)).toHaveLength(10);
      expect(await store.list('a', {}, NOON)).toHaveLength(10);
    });
  });
}
