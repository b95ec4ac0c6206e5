import { describe, expect, it } from 'vitest';
import { EmailGoneError, type Store, type StoredEmail } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import {
  contentOf,
  costOf,
  delivery,
  indexOf,
  letter,
  NOON,
  neighbourOf,
  noise,
  piecesOf,
  purgeAll,
  summaryOf,
  textsOf,
} from '../mail.js';

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
      const store = await open({ retentionMs: 1_000, maxEmails: 1, budgetBytes: costOf(delivery('a', NOON)) });
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
      await store.clear('a', NOON + 1);
      expect(await store.list('a', {}, NOON + 1)).toEqual([]);
      expect(await indexOf(store, 'a', one, NOON + 1)).toBeNull();
      expect(await textsOf(store, 'b', NOON + 1)).toEqual(['both']);
      await purgeAll(store, NOON + 1);
      expect(await textsOf(store, 'b', NOON + 1)).toEqual(['both']);
    });

    it('whose emails can be read to their end by whoever has listed them, until they are purged', async () => {
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
      await expect(contentOf(store, third)).rejects.toThrow(EmailGoneError);
      expect(await store.list('a', {}, NOON)).toEqual([]);
    });

    it('of no email that comes later, also when that is purged between', async () => {
      const store = await open();
      await store.append(letter('a', NOON, 'cleared'), NOON);
      await store.clear('a', NOON);
      await store.append(letter('a', NOON, 'kept'), NOON);
      expect(await textsOf(store, 'a', NOON)).toEqual(['kept']);
      await purgeAll(store, NOON + 1);
      expect(await textsOf(store, 'a', NOON)).toEqual(['kept']);
      await store.clear('a', NOON + 2);
      expect(await textsOf(store, 'a', NOON)).toEqual([]);
      await purgeAll(store, NOON + 2);
      await store.append(letter('a', NOON, 'next'), NOON + 2);
      expect(await textsOf(store, 'a', NOON + 2)).toEqual(['next']);
    });

    it('in bounded steps, and purges what was cleared first before what was cleared later', async () => {
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
    });

    it('that goes on strictly later, so that nobody passes over what comes next', async () => {
      const store = await open({ retentionMs: 1_000 });
      const ahead = await store.append(delivery(['a', 'a', 'a'], NOON), NOON);
      expect(ahead).toMatchObject({ receivedAt: [NOON, NOON + 1, NOON + 2] });
      for (const expected of [NOON + 3, NOON + 4]) {
        await store.clear('a', NOON);
        expect(await store.append(letter('a', NOON, 'next'), NOON)).toEqual({ stored: true, receivedAt: [expected] });
        expect(await textsOf(store, 'a', NOON)).toEqual(['next']);
      }
    });

    it('and its room with it, and deletes what was cleared only for mail that needs the space', async () => {
      const two = (inboxes: string | string[]) => delivery(inboxes, NOON, { content: [noise(2_000)] });
      const store = await open({ maxEmails: 2, budgetBytes: 2 * costOf(two(['a', 'a'])) });
      expect(await store.append(two(['a', 'a']), NOON)).toMatchObject({ stored: true });
      // Some stores remember for a second that there is no room, and say so first.
      for (const now of [NOON, NOON + 2_000, NOON + 4_000]) {
        const [listed] = (await store.list('a', {}, now)) as [StoredEmail];
        expect(await store.append(letter('a', NOON, ''), now)).toEqual({ stored: false, reason: 'inbox-full' });
        await store.clear('a', now);
        expect(await store.append(two(['a', 'a']), now)).toMatchObject({ stored: true });
        expect((await contentOf(store, listed)).length).toBe(2_000);
        expect(await store.append(letter('b', NOON, ''), now - 1)).toEqual({ stored: false, reason: 'store-full' });
      }
    });

    it('and deletes no more of it than there is no room for, what was cleared first before the rest', async () => {
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
    });

    it.each([
      ['deleted before', [NOON, NOON + 1_001]],
      ['deleted then', [NOON + 1_001]],
    ])('of which nothing is left once all would have expired: %s', async (_, purges) => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(delivery('a', NOON), NOON);
      await store.clear('a', NOON);
      await store.append(delivery('a', NOON), NOON);
      await store.clear('a', NOON);
      for (const at of purges) await purgeAll(store, at);
      expect(await store.append(delivery('a', NOON), NOON)).toMatchObject({ receivedAt: [NOON] });
      await purgeAll(store, NOON + 1_001);
      expect(await store.list('a', {}, NOON)).toEqual([]);
    });

    it('which leaves nothing to be deleted when it would have expired', async () => {
      const store = await open({ retentionMs: 1_000 });
      for (let i = 0; i < 25; i++) await store.append(delivery(Array(100).fill('a'), NOON), NOON);
      await store.clear('a', NOON);
      await purgeAll(store, NOON);
      expect(await purgeAll(store, NOON + 10_000)).toBe(1);
    });

    it('that shows nothing any more, which leaves nothing more to be deleted', async () => {
      const store = await open();
      await store.append(delivery('a', NOON), NOON);
      for (let again = 0; again < 5; again++) await store.clear('a', NOON + again);
      expect(await purgeAll(store, NOON + 5)).toBe(1);
    });

    it('in which later mail outlives it', async () => {
      const store = await open({ retentionMs: 1_000, maxEmails: 2 });
      await store.append(letter('a', NOON, 'cleared'), NOON);
      await store.clear('a', NOON);
      await store.append(letter('a', NOON + 500, 'kept'), NOON + 500);
      await purgeAll(store, NOON + 1_000);
      expect(await textsOf(store, 'a', NOON + 1_000)).toEqual(['kept']);
      expect(await store.append(letter('a', NOON + 1_000, 'kept too'), NOON + 1_000)).toMatchObject({ stored: true });
      expect(await store.append(letter('a', NOON + 1_000, 'full'), NOON + 1_000)).toMatchObject({ stored: false });
    });

    it('that has nothing, and one of large messages, and one of many', async () => {
      const store = await open();
      await store.clear('nobody', NOON);
      for (let i = 0; i < 3; i++) await store.append(delivery('a', NOON, { content: [noise(3_000_000)] }), NOON);
      for (let i = 0; i < 4; i++) await store.append(delivery(Array(100).fill('a'), NOON), NOON);
      await store.clear('a', NOON);
      expect(await store.list('a', {}, NOON)).toEqual([]);
    });

    it('while mail comes in, which is either cleared or there', async () => {
      const store = await open({ maxEmails: 1_000 });
      const begun = Array.from({ length: 200 }, (_, i) => store.append(letter('a', NOON, `${i}`), NOON));
      await Promise.all([store.clear('a', NOON), ...begun, store.clear('a', NOON)]);
      const texts = await textsOf(store, 'a', NOON);
      for (const appended of await Promise.all(begun)) expect(appended.stored).toBe(true);
      await store.append(letter('a', NOON, 'last'), NOON);
      expect(await textsOf(store, 'a', NOON)).toEqual(['last', ...texts]);
    });
  });

  describe('makes room for new mail with what nobody sees, that of longest ago first', () => {
    const RETENTION_MS = 1_000;
    const one = (inbox: string, at: number) => delivery(inbox, at, { content: [noise(200_000)] });

    /** Which of the listed emails are not deleted, by their inboxes. */
    async function leftOf(store: Store, listed: ReadonlyMap<string, StoredEmail>): Promise<string[]> {
      const left: string[] = [];
      for (const [inbox, email] of listed) if (await summaryOf(store, email)) left.push(inbox);
      return left;
    }

    it.each([
      ['what expired before the other was cleared', 1_200, ['cleared', 'later']],
      ['what was cleared before the other expired', 500, ['first', 'later']],
    ])('%s', async (_, clearedAfterMs, left) => {
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
      await expect(contentOf(store, old)).rejects.toThrow(EmailGoneError);
      expect((await contentOf(store, young)).toString()).toBe('new');
      expect(await textsOf(store, 'a', NOON + 1_000)).toEqual(['new']);
    });

    it('an email that somebody is reading, who is told', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(delivery('a', NOON, { content: [noise(1_000_000)] }), NOON);
      const [email] = (await store.list('a', {}, NOON)) as [StoredEmail];
      const pieces = piecesOf(store, email);
      expect((await pieces.next()).done).toBe(false);
      await purgeAll(store, NOON + 1_000);
      await expect(pieces.next()).rejects.toThrow(EmailGoneError);
    });

    it('an email whose inbox and receivedAt another has later, whose bytes it does not get', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(letter('a', NOON, 'old'), NOON);
      const [email] = (await store.list('a', {}, NOON)) as [StoredEmail];
      await purgeAll(store, NOON + 1_000);
      // The clock was put back.
      expect(await store.append(letter('a', NOON, 'new'), NOON)).toMatchObject({ receivedAt: [NOON] });
      await expect(contentOf(store, email)).rejects.toThrow(EmailGoneError);
      expect(await store.summaries([email])).toEqual([null]);
      expect(await textsOf(store, 'a', NOON)).toEqual(['new']);
    });

    it('an email without content, which is gone all the same', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(delivery('a', NOON, { index: Buffer.alloc(0), content: [] }), NOON);
      const [email] = (await store.list('a', {}, NOON)) as [StoredEmail];
      expect((await contentOf(store, email)).length).toBe(0);
      await purgeAll(store, NOON + 1_000);
      await expect(contentOf(store, email)).rejects.toThrow(EmailGoneError);
    });

    it("one recipient's email and leaves the other's", async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(letter('late', NOON + 500, 'earlier'), NOON);
      await store.append(letter(['soon', 'late'], NOON, 'both'), NOON);
      const [soon] = (await store.list('soon', {}, NOON)) as [StoredEmail];
      await purgeAll(store, NOON + 1_000);
      await expect(contentOf(store, soon)).rejects.toThrow(EmailGoneError);
      expect(await textsOf(store, 'late', NOON + 1_000)).toEqual(['both', 'earlier']);
    });

    it('in bounded steps', async () => {
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

    it('nothing too early, also when two do so at once and one has left nothing to the other', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(delivery('expired', NOON), NOON);
      await store.append(delivery('cleared', NOON + 500), NOON + 500);
      const [email] = (await store.list('cleared', {}, NOON + 500)) as [StoredEmail];
      await store.clear('cleared', NOON + 1_100);
      await Promise.all([store.purge(NOON + 1_050), store.purge(NOON + 1_050)]);
      expect((await contentOf(store, email)).toString()).toBe('content');
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
