import { describe, expect, it } from 'vitest';
import { EmailGoneError, type Store, type StoredEmail } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import {
  contentOf,
  costOf,
  delivery,
  letter,
  NOON,
  neighbourOf,
  noise,
  piecesOf,
  purgeAll,
  summaryOf,
  textsOf,
} from '../mail.js';

export function describeForgetting(open: Open, expiresByItself = false): void {
  describe('clear', () => {
    it('leaves the content of cleared emails readable until a purge', async () => {
      const store = await open();
      const content = [noise(1_000_000)];
      for (let i = 0; i < 3; i++) await store.append(delivery('a', NOON + i, { content }), NOON);
      const [first, second, third] = (await store.list('a', {}, NOON)) as [StoredEmail, StoredEmail, StoredEmail];
      const begun = piecesOf(store, first);
      const read = [(await begun.next()).value as Uint8Array];
      await store.clear('a', NOON + 10);
      await purgeAll(store, NOON + 9);
      for await (const piece of begun) read.push(piece);
      expect(Buffer.concat(read).equals(content[0] as Buffer)).toBe(true);
      expect((await contentOf(store, second)).equals(content[0] as Buffer)).toBe(true);
      await purgeAll(store, NOON + 10);
      if (!expiresByItself) await expect(contentOf(store, third)).rejects.toThrow(EmailGoneError);
      expect(await store.list('a', {}, NOON)).toEqual([]);
    });

    it.skipIf(expiresByItself)(
      'purges cleared emails in bounded steps, in the order in which they were cleared',
      async () => {
        const store = await open({ retentionMs: 1e9 });
        for (let i = 0; i < 24; i++) await store.append(delivery(Array(50).fill('a'), NOON), NOON);
        const b = neighbourOf('a');
        await store.append(delivery(b, NOON), NOON);
        const emails = await store.list('a', {}, NOON);
        const [other] = (await store.list(b, {}, NOON)) as [StoredEmail];
        await store.clear('a', NOON);
        await store.clear(b, NOON + 1);
        expect(await store.purge(NOON - 1)).toBe(false);
        expect(await store.purge(NOON + 1)).toBe(true);
        const newest = emails[0] as StoredEmail;
        await expect(contentOf(store, emails.at(-1) as StoredEmail)).rejects.toThrow(EmailGoneError);
        expect((await contentOf(store, newest)).toString()).toBe('content');
        while (await summaryOf(store, newest)) {
          expect((await contentOf(store, other)).toString()).toBe('content');
          await store.purge(NOON + 1);
        }
        await purgeAll(store, NOON + 1);
        for (const gone of [newest, other]) await expect(contentOf(store, gone)).rejects.toThrow(EmailGoneError);
      },
    );

    it('assigns new mail a strictly later receivedAt than cleared mail has', async () => {
      const store = await open({ retentionMs: 1_000 });
      const ahead = await store.append(delivery(['a', 'a', 'a'], NOON), NOON);
      expect(ahead).toMatchObject({ receivedAt: [NOON, NOON + 1, NOON + 2] });
      for (const expected of [NOON + 3, NOON + 4]) {
        await store.clear('a', NOON);
        expect(await store.append(letter('a', NOON, 'next'), NOON)).toEqual({ stored: true, receivedAt: [expected] });
        expect(await textsOf(store, 'a', NOON)).toEqual(['next']);
      }
    });

    it.skipIf(expiresByItself)(
      'frees places in the inbox, but keeps a cleared email in the store until new mail needs its space',
      async () => {
        const two = (inboxes: string | string[]) => delivery(inboxes, NOON, { content: [noise(2_000)] });
        const store = await open({ maxEmails: 2, budgetBytes: 2 * costOf(two(['a', 'a'])) });
        expect(await store.append(two(['a', 'a']), NOON)).toMatchObject({ stored: true });
        // Two seconds apart, because some stores remember for a second that they are full, and would report that.
        for (const now of [NOON, NOON + 2_000, NOON + 4_000]) {
          const [listed] = (await store.list('a', {}, now)) as [StoredEmail];
          expect(await store.append(letter('a', NOON, ''), now)).toEqual({ stored: false, reason: 'inbox-full' });
          await store.clear('a', now);
          expect(await store.append(two(['a', 'a']), now)).toMatchObject({ stored: true });
          expect((await contentOf(store, listed)).length).toBe(2_000);
          expect(await store.append(letter('b', NOON, ''), now - 1)).toEqual({ stored: false, reason: 'store-full' });
        }
      },
    );

    it.skipIf(expiresByItself)(
      'lets new mail that needs space evict only as many cleared emails as necessary, the earliest cleared first',
      async () => {
        const one = (inbox: string) => delivery(inbox, NOON, { content: [noise(200_000)] });
        const store = await open({ budgetBytes: 3 * costOf(one('a')) });
        for (const inbox of ['a', 'b', 'c']) await store.append(one(inbox), NOON);
        const [[a], [b]] = (await Promise.all(['a', 'b'].map((inbox) => store.list(inbox, {}, NOON)))) as [
          [StoredEmail],
          [StoredEmail],
        ];
        await store.clear('b', NOON + 1);
        await store.clear('a', NOON + 2);
        expect(await store.append(one('d'), NOON + 2)).toMatchObject({ stored: true });
        await expect(contentOf(store, b)).rejects.toThrow(EmailGoneError);
        expect((await contentOf(store, a)).length).toBe(200_000);
        expect(await store.list('c', {}, NOON)).toHaveLength(1);
      },
    );

    it('either deletes or keeps each email that arrives during the clear', async () => {
      const store = await open({ maxEmails: 1_000 });
      const begun = Array.from({ length: 200 }, (_, i) => store.append(letter('a', NOON, `${i}`), NOON));
      await Promise.all([store.clear('a', NOON), ...begun, store.clear('a', NOON)]);
      const texts = await textsOf(store, 'a', NOON);
      for (const appended of await Promise.all(begun)) expect(appended.stored).toBe(true);
      await store.append(letter('a', NOON, 'last'), NOON);
      expect(await textsOf(store, 'a', NOON)).toEqual(['last', ...texts]);
    });
  });

  describe.skipIf(expiresByItself)('a full store that needs room for new mail', () => {
    const RETENTION_MS = 1_000;
    const one = (inbox: string, at: number) => delivery(inbox, at, { content: [noise(200_000)] });

    /** Returns the inboxes of the listed emails whose bytes still exist. */
    async function leftOf(store: Store, listed: ReadonlyMap<string, StoredEmail>): Promise<string[]> {
      const left: string[] = [];
      for (const [inbox, email] of listed) if (await summaryOf(store, email)) left.push(inbox);
      return left;
    }

    it.each([
      ['an expired email rather than one that was cleared later', 1_200, ['cleared', 'later']],
      ['a cleared email rather than one that expired later', 500, ['first', 'later']],
    ])('deletes %s', async (_, clearedAfterMs, left) => {
      const store = await open({ retentionMs: RETENTION_MS, budgetBytes: 3 * costOf(one('cleared', NOON)) });
      const listed = new Map<string, StoredEmail>();
      for (const [inbox, at] of [
        ['first', NOON],
        ['cleared', NOON + 300],
        ['later', NOON + 400],
      ] as const) {
        await store.append(one(inbox, at), at);
        for (const email of await store.list(inbox, {}, at)) listed.set(inbox, email);
      }
      await store.clear('cleared', NOON + clearedAfterMs);
      const now = NOON + 400 + RETENTION_MS;
      expect(await store.append(one('new', now), now)).toMatchObject({ stored: true });
      expect(await leftOf(store, listed)).toEqual(left);
    });
  });

  describe('purge', () => {
    it.skipIf(expiresByItself)(
      'makes an email unreadable even if a later email gets the same inbox and receivedAt',
      async () => {
        const store = await open({ retentionMs: 1_000 });
        await store.append(letter('a', NOON, 'old'), NOON);
        const [email] = (await store.list('a', {}, NOON)) as [StoredEmail];
        await purgeAll(store, NOON + 1_000);
        // The clock has been set back to NOON.
        expect(await store.append(letter('a', NOON, 'new'), NOON)).toMatchObject({ receivedAt: [NOON] });
        await expect(contentOf(store, email)).rejects.toThrow(EmailGoneError);
        expect(await store.summaries([email])).toEqual([null]);
        expect(await textsOf(store, 'a', NOON)).toEqual(['new']);
      },
    );

    it.skipIf(expiresByItself)('deletes at most 1,000 emails per call', async () => {
      const store = await open({ retentionMs: 1_000 });
      const recipients = Array.from({ length: 50 }, (_, i) => `box${i}`);
      for (let i = 0; i < 50; i++) await store.append(delivery(recipients, NOON + i), NOON);
      expect(await store.purge(NOON + 999)).toBe(false);
      expect(await store.purge(NOON + 1_049)).toBe(true);
      let left = 0;
      for (const inbox of recipients) left += (await store.list(inbox, {}, NOON)).length;
      expect(left).toBeLessThan(2_500);
      expect(left).toBeGreaterThanOrEqual(2_500 - 1_000);
      expect(await purgeAll(store, NOON + 1_049)).toBeGreaterThan(1);
      expect(await store.purge(NOON + 1_049)).toBe(false);
      expect(await store.list('box0', {}, NOON)).toEqual([]);
    });

    it('deletes no email that is delivered while it runs', async () => {
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
