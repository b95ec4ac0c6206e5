// All that benchmarks use of the service's inside. Everything else goes through its settings, SMTP and HTTP.
import { ingest } from '../packages/server/dist/inbox/threads/tasks.js';
import { openStore } from '../packages/server/dist/store/open-store.js';
import { packed } from '../packages/server/dist/store/redis/mail/part.js';

export { readMail } from '../packages/mail/dist/read-mail.js';

/** The work on a message at its arrival: parsing, extraction, and its stored form. */
export function readAtArrival(raw) {
  const recipientBytes = 'demo@bench.test'.length;
  return ingest({
    raw,
    envelopeFrom: 'app@bench.test',
    generatedId: '<generated@bench.test>',
    recipientBytes,
    recipients: null,
  });
}

/** The stored form of a message: `{ index, summary, content }` of a store's delivery. */
export function storedForm(raw) {
  const { index, record, summary } = readAtArrival(raw);
  return { index, summary, content: [record, raw] };
}

/** Opens an LMDB store in a folder as the service does, without limits. */
export function openStoreIn(folder, { retentionMs }) {
  return openStoreAt(`lmdb:${folder}`, { retentionMs });
}

/** The same for a store anywhere. */
export async function openStoreAt(url, { retentionMs }) {
  const { store } = await openStore(url, { retentionMs, maxEmails: 100_000, budgetBytes: 2 ** 40 });
  return store;
}

/** How many bytes a store on Redis keeps of a message's stored form. */
export async function packedBytes({ index, summary, content }) {
  return (await packed(index)).length + summary.length + (await packed(Buffer.concat(content))).length;
}
