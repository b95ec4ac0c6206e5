import { describe, expect, it } from 'vitest';
import { type Store, StoreClosedError } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import { delivery, NOON } from '../mail.js';
import { appendElsewhere, appendElsewhereSync } from './appending.js';

/** Returns a wake function that counts its calls. */
function counting() {
  const wake = () => {
    wake.calls += 1;
  };
  wake.calls = 0;
  return wake;
}

/** Watches an inbox, and lists it whenever woken. Returns a function that resolves to the longest list's length. */
function lookWhenWoken(store: Store, inbox: string): () => Promise<number> {
  const found: Promise<number>[] = [];
  store.watch(inbox, () => found.push(store.list(inbox, {}, NOON).then(({ length }) => length)));
  return async () => Math.max(0, ...(await Promise.all(found)));
}

export function describeWatching(open: Open): void {
  describe('watch', () => {
    it('allows a watcher to be removed twice, after which the store still accepts mail', async () => {
      const store = await open();
      const leaves = Array.from({ length: 50 }, (_, n) => store.watch(`box${n % 5}`, counting()));
      for (const leave of [...leaves, ...leaves]) leave();
      await store.append(delivery('box0', NOON), NOON);
      expect(await store.list('box0', {}, NOON)).toHaveLength(1);
    });

    it('lets hasToldAll return true once all mail is announced, and reject once the store is closed', async () => {
      const store = await open();
      store.watch('a', counting());
      await expect.poll(() => store.hasToldAll('a')).toBe(true);
      await store.append(delivery('a', NOON), NOON);
      expect(await store.hasToldAll('a')).toBe(true);
      await store.close();
      await expect((async () => store.hasToldAll('a'))()).rejects.toThrow(StoreClosedError);
    });
  });
}

/** Tests for stores that several processes share. `newUrl` returns the URL of a new store. */
export function describeWatchingOthers(open: Open, newUrl: () => Promise<string>): void {
  describe('watch of mail from another process', () => {
    it('calls each watcher of the inbox, which can then list the mail', async () => {
      const url = await newUrl();
      const store = await open({}, url);
      const looks = [lookWhenWoken(store, 'all'), lookWhenWoken(store, 'all'), lookWhenWoken(store, 'box3')];
      await appendElsewhere({ url, name: 'other', count: 40 }, () => {});
      for (const [n, mostFound] of looks.entries()) await expect.poll(mostFound).toBe(n < 2 ? 40 : 4);
    });

    it('calls the watchers of new mail before hasToldAll returns true', async () => {
      const url = await newUrl();
      const store = await open({}, url);
      const wake = counting();
      store.watch('all', wake);
      await expect.poll(() => store.hasToldAll('all')).toBe(true);
      for (let n = 0; n < 3; n++) {
        const before = wake.calls;
        appendElsewhereSync({ url, name: `other${n}`, count: 1 });
        expect(await store.hasToldAll('all')).toBe(true);
        expect(wake.calls).toBeGreaterThan(before);
      }
    });

    it('calls watchers for mail that arrived while the process was suspended', async () => {
      const url = await newUrl();
      const store = await open({}, url);
      const mostFound = lookWhenWoken(store, 'all');
      appendElsewhereSync({ url, name: 'other', count: 5 });
      await expect.poll(mostFound).toBe(5);
    });

    it('calls older and newer watchers even after some watchers of the inbox have been removed', async () => {
      const url = await newUrl();
      const store = await open({}, url);
      store.watch('all', counting())();
      const leave = store.watch('all', counting());
      const first = lookWhenWoken(store, 'all');
      leave();
      await appendElsewhere({ url, name: 'one', count: 1 }, () => {});
      await expect.poll(first).toBe(1);
      store.watch('box1', counting())();
      const second = lookWhenWoken(store, 'box0');
      await appendElsewhere({ url, name: 'two', count: 1 }, () => {});
      await expect.poll(second).toBe(2);
    });
  });
}
