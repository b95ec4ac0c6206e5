// Mail that is costly to read, connections that are opened for nothing, and mails that never end.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { COSTLIEST, hostileMail } from '../hostile-mails.js';
import { at } from '../preparation.js';
import { deliver, RefusedError, SmtpConnection } from '../smtp.js';

/** As many bytes as a mail may have that a service may read without handing it to a thread. */
const COSTLY_BYTES = 64 * 1024;
const COSTLY_CONNECTIONS = 25;
const COSTLY_INBOXES = 500;

/**
 * How many connections a second are opened, and how long each is held: so twice as many are open as one client may
 * have.
 */
const CONNECTS_A_SECOND = 400;
const HELD_CONNECTIONS = 100;
const HELD_MS = (1000 * HELD_CONNECTIONS) / CONNECTS_A_SECOND;

/**
 * How many mails are held unfinished: as many as one client may have connections. Together they nearly fill
 * `max-in-flight`: the service drops a mail that exceeds it, which would free its room. Each sends a line before it
 * counts as idle.
 */
const UNFINISHED = 50;
const MAX_IN_FLIGHT_BYTES = 256 * 2 ** 20;
const UNFINISHED_BYTES = Math.floor(MAX_IN_FLIGHT_BYTES / UNFINISHED);
const LINE_EVERY_MS = 20_000;

/** How long bytes may take from the system's buffers to the service. */
const ARRIVING_MS = 3_000;

/** How long a connection may be held. */
const HOLDING_MS = 120_000;

/** The service treats this address as a balancer: its connections begin with a header that names the client. */
const BALANCER = '127.0.250.1';

/**
 * As many connections as may wait for their header, and how often each sends a byte of one. None is whole in the five
 * seconds it has.
 */
const STALLED = 500;
const BYTE_EVERY_MS = 4_000;

/** Names that ask for failures: as many as are counted at once, each with a counter of its own. */
const REHEARSING_NAMES = 10_000;
const REHEARSING_CONNECTIONS = 25;

/** Late replies held open: as many as one client may have connections, and some more. */
const DELAYS = 60;

export const SMTP_ATTACKS = [
  { name: 'costliest mails of 64 KiB', lanes: COSTLY_CONNECTIONS, step: sendCostly },
  { name: '400 connects a second', lanes: HELD_CONNECTIONS, step: connectAndHold },
  { name: 'mails without an end', lanes: UNFINISHED, prepare: prepareUnfinished, step: holdUnfinished },
  {
    name: '10,000 names that ask for failures',
    lanes: REHEARSING_CONNECTIONS,
    maxSteps: 2 * REHEARSING_NAMES,
    flags: ['--rehearsals'],
    step: sendToRehearsing,
  },
  { name: 'late replies held open', lanes: DELAYS, flags: ['--rehearsals'], step: holdDelay },
  {
    name: 'a balancer that stalls',
    lanes: STALLED,
    address: BALANCER,
    flags: ['--smtp-proxy', BALANCER],
    step: stall,
  },
];

const costly = COSTLIEST.map((name) => hostileMail(name, COSTLY_BYTES));

async function sendCostly({ service, address, number, signal }) {
  signal.throwIfAborted();
  const mail = costly[number % costly.length];
  return got(() =>
    deliver(service, mail, [at(`costly-${number % COSTLY_INBOXES}`)], { localAddress: address }).then(() => '250'),
  );
}

const small = Buffer.from('Subject: rehearsed\r\n\r\nYour code is 482913');

/** Each name twice: the first time it refuses, the second it loses the reply. */
async function sendToRehearsing({ service, address, number, signal }) {
  signal.throwIfAborted();
  const to = at(`r-${number % REHEARSING_NAMES}--451x1--lost250`);
  return got(() => deliver(service, small, [to], { localAddress: address }).then(() => '250'));
}

async function holdDelay({ service, address, number, signal }) {
  const options = { localAddress: address, timeoutMs: HOLDING_MS };
  const connection = new SmtpConnection(service, options);
  try {
    return await got(async () => {
      await connection.greet();
      const sent = connection.send(small, [at(`d-${number}--delay60s`)]).then(() => '250');
      return Promise.race([sent, once(signal, 'abort').then(() => 'held')]);
    });
  } finally {
    connection.close();
  }
}

/** Every step takes the same time, whatever the reply, so the rate of steps is fixed. */
async function connectAndHold({ service, address, signal }) {
  const connection = new SmtpConnection(service, { localAddress: address });
  let answer = 'silence';
  const greeted = got(() => connection.reply().then(() => '220'));
  greeted.then(
    (code) => {
      answer = code;
    },
    (error) => {
      answer = error.code ?? error.message;
    },
  );
  try {
    await delay(HELD_MS, undefined, { signal });
    return answer;
  } finally {
    connection.close();
  }
}

/**
 * Holds all of them before the phase begins, as far as the service lets it: filling them takes longer than a short
 * phase.
 */
async function prepareUnfinished(context) {
  const numbers = Array.from({ length: UNFINISHED }, (_, n) => n);
  const begun = await Promise.all(numbers.map((number) => beginUnfinished(context, number)));
  // Every step takes one of these, and a new one once they are used up, for their connections may have been closed.
  context.unfinished = begun.filter((connection) => connection !== null);
  await delay(ARRIVING_MS);
}

async function holdUnfinished({ unfinished, signal, ...context }) {
  const connection = unfinished.pop() ?? (await beginUnfinished(context, context.number));
  if (connection === null) return '421';
  try {
    return await got(async () => {
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

/**
 * Opens a connection of the balancer and sends nothing, or its header by one byte every four seconds, until it is sent
 * away.
 */
async function stall({ service, address, number, signal }) {
  const connection = new SmtpConnection(service, { localAddress: address, timeoutMs: HOLDING_MS });
  const refused = got(() => connection.reply().then(() => '220'));
  const header = number % 2 === 0 ? '' : 'PROXY TCP4';
  try {
    for (let at = 0; ; at++) {
      connection.write(header.charAt(at));
      const code = await Promise.race([refused, delay(BYTE_EVERY_MS, null, { signal })]);
      if (code !== null) return code;
    }
  } finally {
    connection.close();
  }
}

/** A connection with the beginning of a mail, or null when it was refused before. */
async function beginUnfinished({ service, address }, number) {
  const connection = new SmtpConnection(service, { localAddress: address, timeoutMs: HOLDING_MS });
  try {
    await connection.greet();
    await connection.begin([at(`unfinished-${number % UNFINISHED}`)]);
    await connection.write(Buffer.alloc(UNFINISHED_BYTES, 'a line of a mail that never ends\r\n'));
    return connection;
  } catch (error) {
    connection.close();
    if (error instanceof RefusedError) return null;
    throw error;
  }
}

/** What the server said: the code of a refusal is an answer too. */
async function got(act) {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RefusedError) return String(error.code);
    throw error;
  }
}
