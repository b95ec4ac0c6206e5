// The attacks: one address sends requests as fast as possible, within the limits for a client.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { hostileMails } from '../hostile-mails.js';
import { open, request } from '../http.js';
import { filled } from '../sample-mails.js';
import { deliver, RefusedError, SmtpConnection } from '../smtp.js';

export const REFUSALS = new Set(['421', '429', '451', '452', '503']);

/** The client address from which inboxes are filled before an attack. */
const FILLER = { localAddress: '127.0.0.9' };
const FULL_INBOX = 'full';
const LARGE_INBOX = 'large';
const RECIPIENTS = 100;
const NOWHERE = 'z'.repeat(40);
const SMALL_MAIL = Buffer.from('Subject: small\r\n\r\nYour code is 482913\r\n');

/** Limits for a client: fetches and wrong keys per window; new inbox names at the start, and then per second. */
const [FETCHES, WRONG_KEYS, WINDOW_MS] = [20, 100, 10_000];
const [NAMES, NAMES_A_SECOND] = [6_000, 10];
/** Number of clients that `X-Forwarded-For` names below: an IPv4 address, an IPv6 network, and the proxy. */
const FORWARDED_CLIENTS = 3;
/** Maximum store size on disk. It exceeds the quota, because LMDB copies pages and keeps the old ones. */
const MOST_STORE_BYTES = 4 * 2 ** 20;
/** Maximum memory of a service with default settings, as documented. */
const MOST_MEMORY_MB = 512;

/** Number of unfinished messages, which together nearly fill `max-in-flight`. */
const UNFINISHED = 50;
const UNFINISHED_BYTES = Math.floor((256 * 2 ** 20) / UNFINISHED);
const LINE_EVERY_MS = 20_000;

const costly = hostileMails(64 * 1024);

/**
 * Each attack runs `prepare(context)`, then `step(context)` in `lanes` parallel loops, at most `maxSteps` times in
 * total. A step resolves to a status or a word. `context` has `service`, `address`, `agent`, the step's `number`, and
 * a `signal` that is aborted at the end. The service has the settings `flags`. An attack runs longer if no step has
 * resolved to `seeks`. A limit failed if more than `most(seconds)` steps resolve to `got`, or `breach(facts)` says so.
 */
export const ATTACKS = [
  {
    name: 'wrong keys',
    lanes: 8,
    step: tryKey,
    seeks: '401',
    got: '401',
    most: (time) => WRONG_KEYS * windowsIn(time),
  },
  {
    name: 'filtered fetches',
    lanes: 8,
    prepare: fill,
    step: (c) => statusOf(c, `${inbox(FULL_INBOX)}?body=${NOWHERE}`),
  },
  { name: 'explain of 10 MB', lanes: 4, prepare: fillLarge, step: (c) => statusOf(c, `${c.large}/explain`) },
  { name: 'streams opened and closed', lanes: 20, step: (c) => streamed(c, `${inbox(FULL_INBOX)}/stream`, false) },
  {
    name: 'streams held open',
    lanes: 2_000,
    maxSteps: 4_000,
    step: (c) => streamed(c, `${inbox(`s${c.number}`)}/stream`, true),
  },
  {
    name: 'names tried by stream',
    lanes: 8,
    step: (c) => streamed(c, `${inbox(`guess-${c.number}`)}/stream`, false),
    seeks: 'opened',
    got: 'opened',
    most: (time) => NAMES + NAMES_A_SECOND * time,
  },
  {
    name: 'costliest messages of 64 KiB',
    lanes: 25,
    step: (c) => sent(c, costly[c.number % costly.length], [`c-${c.number % 500}`]),
  },
  {
    name: 'paths of 15,000 slashes',
    lanes: 100,
    step: (c) => statusOf(c, '/'.repeat(15_000), { method: 'POST' }),
    seeks: '404',
  },
  { name: '900 simultaneous connects', lanes: 1, step: burst },
  { name: 'messages without an end', lanes: UNFINISHED, step: holdUnfinished },
  {
    name: 'large answers unread',
    lanes: 690,
    // Any flag makes `enter` start a new service, whose memory earlier attacks have not filled.
    flags: ['--log-level', 'warn'],
    step: leaveUnread,
    breach: ({ tally, memoryMb }) =>
      (!(tally.unread > 0) && 'no answer was left unread, so the result proves nothing') ||
      (memoryMb > MOST_MEMORY_MB && `the service used ${memoryMb} MB; the limit is ${MOST_MEMORY_MB}`),
  },
  {
    name: 'X-Forwarded-For garbage',
    lanes: 8,
    address: '127.0.0.1',
    flags: ['--trust-proxy', '127.0.0.1'],
    seeks: '200',
    step: forward,
    got: '200',
    most: (time) => FETCHES * FORWARDED_CLIENTS * windowsIn(time),
  },
  {
    name: 'store quota of 1 MiB',
    lanes: 4,
    maxSteps: 400,
    seeks: '452',
    flags: ['--store-quota', '1MiB', '--max-message', '64KiB'],
    fillsStore: true,
    step: (c) =>
      sent(
        c,
        SMALL_MAIL,
        Array.from({ length: RECIPIENTS }, (_, n) => `row-${c.number}-${n}`),
      ),
    breach: ({ storeBytes }) => storeBytes > MOST_STORE_BYTES && `the store is too large: ${storeBytes} bytes`,
  },
];

