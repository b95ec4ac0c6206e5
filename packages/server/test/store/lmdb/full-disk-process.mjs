/**
 * Appends mail, ten messages at a time, until the data file cannot grow, then tries twice more. Prints the number of
 * each stored email, or why it was refused. Arguments: the store's directory, its limits as JSON, the time.
 */
import { openStore } from '../../../dist/store/open-store.js';

const [directory, limits, time] = process.argv.slice(2);
const now = Number(time);
const { store } = await openStore(`lmdb:${directory}`, JSON.parse(limits));

const append = (number) =>
  store.append(
    {
      receivedAt: now,
      recipients: [{ inbox: 'a', to: 'a@inbox.example.com' }],
      index: Buffer.from(`${number}`),
      summary: Buffer.alloc(400),
      content: [Buffer.alloc(20_000)],
    },
    // Differs between concurrent calls, as if the clock ticked between them.
    now + (number % 2),
  );

let failures = 0;
for (let number = 0; failures < 3; number += 10) {
  const ten = Array.from({ length: 10 }, (_, i) => append(number + i));
  const outcomes = await Promise.allSettled(ten);
  for (const [i, { value, reason }] of outcomes.entries()) {
    process.stdout.write(value?.stored ? `${number + i}\n` : `${value?.reason ?? reason.message}\n`);
  }
  if (outcomes.some(({ value }) => !value?.stored)) failures += 1;
}
process.stdout.write(`listed ${(await store.list('a', {}, now)).length}\n`);
await store.close();
