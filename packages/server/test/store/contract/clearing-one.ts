import { describe, expect, it } from 'vitest';
import { EmailGoneError, type Store, type StoredEmail } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import { contentOf, delivery, letter, NOON, noise, purgeAll, textsOf } from '../mail.js';

export function describeClearingOne(open: Open, expiresByItself = false): void {
  /** Stores emails with the texts 0, 1, 2 … in one inbox, a millisecond apart. */
  async function fill(store: Store, inbox: string, count: number): Promise<void> {
    for (let i = 0; i < count; i++) await store.append(letter(inbox, NOON + i, `${i}`), NOON);
  }

  describe('clearOne', () => {
    it.each([
      ['in an inbox that never had mail', 'nobody', NOON],
      ['at another time', 'a', NOON + 1],
      ['before all emails', 'a', NOON - 1],
      ['at a negative time', 'a', -1],
      ['at a very negative time', 'a', -1e15],
      ['after all emails', 'a', NOON + 9_999],
      ['at the last possible time', 'a', 8.64e15],
    ])('clears nothing if the email does not exist: %s', async (_, inbox, receivedAt) => {
      const store = await open();
      await fill(store, 'a', 1);
      expect(await store.clearOne(inbox, receivedAt, NOON)).toBe(false);
      expect(await textsOf(store, 'a', NOON)).toEqual(['0']);
    });

    it('leaves the whole email readable until a purge', async () => {
      const store = await open();
      const content = [noise(600_000)];
      for (let i = 0; i < 2; i++) await store.append(delivery('a', NOON + i, { content }), NOON);
      const [newest, oldest] = (await store.list('a', {}, NOON)) as [StoredEmail, StoredEmail];
      await store.clearOne('a', NOON, NOON + 10);
      await purgeAll(store, NOON + 9);
      expect((await contentOf(store, oldest)).equals(content[0] as Buffer)).toBe(true);
      await purgeAll(store, NOON + 10);
      if (!expiresByItself) await expect(contentOf(store, oldest)).rejects.toThrow(EmailGoneError);
      expect((await contentOf(store, newest)).equals(content[0] as Buffer)).toBe(true);
    });

    it('lets a full inbox accept exactly one more email, even before a purge', async () => {
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
  });
}
