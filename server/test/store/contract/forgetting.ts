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
