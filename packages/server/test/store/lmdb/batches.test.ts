import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openLmdbStore } from '../../../src/store/lmdb/open-lmdb.js';
import { delivery, letter, NOON, noise, ROOMY, textsOf } from '../mail.js';
import { temporaryDirectories } from '../temporary.js';

const LOCKING = fileURLToPath(new URL('locking-process.mjs', import.meta.url));

const newDirectory = temporaryDirectories();

const PAGE_BYTES = 4096;
const TRANSACTION_AT = 152;

/** How many transactions a store's data file has seen. */
function transactionsOf(directory: string): number {
  const handle = openSync(join(directory, 'data.mdb'), 'r');
  const numbers = [0, PAGE_BYTES].map((page) => {
    const bytes = Buffer.alloc(8);
    readSync(handle, bytes, 0, bytes.length, page + TRANSACTION_AT);
    return Number(bytes.readBigUInt64LE());
  });
  closeSync(handle);
  return Math.max(...numbers);
}

describe('deliveries that come at the same moment', () => {
  test('share a transaction, and so do those that come while it is written', async () => {
    const directory = await newDirectory();
    const store = await openLmdbStore(directory, ROOMY);
    const before = transactionsOf(directory);
    const append = (i: number) => store.append(delivery(`box${i % 7}`, NOON), NOON);
    const first = Array.from({ length: 50 }, (_, i) => append(i));
    await new Promise(setImmediate);
    await Promise.all([...first, ...Array.from({ length: 50 }, (_, i) => append(i)), store.clear('box0', NOON)]);
    expect(transactionsOf(directory) - before).toBe(2);
    await store.close();
  });

  test('are written in bounded transactions', async () => {
    const directory = await newDirectory();
    const store = await openLmdbStore(directory, ROOMY);
    const before = transactionsOf(directory);
    await Promise.all(Array.from({ length: 450 }, () => store.append(delivery('a', NOON), NOON)));
    expect(transactionsOf(directory) - before).toBe(5);
    const halfMegabyte = Array.from({ length: 8 }, () => delivery('a', NOON, { content: [noise(60_000)] }));
    await Promise.all(
      [...halfMegabyte, ...halfMegabyte, ...halfMegabyte, ...halfMegabyte, ...halfMegabyte].map((one) =>
        store.append(one, NOON),
      ),
    );
    expect(transactionsOf(directory) - before).toBe(7);
    await store.close();
  });

  test('have an answer each: what cannot be kept spoils nothing of what is written with it', async () => {
    const store = await openLmdbStore(await newDirectory(), { ...ROOMY, maxEmails: 2 });
    const [first, broken, second, full, other] = await Promise.allSettled([
      store.append(letter(['a', 'b'], NOON, 'first'), NOON),
      // No key of LMDB has so many bytes.
      store.append(letter(['a', 'c', 'x'.repeat(5_000), 'd'], NOON, 'broken'), NOON),
      store.append(letter('a', NOON, 'second'), NOON),
      store.append(letter(['e', 'a'], NOON, 'third'), NOON),
      store.append(letter('e', NOON, 'other'), NOON),
    ]);
    expect(first).toMatchObject({ value: { stored: true, receivedAt: [NOON, NOON] } });
    expect(broken).toMatchObject({ status: 'rejected', reason: expect.any(RangeError) });
    expect(second).toMatchObject({ value: { stored: true, receivedAt: [NOON + 1] } });
    expect(full).toMatchObject({ value: { stored: false, reason: 'inbox-full' } });
    expect(other).toMatchObject({ value: { stored: true, receivedAt: [NOON] } });
    expect(await textsOf(store, 'a', NOON)).toEqual(['second', 'first']);
    for (const inbox of ['c', 'd']) expect(await textsOf(store, inbox, NOON)).toEqual([]);
    expect(await textsOf(store, 'e', NOON)).toEqual(['other']);
    await store.close();
  });

  test('rest on what another process has written since they were noted down', async () => {
    const directory = await newDirectory();
    const store = await openLmdbStore(directory, ROOMY);
    await store.append(letter('a', NOON, 'before'), NOON);
    const argv = [LOCKING, directory, `${ROOMY.budgetBytes}`];
    const other = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
    const [version] = await once(other.stdout, 'data');
    // What a new store has, and one more for the transaction of the mail: others rest on it, too.
    expect(Number(version)).toBe(2);
    const waiting = Promise.all(['a', 'b'].map((inbox) => store.append(letter(inbox, NOON, 'late'), NOON)));
    // By then they are noted down, and wait for the lock of the other process.
    await new Promise(setImmediate);
    other.stdin.end('go on');
    const full = { stored: false, reason: 'store-full' };
    expect(await waiting).toEqual([full, full]);
    expect(await textsOf(store, 'a', NOON)).toEqual(['before']);
    await store.close();
  });

  test('take turns with what has to be alone in its transaction', async () => {
    const store = await openLmdbStore(await newDirectory(), ROOMY);
    const settled: string[] = [];
    const append = () => store.append(delivery('a', NOON), NOON).then(() => settled.push('mail'));
    const join = (i: number) => store.joinWaitlist(`${i}@app.test`, NOON).then(() => settled.push('alone'));
    await Promise.all([...Array.from({ length: 450 }, append), join(0)]);
    expect(settled.indexOf('alone')).toBeLessThanOrEqual(100);

    settled.length = 0;
    const joining = Array.from({ length: 20 }, (_, i) => join(i + 1));
    await joining[0];
    await Promise.all([append(), ...joining]);
    expect(settled.indexOf('mail')).toBeLessThanOrEqual(3);
    await store.close();
  });

  test('do not wait behind large ones that came before', async () => {
    const store = await openLmdbStore(await newDirectory(), ROOMY);
    const stored: string[] = [];
    const append = async (name: string, bytes: number) => {
      await store.append(delivery(name, NOON, { content: [noise(bytes)] }), NOON);
      stored.push(name);
    };
    const large = ['large1', 'large2', 'large3'].map((name) => append(name, 5_000_000));
    await new Promise(setImmediate);
    await append('small', 1_000);
    expect(stored.indexOf('small')).toBeLessThanOrEqual(1);
    await Promise.all(large);
    await store.close();
  });
});
