/**
 * A process that appends mail, each after the one before was stored, and prints a line for each.
 * Arguments: the store's directory, its limits as JSON, the time that is now, how many.
 */
import { writeSync } from 'node:fs';
import { openStore } from '../../../dist/store/open-store.js';

const [directory, limits, time, count] = process.argv.slice(2);
const now = Number(time);
const { store } = await openStore(`lmdb:${directory}`, JSON.parse(limits));
for (let i = 0; i < Number(count); i++) {
  const recipients = [{ inbox: 'a', to: 'a@inbox.example.com' }];
  const [index, summary, content] = [Buffer.alloc(100), Buffer.alloc(100), [Buffer.alloc(5_000 * i)]];
  await store.append({ receivedAt: now, recipients, index, summary, content }, now);
  writeSync(1, 'stored\n');
}
await store.close();
