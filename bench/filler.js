// The process that fills a store: its argument is `{ folder, mails, retentionMs }`. The n-th mail goes to the inbox
// `stored-N`.
import { openStoreIn, storedForm } from './internals.js';
import { textMail } from './sample-mails.js';

/** How many are being stored at once; those of a moment share a transaction. */
const AT_ONCE = 512;

process.on('disconnect', () => process.exit());
const { folder, mails, retentionMs } = JSON.parse(process.argv[2]);
process.send('begun');
try {
  const store = await openStoreIn(folder, { retentionMs });
  const form = storedForm(await textMail());
  let next = 0;
  const lane = async () => {
    while (next < mails) {
      const inbox = `stored-${next}`;
      next += 1;
      const recipients = [{ inbox, to: `${inbox}@inbox.example.com` }];
      const { stored } = await store.append({ ...form, receivedAt: Date.now(), recipients }, Date.now());
      if (!stored) throw new Error('it is full');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await store.close();
  process.send({ mails });
} catch (error) {
  process.send({ failure: error.message });
}
