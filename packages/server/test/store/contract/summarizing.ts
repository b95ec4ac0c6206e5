import { describe, expect, it } from 'vitest';
import type { StoredEmail } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import { contentOf, delivery, indexOf, NOON, noise } from '../mail.js';

export function describeSummarizing(open: Open): void {
  describe('summaries', () => {
    const summarized = (inboxes: string | string[], at: number, summary: string) =>
      delivery(inboxes, at, { summary: Buffer.from(summary) });

    it('are returned in the order of the emails passed to the store', async () => {
      const store = await open();
      for (let i = 0; i < 3; i++) await store.append(summarized(['a', 'b'], NOON + i, `summary ${i}`), NOON);
      for (const inbox of ['a', 'b']) {
        const summaries = await store.summaries(await store.list(inbox, {}, NOON));
        expect(summaries.map(String)).toEqual(['summary 2', 'summary 1', 'summary 0']);
      }
      expect(await store.summaries([])).toEqual([]);
    });

    it.each([0, 1, 500, 2_000, 5_000, 70_000])('of %i bytes are stored unchanged', async (length) => {
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
  });
}
