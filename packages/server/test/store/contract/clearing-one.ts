import { describe, expect, it } from 'vitest';
import { EmailGoneError, type Store, type StoredEmail } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import { contentOf, costOf, delivery, indexOf, letter, NOON, noise, purgeAll, textsOf } from '../mail.js';

export function describeClearingOne(open: Open): void {
  /** Letters 0, 1, 2 … of one inbox, a millisecond apart. */
  async function fill(store: Store, inbox: string, count: number): Promise<void> {
    for (let i = 0; i < count; i++) await store.append(letter(inbox, NOON + i, `${i}`), NOON);
  }

  describe('clears one email', () => {
    it('and no other, of this inbox or another', async () => {
      const store = await open();
      await store.append(letter(['a', 'b'], NOON, 'both'), NOON);
      await store.append(letter('a', NOON + 1, 'one'), NOON);
      await store.append(letter('a', NOON + 2, 'last'), NOON);
      expect(await store.clearOne('a', NOON, NOON + 5)).toBe(true);
      expect(await textsOf(store, 'a', NOON + 5)).toEqual(['last', 'one']);
      expect(await store.clearOne('a', NOON + 2, NOON + 5)).toBe(true);
      for (const purge of [false, true]) {
        if (purge) await purgeAll(store, NOON + 5);
        expect(await textsOf(store, 'a', NOON + 5)).toEqual(['one']);
        expect(await textsOf(store, 'b', NOON + 5)).toEqual(['both']);
      }
    });

    it('that no scan shows then', async () => {
      const store = await open();
      await fill(store, 'a', 3);
      const [, second] = (await store.list('a', {}, NOON)) as [StoredEmail, StoredEmail];
      await store.clearOne('a', NOON + 1, NOON + 5);
      expect(await indexOf(store, 'a', second, NOON + 5)).toBeNull();
      const scanned = await store.scan('a', { maxBytes: 1e6 }, NOON + 5);
      expect(scanned.map(({ email }) => email.receivedAt)).toEqual([NOON + 2, NOON]);
      expect(await store.list('a', { limit: 2 }, NOON + 5)).toHaveLength(2);
    });

    it.each([
      ['in an inbox that there never was', 'nobody', NOON],
      ['of another time', 'a', NOON + 1],
      ['before all', 'a', NOON - 1],
      ['before time itself', 'a', -1],
      ['long before that', 'a', -1e15],
      ['behind all', 'a', NOON + 9_999],
      ['behind all that can be', 'a', 8.64e15],
    ])('only where it is there: not %s', async (_, inbox, receivedAt) => {
      const store = await open();
      await fill(store, 'a', 1);
      expect(await store.clearOne(inbox, receivedAt, NOON)).toBe(false);
      expect(await textsOf(store, 'a', NOON)).toEqual(['0']);
    });

    it('once, and not what was cleared with its inbox or has expired', async () => {
      const store = await open({ retentionMs: 1_000 });
      await fill(store, 'a', 3);
      const both = [store.clearOne('a', NOON, NOON + 5), store.clearOne('a', NOON, NOON + 5)];
      expect((await Promise.all(both)).sort()).toEqual([false, true]);
      expect(await store.clearOne('a', NOON + 1, NOON + 1_001)).toBe(false);
      await store.clear('a', NOON + 5);
      expect(await store.clearOne('a', NOON + 2, NOON + 5)).toBe(false);
      await purgeAll(store, NOON + 5);
      expect(await store.clearOne('a', NOON + 2, NOON + 5)).toBe(false);
    });

    it('which can be read to its end by whoever has listed it, until it is purged', async () => {
      const store = await open();
      const content = [noise(600_000)];
      for (let i = 0; i < 2; i++) await store.append(delivery('a', NOON + i, { content }), NOON);
      const [newest, oldest] = (await store.list('a', {}, NOON)) as [StoredEmail, StoredEmail];
      await store.clearOne('a', NOON, NOON + 10);
      await purgeAll(store, NOON + 9);
      expect((await contentOf(store, oldest)).equals(content[0] as Buffer)).toBe(true);
      await purgeAll(store, NOON + 10);
      await expect(contentOf(store, oldest)).rejects.toThrow(EmailGoneError);
      expect((await contentOf(store, newest)).equals(content[0] as Buffer)).toBe(true);
    });

    it('and its room in the inbox with it, once, purged or not', async () => {
      const store = await open({ maxEmails: 3 });
      await fill(store, 'a', 3);
      const full = { stored: false, reason: 'inbox-full' };
      for (const [round, purge] of [false, true, false].entries()) {
        await store.clearOne('a', NOON + round, NOON + 10);
        if (purge) await purgeAll(store, NOON + 10);
        expect(await store.append(letter('a', NOON + 10 + round, 'next'), NOON + 10)).toMatchObject({ stored: true });
        expect(await store.append(letter('a', NOON + 10, 'more'), NOON + 10)).toEqual(full);
      }
      await purgeAll(store, NOON + 10);
      expect(await textsOf(store, 'a', NOON + 10)).toEqual(['next', 'next', 'next']);
      expect(await store.append(letter('a', NOON + 10, 'more'), NOON + 10)).toEqual(full);
    });

    it('of a full inbox whose oldest expire beside it, each counted once', async () => {
      const store = await open({ maxEmails: 4, retentionMs: 1_000 });
      await fill(store, 'a', 4);
      await store.clearOne('a', NOON + 1, NOON + 10);
      await store.append(letter('a', NOON + 500, 'later'), NOON + 500);
      const at = NOON + 1_002;
      const three = delivery(['a', 'a', 'a'], at);
      expect(await store.append(delivery(['a', 'a', 'a', 'a'], at), at)).toMatchObject({ reason: 'inbox-full' });
      expect(await store.append(delivery(['a', 'a'], at), at)).toMatchObject({ stored: true });
      await purgeAll(store, at);
      expect(await store.append(three, at)).toMatchObject({ reason: 'inbox-full' });
      expect(await store.list('a', {}, at)).toHaveLength(4);
    });

    it('and frees the space for mail that needs it', async () => {
      const one = (inbox: string) => delivery(inbox, NOON, { content: [noise(200_000)] });
      const store = await open({ budgetBytes: 2 * costOf(one('a')) });
      for (const inbox of ['a', 'b']) await store.append(one(inbox), NOON);
      expect(await store.append(one('c'), NOON)).toEqual({ stored: false, reason: 'store-full' });
      await store.clearOne('a', NOON, NOON);
      expect(await store.append(one('c'), NOON)).toMatchObject({ stored: true });
      expect(await store.list('b', {}, NOON)).toHaveLength(1);
    });

    it('the newest, after which what comes is later still, until all would have expired', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(letter('a', NOON + 5, 'newest'), NOON + 5);
      await store.clearOne('a', NOON + 5, NOON + 6);
      await purgeAll(store, NOON + 6);
      expect(await store.append(letter('a', NOON, 'next'), NOON + 6)).toEqual({ stored: true, receivedAt: [NOON + 6] });
      await store.clearOne('a', NOON + 6, NOON + 7);
      await purgeAll(store, NOON + 1_006);
      expect(await store.append(letter('a', NOON + 1, 'again'), NOON)).toMatchObject({ receivedAt: [NOON + 1] });
    });

    it('of one recipient, and the others keep theirs', async () => {
      const store = await open();
      await store.append(letter(['a', 'b', 'a'], NOON, 'all'), NOON);
      await store.clearOne('a', NOON + 1, NOON);
      await purgeAll(store, NOON);
      expect(await textsOf(store, 'a', NOON)).toEqual(['all']);
      expect(await textsOf(store, 'b', NOON)).toEqual(['all']);
    });

    it('while mail comes in, and none is lost', async () => {
      const store = await open();
      await fill(store, 'a', 20);
      const cleared = Array.from({ length: 20 }, (_, i) => store.clearOne('a', NOON + i, NOON + 20));
      const come = Array.from({ length: 50 }, (_, i) => store.append(letter('a', NOON + 20, `new ${i}`), NOON + 20));
      expect(await Promise.all(cleared)).toEqual(Array(20).fill(true));
      for (const appended of await Promise.all(come)) expect(appended.stored).toBe(true);
      expect(await textsOf(store, 'a', NOON + 20)).toHaveLength(50);
    });
  });
}
