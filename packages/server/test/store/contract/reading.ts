import { describe, expect, it } from 'vitest';
import { CHUNK_BYTES } from '../../../src/store/admission.js';
import { SCAN_ROW_BYTES, type StoredEmail } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import { contentOf, delivery, indexOf, letter, NOON, noise, purgeAll } from '../mail.js';

export function describeReading(open: Open): void {
  describe('list', () => {
    it('returns recipient, receivedAt and expiresAt of each email', async () => {
      const store = await open({ retentionMs: 1_800_000 });
      const recipients = [{ inbox: 'a+b', to: 'a+b@other.test' }];
      await store.append(delivery([], NOON, { recipients }), NOON);
      const [email] = await store.list('a+b', {}, NOON);
      expect(email).toMatchObject({ to: 'a+b@other.test', receivedAt: NOON, expiresAt: NOON + 1_800_000 });
    });

    it('returns the same content key for all recipients of a message', async () => {
      const store = await open();
      const keysOf = async (inbox: string) =>
        (await store.list(inbox, {}, NOON)).map((email) => store.contentKey(email));
      await store.append(letter(['a', 'b', 'a'], NOON, 'shared'), NOON);
      await store.append(letter('a', NOON + 2, 'another'), NOON);
      const [newest, ...shared] = await keysOf('a');
      expect(new Set([...shared, ...(await keysOf('b'))]).size).toBe(1);
      expect(newest).not.toBe(shared[0]);
    });

    it.each([
      { query: {}, expected: [4, 3, 2, 1, 0] },
      { query: { after: NOON - 1 }, expected: [4, 3, 2, 1, 0] },
      { query: { after: NOON + 2 }, expected: [4, 3] },
      { query: { after: NOON + 4 }, expected: [] },
      { query: { after: NOON + 9_999 }, expected: [] },
      { query: { after: -1 }, expected: [4, 3, 2, 1, 0] },
      { query: { limit: 0 }, expected: [] },
      { query: { limit: 2 }, expected: [4, 3] },
      { query: { limit: 9 }, expected: [4, 3, 2, 1, 0] },
      { query: { after: NOON, limit: 3 }, expected: [4, 3, 2] },
      { query: { before: NOON + 2 }, expected: [1, 0] },
      { query: { before: NOON + 9_999 }, expected: [4, 3, 2, 1, 0] },
      { query: { before: NOON }, expected: [] },
      { query: { after: NOON, before: NOON + 4 }, expected: [3, 2, 1] },
      { query: { before: NOON + 4, limit: 2 }, expected: [3, 2] },
      { query: { after: NOON + 3, before: NOON + 2 }, expected: [] },
    ])('returns what $query selects', async ({ query, expected }) => {
      const store = await open();
      for (let i = 0; i < 5; i++) await store.append(delivery('a', NOON + i), NOON);
      const listed = await store.list('a', query, NOON);
      expect(listed.map((email) => email.receivedAt - NOON)).toEqual(expected);
    });

    it('omits expired emails even if it then returns fewer emails than the limit allows', async () => {
      const store = await open({ retentionMs: 100 });
      for (let i = 0; i < 5; i++) await store.append(delivery('a', NOON + i), NOON);
      const listed = await store.list('a', { limit: 4 }, NOON + 102);
      expect(listed.map((email) => email.receivedAt - NOON)).toEqual([4, 3]);
    });
  });

  describe('scan', () => {
    /** Opens a store with five emails. Each email's index has this many bytes, which repeat the email's number. */
    async function filled(indexBytes: number) {
      const store = await open({ retentionMs: 100 });
      for (let i = 0; i < 5; i++) {
        await store.append(delivery('a', NOON + i, { index: Buffer.alloc(indexBytes, `${i}`) }), NOON);
      }
      const pages = async (maxBytes: number, query = {}, now = NOON) => {
        const found: number[][] = [];
        for (let before: number | undefined; ; ) {
          const page = await store.scan('a', { ...query, maxBytes, ...(before ? { before } : {}) }, now);
          if (page.length === 0) return found;
          for (const { email, index } of page) {
            expect(index.length).toBe(indexBytes);
            expect(Buffer.from(index).toString()[0]).toBe(`${email.receivedAt - NOON}`);
          }
          found.push(page.map(({ email }) => email.receivedAt - NOON));
          before = page.at(-1)?.email.receivedAt;
        }
      };
      return { store, pages };
    }

    it('returns emails with their index bytes in pages of bounded size', async () => {
      const { pages } = await filled(1_000);
      const row = 1_000 + SCAN_ROW_BYTES;
      expect(await pages(10 * row)).toEqual([[4, 3, 2, 1, 0]]);
      expect(await pages(2 * row)).toEqual([[4, 3], [2, 1], [0]]);
      expect(await pages(3 * row - 1)).toEqual([[4, 3], [2, 1], [0]]);
      expect(await pages(10 * row, { after: NOON + 2 })).toEqual([[4, 3]]);
    });
  });

  describe('content', () => {
    const everyByte = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    it.each([
      { what: 'nothing', content: [] },
      { what: 'empty parts', content: [Buffer.alloc(0), Buffer.from('x'), Buffer.alloc(0)] },
      { what: 'NUL alone', content: [Buffer.from([0])] },
      { what: 'every byte (latin1)', content: [everyByte] },
      { what: 'UTF-8', content: [Buffer.from('Grüße, 世界 👋')] },
      { what: 'a chunk minus one byte', content: [noise(CHUNK_BYTES - 1)] },
      { what: 'a chunk exactly', content: [noise(CHUNK_BYTES)] },
      { what: 'a chunk and a byte', content: [noise(CHUNK_BYTES + 1)] },
      { what: 'thousands of parts', content: Array.from({ length: 5_000 }, (_, i) => Buffer.alloc(i % 200, i)) },
      { what: 'a part of a larger buffer', content: [noise(100_000).subarray(777, 99_000)] },
      { what: '10 MiB', content: [noise(10 * 1024 * 1024)] },
      { what: '10 MiB in uneven parts', content: Array.from({ length: 35 }, (_, i) => noise(300_000 + i)) },
    ])('of an email is stored unchanged: $what', async ({ content }) => {
      const store = await open();
      await store.append(delivery(['a', 'b'], NOON, { content }), NOON);
      for (const inbox of ['a', 'b']) {
        const [email] = await store.list(inbox, {}, NOON);
        expect(email && (await contentOf(store, email)).equals(Buffer.concat(content))).toBe(true);
        expect(email && (await indexOf(store, inbox, email, NOON))?.toString()).toBe(Buffer.from('index').toString());
      }
    });

    it('that a store has returned is not changed by later writes to the store', async () => {
      const store = await open({ retentionMs: 1_000 });
      for (let i = 0; i < 5; i++) {
        const bytes = { index: Buffer.alloc(5_000, `${i}`), content: [Buffer.alloc(10_000, `${i}`)] };
        await store.append(delivery('a', NOON + i, bytes), NOON);
      }
      const scanned = await store.scan('a', { maxBytes: 1e6 }, NOON);
      const read: [index: Uint8Array, content: Uint8Array][] = [];
      for (const { email, index } of scanned) read.push([index, (await store.content(email)).first]);
      await purgeAll(store, NOON + 2_000);
      for (let i = 0; i < 5; i++) {
        await store.append(delivery('b', NOON + 2_000, { content: [Buffer.alloc(20_000, 'x')] }), NOON + 2_000);
        await contentOf(store, ((await store.list('b', {}, NOON + 2_000)) as [StoredEmail])[0]);
      }
      expect(read).toHaveLength(5);
      for (const [i, [index, content]] of read.reverse().entries()) {
        expect(Buffer.alloc(5_000, `${i}`).equals(index)).toBe(true);
        expect(Buffer.alloc(10_000, `${i}`).equals(content)).toBe(true);
      }
    });
  });
}
