import { describe, expect, it } from 'vitest';
import type { Open } from '../contract.js';
import { delivery, letter, NOON, purgeAll, textsOf } from '../mail.js';

export function describeDelivering(open: Open): void {
  describe('delivers', () => {
    it('to every recipient, each with its own address', async () => {
      const store = await open();
      const appended = await store.append(letter(['a', 'b', 'c'], NOON, 'hello'), NOON);
      expect(appended).toEqual({ stored: true, receivedAt: [NOON, NOON, NOON] });
      for (const inbox of ['a', 'b', 'c']) {
        expect(await store.list(inbox, {}, NOON)).toMatchObject([{ to: `${inbox}@inbox.test` }]);
        expect(await textsOf(store, inbox, NOON)).toEqual(['hello']);
      }
    });

    it('twice to an address that is named twice', async () => {
      const store = await open();
      const appended = await store.append(letter(['a', 'b', 'a'], NOON, 'hello'), NOON);
      expect(appended).toEqual({ stored: true, receivedAt: [NOON, NOON, NOON + 1] });
      expect(await textsOf(store, 'a', NOON)).toEqual(['hello', 'hello']);
      expect(await textsOf(store, 'b', NOON)).toEqual(['hello']);
    });

    it('to all recipients or to none', async () => {
      const store = await open({ maxEmails: 1 });
      await store.append(letter('full', NOON, 'first'), NOON);
      const refused = await store.append(letter(['a', 'full', 'b'], NOON, 'second'), NOON);
      expect(refused).toEqual({ stored: false, reason: 'inbox-full' });
      expect(await textsOf(store, 'a', NOON)).toEqual([]);
      expect(await textsOf(store, 'b', NOON)).toEqual([]);
      expect(await textsOf(store, 'full', NOON)).toEqual(['first']);
    });

    it('everything that concurrent writers bring', async () => {
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

  describe('refuses', () => {
    const full = { stored: false, reason: 'inbox-full' };
    const storeFull = { stored: false, reason: 'store-full' };

    it('mail for a full inbox, evicts nothing, and takes mail for others', async () => {
      const store = await open({ maxEmails: 3 });
      for (const text of ['1', '2', '3']) await store.append(letter('a', NOON, text), NOON);
      expect(await store.append(letter('a', NOON + 1_000, '4'), NOON + 1_000)).toEqual(full);
      expect(await textsOf(store, 'a', NOON)).toEqual(['3', '2', '1']);
      expect(await store.append(letter('b', NOON, '4'), NOON)).toMatchObject({ stored: true });
    });

    it('mail for an inbox until an email of it has expired, purged or not', async () => {
      const store = await open({ maxEmails: 2, retentionMs: 1_000 });
      await store.append(letter('a', NOON, '1'), NOON);
      await store.append(letter('a', NOON + 500, '2'), NOON + 500);
      expect(await store.append(letter('a', NOON + 999, '3'), NOON + 999)).toEqual(full);
      expect(await store.append(letter('a', NOON + 1_000, '3'), NOON + 1_000)).toMatchObject({ stored: true });
      expect(await store.append(letter('a', NOON + 1_001, '4'), NOON + 1_001)).toEqual(full);
      expect(await textsOf(store, 'a', NOON + 1_001)).toEqual(['3', '2']);
    });

    it('no mail because of expired emails, however many', async () => {
      const store = await open({ maxEmails: 1_500, retentionMs: 1_000 });
      const thirty = Array.from({ length: 30 }, () => 'a');
      const fill = async (at: number) => {
        for (let i = 0; i < 50; i++) expect((await store.append(delivery(thirty, at), at)).stored).toBe(true);
      };
      await fill(NOON);
      expect(await store.append(delivery('a', NOON), NOON)).toEqual(full);
      await fill(NOON + 2_500);
    });

    it('as many emails as their recipients name one inbox', async () => {
      const store = await open({ maxEmails: 2 });
      expect(await store.append(letter(['a', 'a', 'a'], NOON, 'three'), NOON)).toEqual(full);
      expect(await store.append(letter(['a', 'b', 'a'], NOON, 'two'), NOON)).toMatchObject({ stored: true });
      expect(await textsOf(store, 'a', NOON)).toEqual(['two', 'two']);
    });

    it('exactly what is too much when many come at once', async () => {
      const store = await open({ maxEmails: 10 });
      const all = await Promise.all(
        Array.from({ length: 30 }, (_, i) => store.append(letter('a', NOON, `${i}`), NOON)),
      );
      expect(all.filter((appended) => appended.stored)).toHaveLength(10);
      expect(await store.list('a', {}, NOON)).toHaveLength(10);
    });

    const hundredBytes = { index: Buffer.alloc(40), content: [Buffer.alloc(50), Buffer.alloc(10)] };

    it('mail that passes the budget, and evicts nothing', async () => {
      const store = await open({ budgetBytes: 300 });
      for (const inbox of ['a', 'b', 'c']) await store.append(delivery(inbox, NOON, hundredBytes), NOON);
      expect(await store.append(letter('d', NOON, ''), NOON)).toEqual(storeFull);
      for (const inbox of ['a', 'b', 'c']) expect(await store.list(inbox, {}, NOON)).toHaveLength(1);
      expect(await store.list('d', {}, NOON)).toEqual([]);
    });

    it('mail that is larger than the whole budget', async () => {
      const store = await open({ budgetBytes: 99 });
      expect(await store.append(delivery('a', NOON, hundredBytes), NOON)).toEqual(storeFull);
      expect(await store.append(delivery('a', NOON, { ...hundredBytes, index: Buffer.alloc(39) }), NOON)).toMatchObject(
        {
          stored: true,
        },
      );
    });

    it('on the budget, a message once however many have it', async () => {
      const store = await open({ budgetBytes: 100 });
      const appended = await store.append(delivery(['a', 'b', 'c', 'a'], NOON, hundredBytes), NOON);
      expect(appended).toMatchObject({ stored: true });
    });

    it('on the budget, nothing once the old mail has expired, purged or not', async () => {
      const store = await open({ budgetBytes: 300, retentionMs: 1_000 });
      const three = () => delivery(['a', 'b'], NOON, { ...hundredBytes, index: Buffer.alloc(240) });
      await store.append(three(), NOON);
      expect(await store.append(delivery('c', NOON + 999, hundredBytes), NOON + 999)).toEqual(storeFull);
      for (const inbox of ['c', 'd', 'e']) {
        expect(await store.append(delivery(inbox, NOON + 1_000, hundredBytes), NOON + 1_000)).toMatchObject({
          stored: true,
        });
      }
      expect(await store.append(delivery('f', NOON + 1_000, hundredBytes), NOON + 1_000)).toEqual(storeFull);
      await purgeAll(store, NOON + 2_000);
      expect(await store.append({ ...three(), receivedAt: NOON + 2_000 }, NOON + 2_000)).toMatchObject({
        stored: true,
      });
    });

    it('on the budget exactly, when many come at once', async () => {
      const store = await open({ budgetBytes: 1_000 });
      const all = await Promise.all(
        Array.from({ length: 30 }, (_, i) => store.append(delivery(`box${i}`, NOON, hundredBytes), NOON)),
      );
      expect(all.filter((appended) => appended.stored)).toHaveLength(10);
    });

    it('large mail without keeping a byte of it', async () => {
      const content = [Buffer.alloc(2_000_000)];
      const store = await open({ maxEmails: 1, budgetBytes: 4_500_000 });
      await store.append(delivery('a', NOON, { content }), NOON);
      for (let i = 0; i < 5; i++) expect(await store.append(delivery('a', NOON, { content }), NOON)).toEqual(full);
      expect(await store.append(delivery('b', NOON, { content }), NOON)).toMatchObject({ stored: true });
      for (let i = 0; i < 5; i++) expect(await store.append(delivery('c', NOON, { content }), NOON)).toEqual(storeFull);
    });
  });
}
