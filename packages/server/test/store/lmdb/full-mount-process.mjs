/**
 * A process whose store fills its disk, a file system of a few MiB, with mail of 20 to 500 KB. Prints a line of JSON for what it then
 * tries, as [what, result]. Arguments: the store's folder, its limits as JSON, the time.
 */
import { rm, writeFile } from 'node:fs/promises';
import { openStore } from '../../../dist/store/open-store.js';

const [directory, limits, time] = process.argv.slice(2);
const { retentionMs } = JSON.parse(limits);
let now = Number(time);
const warn = (sentence) => say('told', sentence);
const open = async () =>
  (await openStore(`lmdb:${directory}/store`, JSON.parse(limits), 'create', { warn, replicas: 0 })).store;
let store = await open();

function say(what, result) {
  process.stdout.write(`${JSON.stringify([what, result])}\n`);
}

const outcome = ({ stored, reason }) => (stored ? 'stored' : reason);
const failure = ({ name }) => name;

let number = 0;
function append(bytes = 20_000 + (number % 5) * 120_000) {
  number += 1;
  const inbox = `inbox-${number % 50}`;
  const delivery = {
    receivedAt: now,
    recipients: [{ inbox, to: `${inbox}@inbox.example.com` }],
    index: Buffer.from('index'),
    summary: Buffer.alloc(400),
    content: [Buffer.alloc(bytes, 'x')],
  };
  return store.append(delivery, now).then(outcome, failure);
}

/** Sends ten at once until none of them is stored. */
async function fill() {
  for (;;) {
    const ten = await Promise.all(Array.from({ length: 10 }, () => append(20_000 + (number % 5) * 120_000)));
    if (!ten.includes('stored')) return [...new Set(ten)];
  }
}

say('filled', await fill());
say('pings', await store.ping().then(() => 'ready', failure));
say('listed', store.list('inbox-3', {}, now).length > 0);

// Nothing is gained, however often it is tried.
say('again', await append());
now += 60_000 - 1;
say('within a minute', await append());
now += 1;
say('after a minute', await append());

// Everything is deleted inbox by inbox.
for (let n = 0; n < 50; n += 1) await store.clear(`inbox-${n}`, now);
say('after clearing', await append(20_000));
say('pings', await store.ping().then(() => 'ready', failure));
say('filled', await fill());

// Opened anew, and what has expired makes room by itself.
await store.close();
store = await open();
say('opened', await fill());
say('waitlist', await store.joinWaitlist('a@app.test', now).then(() => 'joined', failure));
now += retentionMs + 1;
while (await store.purge(now));
say('after expiry', await append(20_000));
say('filled', await fill());

// What has expired is deleted by the mail that comes, too.
now += retentionMs + 1;
say('after expiry', await append(20_000));
await store.close();

// Another program takes all that is left, and gives it back.
now += 2 * retentionMs;
await rm(`${directory}/store`, { recursive: true });
store = await open();
say('before another', await append(20_000));
await writeFile(`${directory}/other`, Buffer.alloc(64 * 1024 * 1024)).catch(() => {});
say('beside another', [await append(500_000), await append(500_000)]);
await rm(`${directory}/other`);
now += 1_000;
await store.purge(now);
say('pings', await store.ping().then(() => 'ready', failure));
say('after another', await append(500_000));
await store.close();
