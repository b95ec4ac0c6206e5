/**
 * A process that takes LMDB's lock, says which version the store's tally has then, and once it is told to go on writes that the
 * budget is used up.
 * Arguments: the store's directory, and its budget in bytes.
 */
import { readSync, writeSync } from 'node:fs';
import { open } from 'lmdb';

const [directory, budgetBytes] = process.argv.slice(2);
const root = open({ path: directory, noSubdir: false, eventTurnBatching: false, encoding: 'json' });
const tally = root.openDB({ name: 'tally', useVersions: true });
root.transactionSync(() => {
  const { value, version } = tally.getEntry('tally');
  writeSync(1, `${version}\n`);
  readSync(0, Buffer.alloc(1));
  tally.put('tally', { ...value, bytes: Number(budgetBytes) }, version + 1);
});
await root.close();
