import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EmailGoneError, type Store, type StoredEmail } from '../../../src/store/store.js';
import type { Open } from '../contract.js';
import { contentOf, delivery, indexOf, letter, NOON, noise, purgeAll, ROOMY, shareAPart, textsOf } from '../mail.js';
import { appendElsewhere, appendElsewhereSync, killWhileAppending, WRITERS } from './appending.js';

/** Tests of killed processes, and of several processes with one store, for stores that survive a process. */
export function describeProcesses(open: Open, newUrl: () => Promise<string>, expiresByItself = false): void {
  describe('a store with other processes', () => {
    it('has every message that a killed process acknowledged, and no partial message', async () => {
      const url = await newUrl();
      const acknowledged = await killWhileAppending(url);
      expect(acknowledged.length).toBeGreaterThan(0);

      const store = await open({}, url);
      const inAll = await wholeTextsOf(store, 'all');
      expect(inAll).toEqual(expect.arrayContaining(acknowledged));
      const inBoxes: string[] = [];
      for (let box = 0; box < 10; box++) inBoxes.push(...(await wholeTextsOf(store, `box${box}`)));
      expect(inBoxes).toEqual(expect.arrayContaining(acknowledged));
      const halves = [...inAll, ...inBoxes].filter((text) => !(inAll.includes(text) && inBoxes.includes(text)));
      // In a store with several parts, an unacknowledged message may be in only some of them.
      expect(halves.length).toBeLessThanOrEqual(shareAPart('all', 'box0', 'box1') ? 0 : WRITERS);
      expect(halves.filter((text) => acknowledged.includes(text))).toEqual([]);
      expect(new Set(inAll).size).toBe(inAll.length);
    });

    it('lists mail immediately after another process has acknowledged it', async () => {
      const url = await newUrl();
      const store = await open({}, url);
      expect(await store.list('all', {}, NOON)).toEqual([]);
      // Runs in the same turn of the event loop, so that no timer can refresh the store's view.
      appendElsewhereSync({ url, name: 'other', count: 3 });
      expect(await wholeTextsOf(store, 'all')).toHaveLength(3);
    });

    it('does not list mail that another process has cleared, but lets a client finish reading it', async () => {
      const url = await newUrl();
      const store = await open({ maxEmails: 1 }, url);
      const content = [noise(1_000_000)];
      await store.append(delivery('a', NOON, { content }), NOON);
      const [listed] = (await store.list('a', {}, NOON)) as [StoredEmail];
      const script = fileURLToPath(new URL('clearing-process.mjs', import.meta.url));
      execFileSync(process.execPath, [script, url, JSON.stringify(ROOMY), 'a', `${NOON + 1}`]);
      expect(await store.list('a', {}, NOON)).toEqual([]);
      expect((await contentOf(store, listed)).equals(content[0] as Buffer)).toBe(true);
      expect(await store.append(letter('a', NOON, 'next'), NOON + 1)).toEqual({ stored: true, receivedAt: [NOON + 1] });
      await purgeAll(store, NOON + 1);
      if (!expiresByItself) await expect(contentOf(store, listed)).rejects.toThrow(EmailGoneError);
      expect(await textsOf(store, 'a', NOON)).toEqual(['next']);
    });

    it('if three processes add mail to an inbox, stores only as many as allowed, and lists them in order', async () => {
      const url = await newUrl();
      const limits = { ...ROOMY, maxEmails: 250 };
      const store = await open(limits, url);
      let stored = 0;
      const others = ['one', 'two'].map((name) => appendElsewhere({ url, limits, name, count: 150 }, () => stored++));
      for (let i = 0; i < 100; i++) if ((await store.append(delivery('all', NOON), NOON)).stored) stored += 1;
      await Promise.all(others);
      expect(stored).toBe(250);
      const listed = await store.list('all', {}, NOON);
      expect(listed.map((email) => email.receivedAt)).toEqual(Array.from({ length: 250 }, (_, i) => NOON + 249 - i));
    });
  });
}

/** Returns the numbers of the emails in an inbox, after checking every byte of each email. */
async function wholeTextsOf(store: Store, inbox: string): Promise<string[]> {
  const texts: string[] = [];
  for (const email of await store.list(inbox, {}, NOON)) {
    const { text, bytes } = JSON.parse(Buffer.from((await indexOf(store, inbox, email, NOON)) ?? []).toString());
    expect((await contentOf(store, email)).equals(Buffer.alloc(bytes, text))).toBe(true);
    texts.push(text);
  }
  return texts;
}
