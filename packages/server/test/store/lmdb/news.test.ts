import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/store.js';
import { delivery, NOON, ROOMY, storeAt } from '../mail.js';
import { temporaryDirectories } from '../temporary.js';

const SCRIPT = fileURLToPath(new URL('transactions-process.mjs', import.meta.url));

const newDirectory = temporaryDirectories();
let url: string;
let store: Store;

afterEach(() => store.close());

/** Opens a store and watches inboxes; answers those that were woken, in that order. */
async function watched(inboxes: readonly string[]): Promise<string[]> {
  url = `lmdb:${await newDirectory()}`;
  store = await storeAt(url, ROOMY);
  const woken: string[] = [];
  for (const inbox of inboxes) store.watch(inbox, () => woken.push(inbox));
  return woken;
}

/** So many transactions of another process while this one stands still, each of a mail to so many inboxes. */
function transactions(count: number, inboxes: number): void {
  execFileSync(process.execPath, [SCRIPT, url, JSON.stringify(ROOMY), `${NOON}`, `${count}`, `${inboxes}`]);
}

describe('whoever watches a store in LMDB hears', () => {
  test('once of all mail that came since the last look, for each inbox that had some', async () => {
    const woken = await watched(['box2', 'other', 'box0']);
    transactions(100, 2);
    await expect.poll(() => woken).toEqual(['box0']);
    transactions(1, 3);
    await expect.poll(() => woken.slice(1).sort()).toEqual(['box0', 'box2']);
  });

  test('of any mail when there were more transactions than are remembered', async () => {
    const woken = await watched(['other', 'another']);
    transactions(300, 1);
    await expect.poll(() => woken).toEqual(['other', 'another']);
  });

  test('of any mail when one came to more inboxes than are named', async () => {
    const woken = await watched(['other']);
    transactions(1, 400);
    transactions(1, 401);
    await expect.poll(() => woken).toEqual(['other']);
  });

  test('nothing of mail of its own', async () => {
    const woken = await watched(['own', 'many7', 'box0']);
    await store.append(delivery('own', NOON), NOON);
    await store.append(
      delivery(
        Array.from({ length: 500 }, (_, n) => `many${n}`),
        NOON,
      ),
      NOON,
    );
    transactions(1, 1);
    await expect.poll(() => woken).toEqual(['box0']);
  });
});
