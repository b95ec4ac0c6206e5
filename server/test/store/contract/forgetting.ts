import { describe, expect, it } from 'vitest';
import { EmailGoneError, type StoredEmail } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import { contentOf, delivery, letter, NOON, noise, purgeAll, textsOf } from '../mail.js';

export function describeForgetting(open: Open): void {
  describe('forgets', () => {
    it('an email at its deadline exactly, not before', async () => {
      const store = await open({ retentionMs: 5_000 });
      await store.append(delivery('a', NOON), NOON);
      expect(await store.list('a', {}, NOON + 4_999)).toHaveLength(1);
      expect(await store.list('a', {}, NOON + 5_000)).toEqual([]);
    });

    it('an old email however new the newest is', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(letter('a', NOON, 'old'), NOON);
      await store.append(letter('a', NOON + 999, 'new'), NOON + 999);
      expect(await textsOf(store, 'a', NOON + 999)).toEqual(['new', 'old']);
      expect(await textsOf(store, 'a', NOON + 1_000)).toEqual(['new']);
      expect(await textsOf(store, 'a', NOON + 1_999)).toEqual([]);
    });

    it("what is written past its deadline: accepted, never seen, in nobody's way", async () => {
      const store = await open({ retentionMs: 1_000, maxEmails: 1, budgetBytes: 12 });
      expect(await store.append(delivery('a', NOON - 1_000), NOON)).toEqual({
        stored: true,
        receivedAt: [NOON - 1_000],
      });
      expect(await store.list('a', {}, NOON)).toEqual([]);
      expect(await store.list('a', {}, NOON - 1_000)).toEqual([]);
      expect(await store.append(delivery('a', NOON), NOON)).toEqual({ stored: true, receivedAt: [NOON] });
      expect(await store.append(delivery('b', NOON - 1_000), NOON)).toMatchObject({ stored: true });
    });

    it('for one recipient while another still has the email', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(letter('late', NOON + 500, 'earlier'), NOON);
      await store.append(letter(['soon', 'late'], NOON, 'both'), NOON);
      expect(await textsOf(store, 'soon', NOON + 1_000)).toEqual([]);
      await purgeAll(store, NOON + 1_000);
      expect(await textsOf(store, 'late', NOON + 1_000)).toEqual(['both', 'earlier']);
      expect(await textsOf(store, 'late', NOON + 1_501)).toEqual([]);
    });
  });

  describe('clears an inbox', () => {
    it('of all that is in it, and no other', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(letter(['a', 'b'], NOON, 'both'), NOON);
      await store.append(letter('a', NOON + 1, 'one'), NOON + 1);
      const [one] = (await store.list('a', {}, NOON + 1)) as [StoredEmail];
      await store.clear('a');
      expect(await store.list('a', {}, NOON + 1)).toEqual([]);
      expect(await store.index(one)).toBeNull();
      await expect(contentOf(store, one)).rejects.toThrow(EmailGoneError);
      expect(await textsOf(store, 'b', NOON + 1)).toEqual(['both']);
    });

    it('that goes on strictly later, so that nobody passes over what comes next', async () => {
      const store = await open({ retentionMs: 1_000 });
      const ahead = await store.append(delivery(['a', 'a', 'a'], NOON), NOON);
      expect(ahead).toMatchObject({ receivedAt: [NOON, NOON + 1, NOON + 2] });
      for (const expected of [NOON + 3, NOON + 4]) {
        await store.clear('a');
        expect(await store.append(letter('a', NOON, 'next'), NOON)).toEqual({ stored: true, receivedAt: [expected] });
        expect(await textsOf(store, 'a', NOON)).toEqual(['next']);
      }
    });

    it('and its room with it', async () => {
      const store = await open({ retentionMs: 1_000, maxEmails: 2, budgetBytes: 'index'.length + 'aa'.length });
      for (let round = 0; round < 3; round++) {
        expect(await store.append(letter(['a', 'a'], NOON, 'aa'), NOON)).toMatchObject({ stored: true });
        expect(await store.append(letter('a', NOON, ''), NOON)).toEqual({ stored: false, reason: 'inbox-full' });
        expect(await store.append(letter('b', NOON, ''), NOON)).toEqual({ stored: false, reason: 'store-full' });
        await store.clear('a');
      }
    });

    it('of which nothing is left once all would have expired', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(delivery('a', NOON), NOON);
      await store.clear('a');
      await store.append(delivery('a', NOON), NOON);
      await store.clear('a');
      await purgeAll(store, NOON + 1_001);
      expect(await store.append(delivery('a', NOON), NOON)).toMatchObject({ receivedAt: [NOON] });
      await purgeAll(store, NOON + 1_001);
      expect(await store.list('a', {}, NOON)).toEqual([]);
    });

    it('in which later mail outlives it', async () => {
      const store = await open({ retentionMs: 1_000, maxEmails: 2 });
      await store.append(letter('a', NOON, 'cleared'), NOON);
      await store.clear('a');
      await store.append(letter('a', NOON + 500, 'kept'), NOON + 500);
      await purgeAll(store, NOON + 1_000);
      expect(await textsOf(store, 'a', NOON + 1_000)).toEqual(['kept']);
      expect(await store.append(letter('a', NOON + 1_000, 'kept too'), NOON + 1_000)).toMatchObject({ stored: true });
      expect(await store.append(letter('a', NOON + 1_000, 'full'), NOON + 1_000)).toMatchObject({ stored: false });
    });

    it('that has nothing, and one of large messages, and one of many', async () => {
      const store = await open();
      await store.clear('nobody');
      for (let i = 0; i < 3; i++) await store.append(delivery('a', NOON, { content: [noise(3_000_000)] }), NOON);
      for (let i = 0; i < 4; i++) await store.append(delivery(Array(100).fill('a'), NOON), NOON);
      await store.clear('a');
      expect(await store.list('a', {}, NOON)).toEqual([]);
    });

    it('while mail comes in, which is either cleared or there', async () => {
      const store = await open({ maxEmails: 1_000 });
      const begun = Array.from({ length: 200 }, (_, i) => store.append(letter('a', NOON, `${i}`), NOON));
      await Promise.all([store.clear('a'), ...begun, store.clear('a')]);
      const texts = await textsOf(store, 'a', NOON);
      for (const appended of await Promise.all(begun)) expect(appended.stored).toBe(true);
      await store.append(letter('a', NOON, 'last'), NOON);
      expect(await textsOf(store, 'a', NOON)).toEqual(['last', ...texts]);
    });
  });

  describe('purges', () => {
    it('what had expired, and nothing else', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(letter('a', NOON, 'old'), NOON);
      await store.append(letter('a', NOON + 1, 'new'), NOON);
      const listed = await store.list('a', {}, NOON);
      const [young, old] = listed as [StoredEmail, StoredEmail];

      await purgeAll(store, NOON + 999);
      expect((await contentOf(store, old)).toString()).toBe('old');

      await purgeAll(store, NOON + 1_000);
      expect(await store.index(old)).toBeNull();
      await expect(contentOf(store, old)).rejects.toThrow(EmailGoneError);
      expect((await store.index(young))?.length).toBe('index'.length);
      expect(await textsOf(store, 'a', NOON + 1_000)).toEqual(['new']);
    });

    it('an email that somebody is reading, who is told', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(delivery('a', NOON, { content: [noise(1_000_000)] }), NOON);
      const [email] = (await store.list('a', {}, NOON)) as [StoredEmail];
      const pieces = store.content(email)[Symbol.asyncIterator]();
      expect((await pieces.next()).done).toBe(false);
      await purgeAll(store, NOON + 1_000);
      await expect(pieces.next()).rejects.toThrow(EmailGoneError);
    });

    it('an email without content, which is gone all the same', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(delivery('a', NOON, { index: Buffer.alloc(0), content: [] }), NOON);
      const [email] = (await store.list('a', {}, NOON)) as [StoredEmail];
      expect((await contentOf(store, email)).length).toBe(0);
      await purgeAll(store, NOON + 1_000);
      expect(await store.index(email)).toBeNull();
      await expect(contentOf(store, email)).rejects.toThrow(EmailGoneError);
    });

    it("one recipient's email and leaves the other's", async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(letter('late', NOON + 500, 'earlier'), NOON);
      await store.append(letter(['soon', 'late'], NOON, 'both'), NOON);
      const [soon] = (await store.list('soon', {}, NOON)) as [StoredEmail];
      await purgeAll(store, NOON + 1_000);
      expect(await store.index(soon)).toBeNull();
      await expect(contentOf(store, soon)).rejects.toThrow(EmailGoneError);
      expect(await textsOf(store, 'late', NOON + 1_000)).toEqual(['both', 'earlier']);
    });

    it('in bounded steps', async () => {
      const store = await open({ retentionMs: 1_000 });
      const recipients = Array.from({ length: 50 }, (_, i) => `box${i}`);
      for (let i = 0; i < 50; i++) await store.append(delivery(recipients, NOON + i), NOON);
      expect(await store.purge(NOON + 999)).toBe(false);
      expect(await store.purge(NOON + 1_049)).toBe(true);
      expect(await purgeAll(store, NOON + 1_049)).toBeGreaterThan(1);
      expect(await store.purge(NOON + 1_049)).toBe(false);
      expect(await store.list('box0', {}, NOON)).toEqual([]);
    });

    it('large messages in bounded steps', async () => {
      const store = await open({ retentionMs: 1_000 });
      for (let i = 0; i < 3; i++) await store.append(delivery('a', NOON, { content: [noise(3_000_000)] }), NOON);
      await purgeAll(store, NOON + 1_002);
      expect(await store.list('a', {}, NOON)).toEqual([]);
    });

    it('nothing that a later email needs: its inbox goes on', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(delivery('a', NOON), NOON);
      await purgeAll(store, NOON + 1_000);
      expect(await store.append(letter('a', NOON + 1_000, 'next'), NOON + 1_000)).toMatchObject({ stored: true });
      expect(await textsOf(store, 'a', NOON + 1_000)).toEqual(['next']);
    });

    it('concurrently with deliveries and reads, which lose nothing', async () => {
      const store = await open({ retentionMs: 1_000 });
      for (let i = 0; i < 300; i++) await store.append(delivery(`old${i % 7}`, NOON), NOON);
      await Promise.all([
        purgeAll(store, NOON + 5_000),
        purgeAll(store, NOON + 5_000),
        ...Array.from({ length: 100 }, (_, i) =>
          store.append(letter(`old${i % 7}`, NOON + 5_000, `${i}`), NOON + 5_000),
        ),
      ]);
      const texts = await Promise.all(Array.from({ length: 7 }, (_, i) => textsOf(store, `old${i}`, NOON + 5_000)));
      expect(new Set(texts.flat())).toEqual(new Set(Array.from({ length: 100 }, (_, i) => `${i}`)));
      expect(await store.purge(NOON + 5_999)).toBe(false);
    });
  });
}
