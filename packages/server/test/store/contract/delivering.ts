import { describe, expect, it } from 'vitest';
import type { Open } from '../contract.js';
import { letter, NOON, textsOf } from '../mail.js';

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
    it('exactly what is too much when many come at once', async () => {
      const store = await open({ maxEmails: 10 });
      const all = await Promise.all(
        Array.from({ length: 30 }, (_, i) => store.append(letter('a', NOON, `${i}`), NOON)),
      );
      expect(all.filter((appended) => appended.stored)).toHaveLength(10);
      expect(await store.list('a', {}, NOON)).toHaveLength(10);
    });
  });
}
