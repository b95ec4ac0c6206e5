import { describe, expect, it } from 'vitest';
import { EmailGoneError, type StoredEmail } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import { contentOf, delivery, indexOf, NOON, noise, purgeAll } from '../mail.js';

export function describeSummarizing(open: Open): void {
  describe('summarizes', () => {
    const summarized = (inboxes: string | string[], at: number, summary: string) =>
      delivery(inboxes, at, { summary: Buffer.from(summary) });

    it('the emails of a list in its order, each recipient the same', async () => {
      const store = await open();
      for (let i = 0; i < 3; i++) await store.append(summarized(['a', 'b'], NOON + i, `summary ${i}`), NOON);
      for (const inbox of ['a', 'b']) {
        const summaries = await store.summaries(await store.list(inbox, {}, NOON));
        expect(summaries.map(String)).toEqual(['summary 2', 'summary 1', 'summary 0']);
      }
      expect(await store.summaries([])).toEqual([]);
    });

    it.each([0, 1, 500, 2_000, 5_000, 70_000])('in %i bytes, whatever else the message has', async (length) => {
      const store = await open();
      const summary = noise(length);
      const [index, content] = [noise(100_000), [noise(300_000)]];
      await store.append(delivery('large', NOON, { index, content, summary }), NOON);
      await store.append(delivery('empty', NOON, { index: Buffer.alloc(0), content: [], summary }), NOON);
      for (const inbox of ['large', 'empty']) {
        const [email] = (await store.list(inbox, {}, NOON)) as [StoredEmail];
        const [kept] = await store.summaries([email]);
        expect(kept && Buffer.from(kept).equals(summary)).toBe(true);
        const read = Buffer.from((await indexOf(store, inbox, email, NOON)) ?? []);
        expect(read.equals(inbox === 'large' ? index : Buffer.alloc(0))).toBe(true);
        expect((await contentOf(store, email)).length).toBe(inbox === 'large' ? 300_000 : 0);
      }
    });

    it('what was cleared or has expired since it was listed, until it is purged', async () => {
      const store = await open({ retentionMs: 1_000 });
      await store.append(summarized(['cleared', 'expired', 'there'], NOON, 'all'), NOON);
      await store.append(summarized('there', NOON + 500, 'later'), NOON);
      const listed = await Promise.all(['cleared', 'expired', 'there'].map((inbox) => store.list(inbox, {}, NOON)));
      const emails = listed.flat();
      await store.clear('cleared', NOON);
      expect((await store.summaries(emails)).map(String)).toEqual(['all', 'all', 'later', 'all']);
      await purgeAll(store, NOON);
      expect((await store.summaries(emails)).map(String)).toEqual(['null', 'all', 'later', 'all']);
      await purgeAll(store, NOON + 1_000);
      expect((await store.summaries(emails)).map(String)).toEqual(['null', 'null', 'later', 'null']);
      await expect(contentOf(store, emails[1] as StoredEmail)).rejects.toThrow(EmailGoneError);
    });
  });
}
