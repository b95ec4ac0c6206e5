/**
 * Opens a store, reads all mail of an inbox and delivers one more email. Prints how many emails there were, or why the
 * store cannot be opened. Arguments: the store's directory, its limits as JSON, the inbox, the current time.
 */
import { openStore } from '../../../dist/store/open-store.js';

const [directory, limits, inbox, time] = process.argv.slice(2);
const now = Number(time);
try {
  const { store } = await openStore(`lmdb:${directory}`, JSON.parse(limits));
  const emails = await store.list(inbox, {}, now);
  for (const email of emails) {
    const { rest } = await store.content(email);
    if (rest !== null) for await (const _piece of rest);
  }
  const recipients = [{ inbox, to: `${inbox}@inbox.example.com` }];
  const [index, summary, content] = [Buffer.from('index'), Buffer.from('summary'), [Buffer.alloc(100_000)]];
  await store.append({ receivedAt: now, recipients, index, summary, content }, now);
  await store.close();
  process.stdout.write(`${emails.length} emails`);
} catch (error) {
  process.stdout.write(error.message);
}
