// What hostile mails of the largest size cost: how long other clients wait while one of each kind comes in, and how
// much memory the service takes for each alone, for all at once, and afterwards. Run by `npm run bench:hostile`; takes
// some minutes. The service, the senders and the fetches are on one machine, so all of them share its processors.
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from './figures.js';
import { HOSTILE_KINDS, hostileMail } from './hostile-mails.js';
import { request } from './http.js';
import { startService } from './service.js';
import { deliver } from './smtp.js';

/** Afterwards, the memory is given so long to come back. */
const SETTLING_MS = 15_000;

/** How often the memory is looked at. */
const WATCH_MS = 10;

const service = await startService(['--fetch-limit', 'off', '--max-in-flight', '512MiB', '--log-level', 'error']);
try {
  await deliverTo('small', Buffer.from('Subject: small\r\n\r\nYour code is 482913\r\n'));
  const quiet = await fetchWhile(delay(1_000));
  for (const name of HOSTILE_KINDS) {
    const startedAt = performance.now();
    const cost = await memoryFor(deliverTo('alone', hostileMail(name)));
    const took = Math.round(performance.now() - startedAt);
    console.log(`${name.padEnd(24)} ${String(cost).padStart(4)} MB at the most, ${took} ms`);
  }
  const before = service.memoryMb();
  const work = Promise.all(HOSTILE_KINDS.map((name, n) => deliverTo(`box-${n}`, hostileMail(name), n)));
  const [busy, cost] = await Promise.all([fetchWhile(work), memoryFor(work)]);
  await delay(SETTLING_MS);
  console.log(`all at once: ${before} MB before, ${cost} MB more at the most, ${service.memoryMb()} MB afterwards`);
  console.log(`fetches while nothing comes in: ${described(quiet)}`);
  console.log(`fetches while all come in:      ${described(busy)}`);
} finally {
  await service.stop();
}

/** Each comes from an address of its own: one alone may not send so much at once, and all together not by default. */
function deliverTo(inbox, mail, n = 0) {
  const options = { localAddress: `127.0.4.${1 + n}`, timeoutMs: 300_000 };
  return deliver(service, mail, [`${inbox}@inbox.example.com`], options);
}

/** Fetches a small inbox again and again until the work is done; how long each fetch took, in milliseconds. */
async function fetchWhile(work) {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  const times = [];
  while (!isOver) {
    const startedAt = performance.now();
    const { body } = await request(service, '/api/inbox/small');
    if (JSON.parse(body).count !== 1) throw new Error('the small mail is not there');
    times.push(performance.now() - startedAt);
  }
  await over;
  return times;
}

function described(times) {
  const ms = (share) => quantile(times, share).toFixed(1);
  return `${times.length} fetches, median ${ms(0.5)} ms, 99 % within ${ms(0.99)} ms, longest ${ms(1)} ms`;
}

/** How much more memory the service has at the most while some work is done, in MB. */
async function memoryFor(work) {
  const before = service.memoryMb();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, service.memoryMb());
  }, WATCH_MS);
  await work;
  clearInterval(watch);
  return most - before;
}
