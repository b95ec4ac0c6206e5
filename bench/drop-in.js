// What clients of another mail catcher wait for where 10,000 mails are stored, and what others wait for meanwhile. Run
// by `npm run bench:drop-in`. The service and its clients are on one machine, so all of them share its processors.
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { helpAsked } from './help.js';
import { request } from './http.js';
import { openStoreIn, storedForm } from './internals.js';
import { textMail } from './sample-mails.js';
import { newFolder, startService } from './service.js';
import { deliver } from './smtp.js';
import { quantile } from './statistics.js';

helpAsked(`Usage: npm run bench:drop-in

Fills a store with 10,000 mails and prints how long a list and searches take over the interfaces of Mailpit and MailHog, while mail
comes in and on a keep-alive connection, and how long other clients wait beside 20 that poll. Takes a minute. There are no options.`);

const MAILS = 10_000;
const ROUNDS = 200;

/** Clients that poll, as parallel workers of a suite do. */
const POLLING_CLIENTS = 20;
const POLL_MS = 500;

/** How long a service is left alone at its start. */
const WARM_UP_MS = 2_000;

/** For how long others are watched. */
const WATCH_MS = 10_000;

/** Goals for the median, in milliseconds. */
const AIMS = { 'a search by address': 5, 'a list of 50': 20 };

const PATHS = {
  mailpit: {
    'a search by address': (n) => `/api/v1/search?query=to:stored-${n}@inbox.example.com`,
    'a list of 50': () => '/api/v1/messages',
    'a search by subject': () => '/api/v1/search?query=subject:nothing',
    'a search by a word': () => '/api/v1/search?query=nothing-of-this&limit=1',
  },
  mailhog: {
    'a search by address': (n) => `/api/v2/search?kind=to&query=stored-${n}@inbox.example.com`,
    'a list of 50': () => '/api/v2/messages',
  },
};

for (const [catcher, paths] of Object.entries(PATHS)) await measure(catcher, paths);

async function measure(catcher, paths) {
  const folder = newFolder();
  await fill(folder);
  const flags = ['--drop-in', catcher, '--drop-in-limit', 'off', '--fetch-limit', 'off', '--retention', '1h'];
  const service = await startService([...flags, '--log-level', 'error'], { folder });
  const agent = new http.Agent({ keepAlive: true });
  try {
    // Right after it is ready, the service parses its first mail and goes through its store; a request at that moment
    // waits for both.
    const very = await timed(service, paths['a search by address'](0));
    console.log(`${catcher}, the very first answer, beside what the service begins with: ${very.toFixed(1)} ms`);
    await delay(WARM_UP_MS);
    for (const [name, path] of Object.entries(paths)) {
      const first = await timed(service, path(0), agent);
      const rounds = name === 'a search by a word' ? 5 : ROUNDS;
      const times = [];
      for (let n = 0; n < rounds; n += 1) {
        // So that no answer is that of before.
        if (n % 10 === 0)
          await deliver(service, Buffer.from('Subject: new\r\n\r\nnew\r\n'), [`new-${n}@inbox.example.com`]);
        times.push(await timed(service, path(n), agent));
      }
      const aim = AIMS[name] === undefined ? '' : `, aim ${AIMS[name]}`;
      console.log(`${catcher}, ${name}: first ${first.toFixed(1)} ms, then ${described(times)}${aim}`);
    }
    const idle = await others(service);
    const before = service.cpuMs();
    const polls = Promise.all(Array.from({ length: POLLING_CLIENTS }, (_, i) => poll(service, paths, i)));
    const busy = await others(service);
    await polls;
    const perSecond = ((service.cpuMs() - before) / WATCH_MS) * 1_000;
    console.log(`${catcher}, processor beside ${POLLING_CLIENTS} that poll: ${Math.round(perSecond)} ms a second`);
    for (const [name, times] of Object.entries(idle)) {
      console.log(
        `${catcher}, others' ${name}: idle ${described(times)}; beside ${POLLING_CLIENTS} that poll ${described(busy[name])}`,
      );
    }
    console.log(`${catcher}, memory: ${service.memoryMb()} MB`);
  } finally {
    agent.destroy();
    await service.stop();
  }
}

async function fill(folder) {
  const store = await openStoreIn(folder, { retentionMs: 3_600_000 });
  const form = storedForm(await textMail());
  const now = Date.now();
  await Promise.all(
    Array.from({ length: MAILS }, (_, n) => {
      const inbox = `stored-${n}`;
      return store.append({ ...form, receivedAt: now, recipients: [{ inbox, to: `${inbox}@inbox.example.com` }] }, now);
    }),
  );
  await store.close();
}

async function timed(service, path, agent) {
  const startedAt = performance.now();
  const { status, body } = await request(service, path, agent === undefined ? {} : { agent });
  if (status !== 200 || body === null) throw new Error(`${path}: ${status} ${body}`);
  return performance.now() - startedAt;
}

/** One worker: a search and a list, twice a second. */
async function poll(service, paths, client) {
  const until = performance.now() + WATCH_MS;
  while (performance.now() < until) {
    await timed(service, paths['a search by address'](client));
    await timed(service, paths['a list of 50'](client));
    await delay(POLL_MS);
  }
}

/** What others wait for: how long each of their mails and fetches takes. */
async function others(service) {
  const times = { mails: [], fetches: [] };
  const until = performance.now() + WATCH_MS;
  for (let n = 0; performance.now() < until; n += 1) {
    const startedAt = performance.now();
    await deliver(service, Buffer.from('Subject: other\r\n\r\nYour code is 482913\r\n'), [
      `other-${n % 100}@inbox.example.com`,
    ]);
    times.mails.push(performance.now() - startedAt);
    times.fetches.push(await timed(service, `/api/inbox/other-${n % 100}/summary`));
    await delay(20);
  }
  return times;
}

function described(times) {
  const ms = (share) => quantile(times, share).toFixed(1);
  return `median ${ms(0.5)} ms, 95 % within ${ms(0.95)} ms, longest ${ms(1)} ms`;
}
