import { describe, expect, it } from 'vitest';
import type { Open } from '../contract.js';
import { costOf, delivery, letter, NOON, neighbourOf, noise, purgeAll, textsOf } from '../mail.js';

export function describeDelivering(open: Open): void {
  describe('delivers', () => {
    it('to every recipient, each with its own address', async () => {
      const store = await open();
      const appended = await store.append(letter(['a', 'b', 'c'], NOON, 'hello'), NOON);
      expect(appended).toEqual({ stored: true, receivedAt: [NOON, NOON, NOON] });
      for (const inbox of ['a', 'b', 'c']) {
        expect(await store.list(inbox, {}, NOON)).toMatchObject([{ to: `${inbox}@inbox.example.com` }]);
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

    it('no mail because of what came at the same moment and has expired by then, of this inbox alone', async () => {
      const store = await open({ maxEmails: 2, retentionMs: 1_000 });
      const [old, now] = [NOON - 999, NOON + 1];
      const appended = await Promise.all([
        store.append(letter(['a', 'b'], old, 'expires'), NOON),
        store.append(letter('a', NOON, 'first'), NOON),
        store.append(letter(['a', 'a'], NOON, 'too many'), now),
        store.append(letter('a', NOON, 'second'), now),
        store.append(letter('a', NOON, 'one too many'), now),
      ]);
      expect(appended.map(({ stored }) => stored)).toEqual([true, true, false, true, false]);
      expect(await textsOf(store, 'a', now)).toEqual(['second', 'first']);
    });

    const mailFor = (inboxes: string | string[], at = NOON, size = 3_000) =>
      delivery(inboxes, at, { content: [noise(size)] });

    it('mail that passes the budget, and evicts nothing', async () => {
      const store = await open({ budgetBytes: 3 * costOf(mailFor('a')) });
      for (const inbox of ['a', 'b', 'c']) await store.append(mailFor(inbox), NOON);
      expect(await store.append(letter('d', NOON, ''), NOON)).toEqual(storeFull);
      for (const inbox of ['a', 'b', 'c']) expect(await store.list(inbox, {}, NOON)).toHaveLength(1);
      expect(await store.list('d', {}, NOON)).toEqual([]);
    });

    it('mail that is larger than the whole budget', async () => {
      const store = await open({ budgetBytes: costOf(mailFor('a')) - 1 });
      expect(await store.append(mailFor('a'), NOON)).toEqual(storeFull);
      expect(await store.append(mailFor('a', NOON, 10), NOON)).toMatchObject({ stored: true });
    });

    it('on the budget, a message once and each of its recipients', async () => {
      const recipients = ['a', neighbourOf('a'), neighbourOf('a'), 'a'];
      const all = costOf(mailFor(recipients));
      expect(all).toBeLessThan(2 * costOf(mailFor('a')));
      const tooSmall = await open({ budgetBytes: all - 1 });
      expect(await tooSmall.append(mailFor(recipients), NOON)).toEqual(storeFull);
      const store = await open({ budgetBytes: all });
      expect(await store.append(mailFor(recipients), NOON)).toMatchObject({ stored: true });
    });

    it('mail to many recipients, whose rows count however little they share', async () => {
      const store = await open({ budgetBytes: 1024 * 1024 });
      const hundred = Array.from({ length: 100 }, (_, i) => `swift-box${i}`);
      let [stored, refused] = [0, 0];
      while (refused < 5 && stored < 400) {
        if ((await store.append(letter(hundred, NOON, 'hello'), NOON)).stored) stored += 1;
        else refused += 1;
      }
      expect(stored).toBeGreaterThan(0);
      // Nobody can keep 100 rows of an email in less than 5,000 bytes.
      expect(stored * 5_000).toBeLessThan(1024 * 1024);
    });

    it('on the budget, nothing once the old mail has expired, purged or not', async () => {
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
    });

    it('on the budget exactly, when many come at once', async () => {
      const store = await open({ budgetBytes: 10 * costOf(mailFor('box00')) });
      const names = Array.from({ length: 30 }, (_, i) => `box${10 + i}`);
      const all = await Promise.all(names.map((inbox) => store.append(mailFor(inbox), NOON)));
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
