// How many fetches of small inboxes a second, beside a bare Fastify.
import { cpuMsOf } from '../cpu.js';
import { besideRow, figure } from '../figures.js';
import { fetchRate, KeptConnection } from '../keep-alive.js';
import { readOther } from '../others.js';
import { endProgram, startScript } from '../programs.js';
import { CODE, htmlMail } from '../sample-mails.js';
import { startService, UNLIMITED } from '../service.js';
import { deliver, SmtpConnection } from '../smtp.js';

const ROUNDS = 7;
const SHORT_ROUNDS = 3;
const ROUND_MS = 1_500;
const SHORT_ROUND_MS = 400;
const CONNECTIONS = 8;

/** More inboxes than the service keeps the JSON of, so that each fetch makes it anew. */
const INBOXES = 1_200;
const SENDERS = 4;

/** How long filling them may take. */
const FILL_MS = 120_000;

const AIMS = { ready: 0.6, none: 0.5 };

export const fetching = {
  name: 'fetch',
  title: 'Fetches',
  isBesidePeers: true,
  about:
    `Fetches a second of inboxes with one 14 KB HTML mail each, over ${CONNECTIONS} persistent connections, in turns with a bare Fastify ` +
    'that answers a buffer of the same size. “Again and again” fetches the same inbox, as polling clients do; “none ready” goes through ' +
    `${INBOXES.toLocaleString('en')} inboxes, so the service has no answer ready.`,
  heldBack:
    'a third is the write to the socket, as in the bare server. Beyond that, with the answer at hand, Fastify with our hooks (limits, ' +
    'keys, checks of the query) takes half as much again as without. Making the JSON takes the rest: its escapes, for LMDB the look-up ' +
    'and a copy of the bytes, and collecting both.',
  behindOthers:
    'MailHog answers the raw mail; access rules, limits and filters of each request take what Mayfly spends more.',
  run: measureFetches,
};

async function measureFetches({ isShort, progress, others }) {
  const [rounds, durationMs] = isShort ? [SHORT_ROUNDS, SHORT_ROUND_MS] : [ROUNDS, ROUND_MS];
  const servers = [];
  let bare = null;
  try {
    for (const store of ['lmdb', 'memory']) servers.push(await startService(UNLIMITED, { store }));
    progress(`filling ${INBOXES} inboxes`);
    for (const service of servers) await fill(service, await htmlMail());
    const connection = new KeptConnection(servers[0]);
    const { body } = await connection.get(inboxPath(0));
    connection.close();
    bare = await startScript('./beside/bare-fastify.js', { bytes: body.length });
    const theirs = { host: '127.0.0.1', httpPort: bare.said.port, pid: bare.child.pid };
    const peers = [];
    for (const other of others) peers.push({ server: other, nextPath: await pathOn(other, await htmlMail()) });
    const measured = [
      ...servers.flatMap((server) => [
        { server, nextPath: () => inboxPath(0) },
        { server, nextPath: inTurn() },
      ]),
      { server: theirs, nextPath: () => inboxPath(0) },
      ...peers,
    ].map((what) => ({ ...what, rates: [], cpu: [] }));
    for (let round = 0; round <= rounds; round++) {
      progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      for (const one of measured) {
        const { rate, cpu } = await measureOnce(one, durationMs);
        if (round === 0) continue;
        one.rates.push(rate);
        one.cpu.push(cpu);
      }
    }
    return { figures: figuresOf(measured), beside: besideOf(measured) };
  } finally {
    if (bare !== null) await endProgram(bare.child);
    for (const service of servers) await service.stop();
  }
}

function inboxPath(number) {
  return `/api/inbox/fetched-${number}`;
}

/** Sends another server one mail, and resolves to what gives the path at which it is read. */
async function pathOn(other, mail) {
  const inbox = 'fetched-0';
  await deliver(other, mail, [`${inbox}@inbox.example.com`]);
  const connection = new KeptConnection(other);
  const tooLate = performance.now() + FILL_MS;
  while (!(await readOther(other, connection, inbox))?.includes(CODE)) {
    if (performance.now() > tooLate) throw new Error(`${other.name}: a mail did not appear`);
  }
  const path = other.pathOf ? await other.pathOf(connection, inbox) : other.path.replaceAll('{inbox}', inbox);
  connection.close();
  return () => path;
}

function inTurn() {
  let next = 0;
  return () => {
    next = (next + 1) % INBOXES;
    return inboxPath(next);
  };
}

/** Delivers a mail to each inbox. */
async function fill(service, mail) {
  let next = 0;
  const send = async () => {
    const connection = new SmtpConnection(service, { timeoutMs: FILL_MS });
    try {
      await connection.greet();
      while (next < INBOXES) {
        const recipient = `fetched-${next}@inbox.example.com`;
        next += 1;
        await connection.send(mail, [recipient]);
      }
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
}

/** Fetches a second, and microseconds of the processor's time for each. */
async function measureOnce({ server, nextPath }, durationMs) {
  const cpu = () => (server.pid === undefined ? Number.NaN : cpuMsOf(server.pid));
  const before = cpu();
  const startedAt = performance.now();
  const rate = await fetchRate(server, nextPath, { connections: CONNECTIONS, durationMs });
  const fetches = (rate * (performance.now() - startedAt)) / 1000;
  return { rate, cpu: (1000 * (cpu() - before)) / fetches };
}

function figuresOf([lmdbAgain, lmdb, memoryAgain, memory, bare]) {
  const cases = [
    ['lmdb, again and again', lmdbAgain, AIMS.ready],
    ['lmdb, none ready', lmdb, AIMS.none],
    ['memory, again and again', memoryAgain, AIMS.ready],
    ['memory, none ready', memory, AIMS.none],
  ];
  const rates = { unit: 'fetches/s', better: 'more', against: 'bare Fastify', theirs: bare.rates };
  const times = { unit: 'µs', better: 'less', against: 'bare Fastify', theirs: bare.cpu };
  return [
    ...cases.map(([what, { rates: ours }, aim]) => figure({ ...rates, what: `one 14 KB mail, ${what}`, ours, aim })),
    ...cases.map(([what, { cpu }]) => figure({ ...times, what: `processor time, ${what}`, ours: cpu })),
  ];
}

function besideOf([lmdbAgain, , , , , ...peers]) {
  const values = Object.fromEntries(peers.map(({ server, rates }) => [server.name, rates]));
  const what = { subject: 'fetches of one mail', unit: 'fetches/s', better: 'more' };
  return [besideRow({ ...what, values: { Mayfly: lmdbAgain.rates, ...values } })];
}
