// Connections: many at once, and such as ask for much and read nearly nothing of it.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { at, newestIn } from '../preparation.js';
import { deliver } from '../smtp.js';

/**
 * How many connections are opened at once, and how long they are kept. Each burst begins when the one before is closed.
 */
const BURST = 900;
const BURST_MS = 1_000;

/** How many requests are sent on a connection without waiting for answers, and how slowly these are read. */
const PIPELINED = 32;
const READ_EVERY_MS = 2_000;
const READ_BYTES = 600;

/** How many connections ask for large answers, and from how many addresses how many ask for small ones. */
const LARGE_CONNECTIONS = 690;
const SMALL_CONNECTIONS = 1_800;
const SMALL_CLIENTS = 60;

/** The inbox with the email that is a small answer: of somewhat less than 16 KiB. */
const SMALL_INBOX = 'unread';
const SMALL_EMAIL_BYTES = 9_000;

/** What the documentation says that the defaults run in. */
const MOST_MEMORY_MB = 512;

export const CONNECTION_ATTACKS = [
  { name: `${BURST} HTTP connects at once`, lanes: 1, step: (context) => burst(context, context.service.httpPort) },
  { name: `${BURST} SMTP connects at once`, lanes: 1, step: (context) => burst(context, context.service.smtpPort) },
  {
    name: 'large answers unread',
    lanes: LARGE_CONNECTIONS,
    // A service of its own, whose memory holds nothing of other attacks.
    flags: ['--log-level', 'warn'],
    step: (context) => leaveUnread(context, '/openapi.json'),
    breach: tooMuchMemory,
  },
  {
    name: 'small answers unread',
    lanes: SMALL_CONNECTIONS,
    flags: ['--log-level', 'warn', '--fetch-limit', '20/10s'],
    prepare: prepareSmall,
    step: ({ small, ...context }) =>
      leaveUnread({ ...context, address: `127.1.0.${1 + (context.number % SMALL_CLIENTS)}` }, small),
    breach: tooMuchMemory,
  },
];

/** Opens many connections at once, says nothing on them and closes them. */
async function burst({ service, address, signal }, port) {
  const sockets = Array.from({ length: BURST }, () => opened(service.host, port, address).resume());
  await delay(BURST_MS, undefined, { signal }).catch(() => {});
  for (const socket of sockets) socket.destroy();
  return 'burst';
}

/** Delivers the email that is asked for. */
async function prepareSmall(context) {
  const text = `${'y'.repeat(68)}\r\n`.repeat(SMALL_EMAIL_BYTES / 70);
  await deliver(context.service, Buffer.from(`Subject: small\r\n\r\n${text}`), [at(SMALL_INBOX)]);
  context.small = `/api/inbox/${SMALL_INBOX}/${await newestIn(context.service, SMALL_INBOX)}`;
}

/** Asks many times at once, and reads a little now and then, until the phase or the connection is over. */
async function leaveUnread({ service, address, signal }, path) {
  const socket = opened(service.host, service.httpPort, address).pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(PIPELINED));
  const reading = setInterval(() => socket.read(READ_BYTES) ?? socket.read(), READ_EVERY_MS);
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

function opened(host, port, localAddress) {
  return connect({ host, port, localAddress }).on('error', () => {});
}

function tooMuchMemory({ tally, memoryMb }) {
  if (!(tally.unread > 0)) return 'nothing was left unread, so nothing was shown';
  return memoryMb > MOST_MEMORY_MB
    ? `the service took ${memoryMb} MB; ${MOST_MEMORY_MB} are said to carry the defaults`
    : null;
}
