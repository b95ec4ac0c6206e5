/**
 * A process that makes so many transactions, one after the other, each of a mail to so many inboxes: box0, box1 and so on.
 * Arguments: the store's url, its limits as JSON, the time that is now, how many transactions, how many inboxes.
 */
import { openStore } from '../../../dist/store/open-store.js';

const [url, limits, time, count, inboxes] = process.argv.slice(2);
const now = Number(time);
const { store } = await openStore(url, JSON.parse(limits));
const recipients = Array.from({ length: Number(inboxes) }, (_, n) => ({
  inbox: `box${n}`,
  to: `box${n}@inbox.example.com`,
}));
for (let i = 0; i < Number(count); i++) {
  const [index, summary, content] = [Buffer.alloc(10), Buffer.alloc(10), [Buffer.alloc(100)]];
  await store.append({ receivedAt: now, recipients, index, summary, content }, now);
}
await store.close();
