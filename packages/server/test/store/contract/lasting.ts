import { describe, expect, it } from 'vitest';
import { type Store, StoreClosedError, type StoredEmail, type WaitlistEntry } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import { contentOf, costOf, delivery, letter, NOON, noise, piecesOf, ROOMY, textsOf } from '../mail.js';

export function describeLasting(open: Open): void {
  describe('the waitlist', () => {
    it('lists each address once, with the time when it first joined, in the order of these times', async () => {
      const store = await open();
      await store.joinWaitlist('b@app.test', NOON);
      await store.joinWaitlist('a@app.test', NOON + 1);
      await store.joinWaitlist('b@app.test', NOON + 2);
      expect(await waitlistOf(store)).toEqual([
        { email: 'b@app.test', joinedAt: NOON },
        { email: 'a@app.test', joinedAt: NOON + 1 },
      ]);
    });
  });

  describe('a store that is closed', () => {
    it('finishes work that began before the close', async () => {
      const store = await open();
      const begun = [
        ...Array.from({ length: 300 }, (_, i) => store.append(delivery(`box${i}`, NOON), NOON)),
        store.append(delivery('large', NOON, { content: [noise(5_000_000)] }), NOON),
      ];
      await store.close();
      for (const appended of await Promise.all(begun)) expect(appended.stored).toBe(true);
    });

    const uses: [string, (store: Store, email: StoredEmail) => Promise<unknown>][] = [
      ['append', (store) => store.append(delivery('a', NOON), NOON)],
      ['list', (store) => store.list('a', {}, NOON)],
      ['scan', (store) => store.scan('a', { maxBytes: 1 }, NOON)],
      ['summaries', (store, email) => store.summaries([email])],
      ['content', (store, email) => store.content(email)],
      ['watch', async (store) => store.watch('a', () => {})],
      ['clearOne', (store) => store.clearOne('a', NOON, NOON)],
      ['clear', (store) => store.clear('a', NOON)],
      ['purge', (store) => store.purge(NOON)],
      ['joinWaitlist', (store) => store.joinWaitlist('a@app.test', NOON)],
      ['waitlist', (store) => store.waitlist()[Symbol.asyncIterator]().next()],
      ['ping', (store) => store.ping()],
    ];
    it.each(uses)('rejects %s with a StoreClosedError', async (_name, use) => {
      const store = await open();
      await store.append(letter('a', NOON, 'hello'), NOON);
      const [email] = (await store.list('a', {}, NOON)) as [StoredEmail];
      await store.close();
      await expect(use(store, email)).rejects.toThrow(StoreClosedError);
    });

    it('rejects further reads of an email that a client has read in part', async () => {
      const store = await open();
      await store.append(delivery('a', NOON, { content: [noise(1_000_000)] }), NOON);
      const [email] = (await store.list('a', {}, NOON)) as [StoredEmail];
      const pieces = piecesOf(store, email);
      await pieces.next();
      await pieces.next();
      await store.close();
      await expect(pieces.next()).rejects.toThrow(StoreClosedError);
    });
  });
}

/** Tests of reopening, for stores whose mail survives the process. `newUrl` returns the URL of a new store. */
export function describeReopening(open: Open, newUrl: () => Promise<string>, expiresByItself = false): void {
  describe('a reopened store', () => {
    it('has all emails with their times and bytes', async () => {
      const sizes = [0, 10, 70_000, 3_000_000];
      const url = await newUrl();
      const before = await open({}, url);
      for (const [i, size] of sizes.entries()) {
        await before.append(delivery(['a', 'b'], NOON + i, { content: [noise(size)] }), NOON);
      }
      await before.close();

      const after = await open({}, url);
      for (const inbox of ['a', 'b']) {
        const emails = await after.list(inbox, {}, NOON);
        const times = [3, 2, 1, 0].map((ms) => ({ receivedAt: NOON + ms, expiresAt: NOON + ms + ROOMY.retentionMs }));
        expect(emails).toMatchObject(times);
        for (const [i, email] of emails.entries()) {
          expect((await contentOf(after, email)).equals(noise(sizes[3 - i] ?? 0))).toBe(true);
        }
      }
    });

    it('has the old waitlist, counts old emails towards limits, and gives new mail a later receivedAt', async () => {
      const limits = { maxEmails: 2, budgetBytes: 2 * costOf(delivery('a', NOON)) };
      const url = await newUrl();
      const before = await open(limits, url);
      await before.append(delivery('a', NOON), NOON);
      await before.joinWaitlist('a@app.test', NOON);
      await before.close();

      const after = await open(limits, url);
      expect(await after.append(delivery('a', NOON - 1_000), NOON)).toEqual({ stored: true, receivedAt: [NOON + 1] });
      expect(await after.append(delivery('a', NOON), NOON)).toEqual({ stored: false, reason: 'inbox-full' });
      if (!expiresByItself) {
        expect(await after.append(delivery('b', NOON), NOON)).toEqual({ stored: false, reason: 'store-full' });
      }
      await after.joinWaitlist('a@app.test', NOON + 1);
      await after.joinWaitlist('b@app.test', NOON + 2);
      expect(await waitlistOf(after)).toEqual([
        { email: 'a@app.test', joinedAt: NOON },
        { email: 'b@app.test', joinedAt: NOON + 2 },
      ]);
    });

    it('with a shorter retention keeps old emails, and counts them, until their original deadline', async () => {
      const url = await newUrl();
      const before = await open({ retentionMs: 60_000 }, url);
      await before.append(letter('a', NOON, 'long'), NOON);
      await before.close();

      const after = await open({ retentionMs: 1_000, maxEmails: 2 }, url);
      await after.append(letter('a', NOON + 1, 'short'), NOON + 1);
      expect(await after.append(letter('a', NOON + 1_000, 'no'), NOON + 1_000)).toMatchObject({ stored: false });
      expect(await after.append(letter('a', NOON + 1_001, 'next'), NOON + 1_001)).toMatchObject({ stored: true });
      expect(await textsOf(after, 'a', NOON + 1_001)).toEqual(['next', 'long']);
      expect(await after.append(letter('a', NOON + 1_002, 'no'), NOON + 1_002)).toMatchObject({ stored: false });
      expect(await textsOf(after, 'a', NOON + 2_001)).toEqual(['long']);
      expect(await textsOf(after, 'a', NOON + 60_000)).toEqual([]);
    });
  });
}

async function waitlistOf(store: Store): Promise<WaitlistEntry[]> {
  const entries: WaitlistEntry[] = [];
  for await (const entry of store.waitlist()) entries.push(entry);
  return entries;
}
