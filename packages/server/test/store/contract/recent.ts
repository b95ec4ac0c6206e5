import { describe, expect, it } from 'vitest';
import type { Store, StoredEmail } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import { contentOf, letter, NOON, purgeAll } from '../mail.js';

/** More pages than any test needs. */
const MAX_PAGES = 1_000;

/** Reads all recent emails, in pages of this size. Calls `between` before each page but the first. */
async function recent(store: Store, now: number, limit = 3, between = async () => {}): Promise<StoredEmail[]> {
  const emails: StoredEmail[] = [];
  let behind: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await store.recent(behind === null ? { limit } : { behind, limit }, now);
    expect(page.emails.length).toBeLessThanOrEqual(limit);
    emails.push(...page.emails);
    if (page.next === null) return emails;
    behind = page.next;
    await between();
  }
  throw new Error('The pages come to no end.');
}

const shown = (emails: readonly StoredEmail[]) => emails.map(({ to, receivedAt }) => `${to} ${receivedAt - NOON}`);

export function describeRecent(open: Open): void {
  describe('recent', () => {
    it.each([1, 2, 3, 7, 100])('lists the emails of all inboxes, newest first, in pages of %i', async (limit) => {
      const store = await open();
      for (let i = 0; i < 7; i++) await store.append(letter(i % 2 ? 'odd' : 'even', NOON + i, `${i}`), NOON);
      const emails = await recent(store, NOON + 10, limit);
      const texts = await Promise.all(emails.map(async (email) => String(await contentOf(store, email))));
      expect(texts).toEqual(['6', '5', '4', '3', '2', '1', '0']);
      expect(emails.map(({ inbox }) => inbox)).toEqual(['even', 'odd', 'even', 'odd', 'even', 'odd', 'even']);
    });

    it('lists no expired or cleared email, even before a purge', async () => {
      const store = await open({ retentionMs: 1_000 });
      const names = ['expires', 'cleared', 'one', 'stays'];
      for (const [i, name] of names.entries()) await store.append(letter(name, NOON + i, 'first'), NOON);
      for (const [i, name] of names.entries()) await store.append(letter(name, NOON + 500 + i, 'second'), NOON);
      await store.clear('cleared', NOON + 600);
      await store.clearOne('one', NOON + 502, NOON + 600);
      await store.append(letter('cleared', NOON + 700, 'third'), NOON + 700);
      const before = ['cleared@inbox.example.com 700', 'stays@inbox.example.com 503', 'expires@inbox.example.com 500'];
      const all = [...before, 'stays@inbox.example.com 3', 'one@inbox.example.com 2', 'expires@inbox.example.com 0'];
      for (const limit of [1, 2, 50]) {
        expect(shown(await recent(store, NOON + 700, limit))).toEqual(all);
        expect(shown(await recent(store, NOON + 1_003, limit))).toEqual(before);
      }
      await purgeAll(store, NOON + 1_003);
      expect(shown(await recent(store, NOON + 1_003, 1))).toEqual(before);
      expect(shown(await recent(store, NOON + 1_699))).toEqual(before.slice(0, 1));
      expect(shown(await recent(store, NOON + 1_700))).toEqual([]);
    });

    it('lists each email once while mail arrives and is deleted between the pages', async () => {
      const store = await open();
      for (let i = 0; i < 20; i++) await store.append(letter(`n${i}`, NOON + i, 'x'), NOON);
      let round = 0;
      const names = await recent(store, NOON + 100, 3, async () => {
        await store.append(letter(`later${round}`, NOON + 50 + round, 'x'), NOON + 50);
        // Deletes the last email of the previous page, and one that no page has listed yet.
        await store.clear(`n${19 - 3 * round - 2}`, NOON + 100);
        await store.clearOne(`n${round}`, NOON + round, NOON + 100);
        await purgeAll(store, NOON + 100);
        round += 1;
      });
      const inboxes = names.map(({ inbox }) => inbox);
      expect(new Set(inboxes).size).toBe(inboxes.length);
      expect(inboxes).toEqual(expect.arrayContaining(['n19', 'n18', 'n17', 'n16', 'n14', 'n13', 'n12', 'n11', 'n10']));
    });
  });
}
