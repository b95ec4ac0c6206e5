// What hostile mails of the largest size cost: how long other clients wait while twelve of them come in, and how much memory
// the service takes for each alone, for all at once, and afterwards. Run by `npm run bench:hostile`. The service, the senders
// and the fetches are on one machine, so all of them share its processors.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIL_BYTES = 10_000_000;
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

const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-bench-'));
const service = await start();
try {
  await deliver(Buffer.from('Subject: small\r\n\r\nYour code is 482913\r\n'), 'small');
  const quiet = await fetchWhile(delay(1_000));
  for (const [name, mail] of Object.entries(hostile)) {
    const startedAt = performance.now();
    const cost = await memoryFor(deliver(mail, 'alone'));
    console.log(
      `${name.padEnd(22)} ${String(cost).padStart(4)} MB at the most, ${Math.round(performance.now() - startedAt)} ms`,
    );
  }
  const before = memoryMb();
  const work = Promise.all(Object.values(hostile).map((mail, n) => deliver(mail, `box-${n}`)));
  const [busy, cost] = await Promise.all([fetchWhile(work), memoryFor(work)]);
  await delay(SETTLING_MS);
  console.log(`all at once: ${before} MB before, ${cost} MB more at the most, ${memoryMb()} MB afterwards`);
  console.log(`fetches while nothing comes in: ${described(quiet)}`);
  console.log(`fetches while all come in:      ${described(busy)}`);
} finally {
  service.process.kill();
  await once(service.process, 'exit');
  rmSync(folder, { recursive: true });
}

function filled(head, unit) {
  const mail = Buffer.alloc(MAIL_BYTES, unit);
  mail.write(head, 'latin1');
  return mail;
}

async function start() {
  const mayfly = fileURLToPath(new URL('../server/bin/mayfly.js', import.meta.url));
  const ports = ['--http-port', '0', '--smtp-port', '0'];
  const args = ['serve', '--store', `lmdb:${folder}`, ...ports, '--fetch-limit', 'off', '--log-level', 'error'];
  const child = spawn(process.execPath, [mayfly, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const [, smtpPort, url] = /smtp=\S+:(\d+) http=(\S+)/.exec(String(line));
  return { process: child, smtpPort: Number(smtpPort), url };
}

/** Sends one mail and resolves when it is accepted. None of the mails has a line that begins with a dot. */
async function deliver(mail, inbox) {
  const socket = connect(service.smtpPort, '127.0.0.1');
  const replies = socket.setEncoding('latin1')[Symbol.asyncIterator]();
  const expect = async (code) => {
    let heard = '';
    while (!new RegExp(`^${code} [^\\r]*\\r\\n$`, 'm').test(heard)) {
      const { value, done } = await replies.next();
      if (done || /^[45]/m.test(value)) throw new Error(`${inbox}: ${value ?? 'closed'}`);
      heard += value;
    }
  };
  await expect(220);
  socket.write('EHLO bench.test\r\n');
  await expect(250);
  socket.write(`MAIL FROM:<a@bench.test>\r\nRCPT TO:<${inbox}@inbox.test>\r\nDATA\r\n`);
  await expect(354);
  socket.write(mail);
  socket.write('\r\n.\r\n');
  await expect(250);
  socket.destroy();
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
    const response = await fetch(`${service.url}/api/inbox/small`);
    const { count } = await response.json();
    if (count !== 1) throw new Error('the small mail is not there');
    times.push(performance.now() - startedAt);
  }
  await over;
  return times.sort((a, b) => a - b);
}

function described(times) {
  const ms = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
  return `${times.length} fetches, median ${ms(0.5)} ms, 99 % within ${ms(0.99)} ms, longest ${ms(1)} ms`;
}

/** How much more memory the service has at the most while some work is done, in MB. */
async function memoryFor(work) {
  const before = memoryMb();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memoryMb());
  }, WATCH_MS);
  await work;
  clearInterval(watch);
  return most - before;
}

/** Memory of the service's own in MB, as Linux counts it: without the pages of the store's file, which can be had back. */
function memoryMb() {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
  const kb = ['RssAnon', 'RssShmem'].map((name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]));
  return Math.round((kb[0] + kb[1]) / 1024);
}