/** Returns a sentence if the attacker exceeded a limit, or never got the response that it seeks; otherwise null. */
export function breachOf({ seeks, got, most, breach }, facts) {
  const seconds = facts.elapsedMs / 1_000 + 1;
  if (seeks !== undefined && !(facts.tally[seeks] > 0)) return `the attacker got no ${seeks}, so this proves nothing`;
  if (got !== undefined && facts.tally[got] > most(seconds))
    return `the attacker got ${got} ${facts.tally[got]} times in ${seconds.toFixed(1)} s; at most ${Math.floor(most(seconds))} are allowed`;
  return breach?.(facts) || null;
}

function windowsIn(seconds) {
  return 1 + Math.floor((seconds * 1_000) / WINDOW_MS);
}

function inbox(name) {
  return `/api/inbox/${name}`;
}

function at(name) {
  return `${name}@inbox.example.com`;
}

/** Resolves to the status of a request, or to `cut` for an incomplete response. */
async function statusOf({ service, address, agent, signal }, path, options = {}) {
  const { status, body } = await request(service, path, { localAddress: address, agent, signal, ...options });
  if (body === null) signal.throwIfAborted();
  return body === null ? 'cut' : String(status);
}

/** Opens a stream. Closes it after its first data, or leaves it open if `isHeld`. */
async function streamed({ service, address, signal }, path, isHeld) {
  const response = await open(service, path, { localAddress: address, signal });
  response.on('error', () => {});
  if (response.statusCode !== 200) response.resume();
  else await Promise.race([once(response, isHeld ? 'close' : 'data'), once(response, 'close')]);
  response.destroy();
  return response.statusCode === 200 ? 'opened' : String(response.statusCode);
}

/** Sends a message and resolves to the reply's code. */
async function sent({ service, address, signal }, mail, inboxes) {
  signal.throwIfAborted();
  return replyTo(async () => {
    await deliver(service, mail, inboxes.map(at), { localAddress: address });
    return '250';
  });
}

/** Resolves to the code of the reply that `act` gets, even if that is a rejection. */
async function replyTo(act) {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RefusedError) return String(error.code);
    throw error;
  }
}

function tryKey(context) {
  const headers = { authorization: `Bearer wrong-key-number-${context.number}` };
  return statusOf(context, context.number % 2 === 0 ? '/healthz' : `${inbox('x')}/stream`, { headers });
}

/** Fills an inbox with emails whose bodies are as long as the part that filters search. */
async function fill({ service }) {
  const body = 'The quick brown fox jumps over the lazy dog. '.repeat(111);
  for (let n = 0; n < 10; n++) {
    const mail = Buffer.from(`From: app@bench.test\r\nSubject: ${n}\r\n\r\n${body.slice(0, 900)}\r\n${body}\r\n`);
    await deliver(service, mail, Array(RECIPIENTS).fill(at(FULL_INBOX)), FILLER);
  }
}

async function fillLarge(context) {
  const link = '<p>Your <b>code</b> is 482913, <a href="https://a.test/verify?t=1">verify</a></p>\r\n';
  const mail = filled('Subject: large\r\nContent-Type: text/html\r\n\r\n', link);
  await deliver(context.service, mail, [at(LARGE_INBOX)], FILLER);
  const { body } = await request(context.service, `${inbox(LARGE_INBOX)}/summary`, FILLER);
  context.large = `${inbox(LARGE_INBOX)}/${/"receivedAt":"([^"]+)"/.exec(body)[1]}`;
}

/** Opens many silent connections and closes them a second later. */
async function burst({ service: { host, httpPort, smtpPort }, number, address, signal }) {
  const port = number % 2 === 0 ? httpPort : smtpPort;
  const sockets = Array.from({ length: 900 }, () => connect({ host, port, localAddress: address }));
  for (const socket of sockets) socket.on('error', () => {}).resume();
  await delay(1_000, undefined, { signal }).catch(() => {});
  for (const socket of sockets) socket.destroy();
  return 'burst';
}

async function holdUnfinished({ service, address, number, signal }) {
  const connection = new SmtpConnection(service, { localAddress: address, timeoutMs: 120_000 });
  try {
    return await replyTo(async () => {
      await connection.greet();
      await connection.begin([at(`unfinished-${number % UNFINISHED}`)]);
      await connection.write(Buffer.alloc(UNFINISHED_BYTES, 'a line of a message that never ends\r\n'));
      const refused = connection.reply();
      refused.catch(() => {});
      while (!signal.aborted) {
        await Promise.race([refused, delay(LINE_EVERY_MS, undefined, { signal }).catch(() => {})]);
        connection.write('and one more\r\n');
      }
      return 'held';
    });
  } finally {
    connection.close();
  }
}

/** Pipelines requests and reads slowly, until the phase or the connection ends. */
async function leaveUnread({ service: { host, httpPort }, address, signal }) {
  const socket = connect({ host, port: httpPort, localAddress: address })
    .on('error', () => {})
    .pause();
  socket.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(32));
  const reading = setInterval(() => socket.read(600) ?? socket.read(), 2_000);
  try {
    await once(socket, 'close', { signal });
    return 'cut';
  } catch {
    return 'unread';
  } finally {
    clearInterval(reading);
    socket.destroy();
  }
}

function forward(context) {
  const n = context.number;
  const ipv6 = `2001:db8::${(1_024 + (n % 60_000)).toString(16)}`;
  const names = [
    `203.0.113.9:${n}`,
    `[${ipv6}]:1`,
    `${ipv6}%eth${n}`,
    `garbage-${n}`,
    `unknown ${n}`,
    `${n}`,
    `300.1.2.${n}`,
  ];
  return statusOf(context, inbox('small'), { headers: { 'x-forwarded-for': names[n % names.length] } });
}
