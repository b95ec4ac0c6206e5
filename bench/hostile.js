// What hostile mails of the largest size cost: how long other clients wait while twelve of them come in, and how much memory
// the service takes for each alone, for all at once, and afterwards. Run by `npm run bench:hostile`. The service, the senders
// and the fetches are on one machine, so all of them share its processors.
import { setTimeout as delay } from 'node:timers/promises';
import { request } from './http.js';
import { filled } from './mails.js';
import { startService } from './service.js';
import { deliver } from './smtp.js';
import { quantile } from './statistics.js';

/** Afterwards, the memory is given so long to come back. */
const SETTLING_MS = 15_000;

/** How often the memory is looked at. */
const WATCH_MS = 10;

const nested = Array.from(
  { length: 50_000 },
  (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`,
).join('');
const hostile = {
  'three-byte lines': filled('Content-Type: text/plain\r\n\r\n', 'a\r\n'),
  'empty parts': filled('Content-Type: multipart/mixed; boundary=b\r\n\r\n', '--b\r\n\r\nx\r\n'),
  'deep nesting': filled(`Content-Type: multipart/mixed; boundary=b0\r\n\r\n${nested}`, 'x\r\n'),
  'open tags': filled('Content-Type: text/html\r\n\r\n', '<b><i a="'),
  digits: filled('Content-Type: text/plain\r\n\r\n', `${'12345678 '.repeat(8)}\r\n`),
  links: filled('Content-Type: text/html\r\n\r\n', '<a href="http://a.test/verify?t=1">http://b.test/reset</a>\r\n'),
  headers: filled('', 'X-Header: value\r\n'),
  'control characters': filled('Content-Type: text/plain\r\n\r\n', `${'\u0001'.repeat(64)}\r\n`),
  'encoded words': filled('Subject:', ' =?utf-8?q?=41=41?=\r\n'),
  base64: filled('Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n', `${'PGI+'.repeat(18)}\r\n`),
  'quoted-printable': filled(
    'Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n',
    '=3Cb=3E=\r\n',
  ),
  'messages in messages': filled('', 'Content-Type: message/rfc822\r\n\r\n'),
};

const service = await startService(['--fetch-limit', 'off', '--log-level', 'error']);
try {
  await deliverTo('small', Buffer.from('Subject: small\r\n\r\nYour code is 482913\r\n'));
  const quiet = await fetchWhile(delay(1_000));
  for (const [name, mail] of Object.entries(hostile)) {
    const startedAt = performance.now();
    const cost = await memoryFor(deliverTo('alone', mail));
    console.log(
      `${name.padEnd(22)} ${String(cost).padStart(4)} MB at the most, ${Math.round(performance.now() - startedAt)} ms`,
    );
  }
  const before = service.memoryMb();
  const work = Promise.all(Object.values(hostile).map((mail, n) => deliverTo(`box-${n}`, mail)));
  const [busy, cost] = await Promise.all([fetchWhile(work), memoryFor(work)]);
  await delay(SETTLING_MS);
  console.log(`all at once: ${before} MB before, ${cost} MB more at the most, ${service.memoryMb()} MB afterwards`);
  console.log(`fetches while nothing comes in: ${described(quiet)}`);
  console.log(`fetches while all come in:      ${described(busy)}`);
} finally {
  await service.stop();
}

function deliverTo(inbox, mail) {
  return deliver(service, mail, [`${inbox}@inbox.test`]);
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
