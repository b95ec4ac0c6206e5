/**
 * A process that appends numbered mail from several concurrent writers, and prints the number of each stored email.
 * Arguments: the store's URL, its limits as JSON, the current time, a name, how many deliveries to make, and how many
 * writers make them.
 */
import { openStore } from '../../../dist/store/open-store.js';

const [url, limits, now, name, count, writers] = process.argv.slice(2);
const { store } = await openStore(url, JSON.parse(limits));
let begun = 0;

async function write() {
  while (begun < Number(count)) {
    const number = begun++;
    const text = `${name}/${number}`;
    const bytes = number % 10 === 0 ? 1_500_000 : 2_000 + number;
    const { stored } = await store.append(
      {
        receivedAt: Number(now),
        recipients: ['all', `box${number % 10}`].map((inbox) => ({ inbox, to: `${inbox}@inbox.example.com` })),
        index: Buffer.from(JSON.stringify({ text, bytes })),
        summary: Buffer.from(text),
        content: [Buffer.alloc(bytes, text)],
      },
      Number(now),
    );
    if (stored) process.stdout.write(`${text}\n`);
  }
}

await Promise.all(Array.from({ length: Number(writers) }, write));
await store.close();
