// How many mails a second are taken, beside smtp-sink, which only discards them.

import { cpuMsOf } from '../cpu.js';
import { besideRow, figure } from '../figures.js';
import { countRight } from '../keep-alive.js';
import { mailFile, SENDERS, sendMails, startSink } from '../postfix.js';
import { CODE, htmlMail, textMail } from '../sample-mails.js';
import { startService, UNLIMITED } from '../service.js';

const ROUNDS = 5;
const SHORT_ROUNDS = 2;
const MAILS = 2_000;
const SHORT_MAILS = 300;

/**
 * Mails sent beforehand that do not count. V8 compiles hot code: the first 500 mails of a service take five times the
 * processor time of those behind the 5,000th, and services run for days. A short run is not that patient.
 */
const WARM_UP = 5_000;
const SHORT_WARM_UP = 600;

/** How many connections look whether every mail arrived. */
const LOOKING = 8;

const KINDS = [
  {
    mail: '14 KB HTML',
    make: htmlMail,
    aims: { new: 0.4, persistent: 0.38 },
    cpuAims: { new: 0.95, persistent: 0.5 },
    isBesidePeers: true,
  },
  { mail: '2 KB text', make: textMail, aims: { new: 0.5, persistent: 0.5 }, cpuAims: {}, isBesidePeers: false },
];

/** What the rate over new connections should be, as a multiple of another server's. */
const PEER_AIMS = { MailHog: 1 };

export const ingest = {
  name: 'ingest',
  title: 'Mail coming in',
  isBesidePeers: true,
  about:
    `Mails a second from Postfix's \`smtp-source\`, ${SENDERS} at a time, each over a new connection or all over persistent ones, in ` +
    'turns with `smtp-sink`, which reads and discards. Before its 250, Mayfly has parsed the mail, extracted its code and link, and ' +
    'synced it to the disk (`lmdb`) or kept it in memory. Each mail has an inbox of its own, and after the run ' +
    `all are fetched. Each server warms up with ${WARM_UP} of the same mails. The processor ` +
    'time is that of the server and all of its threads.',
  behindOthers:
    'Inbucket appends the bytes to a list in memory and looks into none of them before it is asked; `smtp-sink`, which does nothing at ' +
    'all, bounds it. Before its 250, Mayfly has parsed the mail, extracted its code and link, and synced it to the disk.',
  heldBack:
    'of the processor time of a 14 KB mail over a new connection, the main thread takes 43 % (a third of that in the kernel: sockets, and ' +
    'switching between threads; outside of it no function takes more than 2 %), the thread that parses 37 %, the four threads of LMDB ' +
    "and libuv 11 %, V8's helpers, which compile and collect, 8 % (perf, 2026-11-25, on a busy machine).",
  run: measureIngest,
};

async function measureIngest({ isShort, progress, others }) {
  const started = [];
  const start = async (starting) => {
    const server = await starting;
    started.push(server);
    return server;
  };
  try {
    const sink = await start(startSink());
    const ours = [
      { name: 'lmdb', server: await start(startService(UNLIMITED)) },
      { name: 'memory', server: await start(startService(UNLIMITED, { store: 'memory' })) },
    ];
    const theirs = others.map((server) => ({ name: server.name, server }));
    const figures = [];
    const beside = [];
    for (const kind of KINDS) {
      for (const way of ['new', 'persistent']) {
        progress(`${kind.mail}, ${way}`);
        const targets = [{ name: 'smtp-sink', server: sink }, ...ours, ...(kind.isBesidePeers ? theirs : [])];
        const { rates, cpu, what } = await measureKind(targets, kind, way, { isShort, ours });
        figures.push(...figuresOf(rates, what, { aim: kind.aims[way], others, way }));
        figures.push(...cpuFiguresOf(cpu, what, kind.cpuAims[way]));
        if (kind.isBesidePeers) beside.push(...besideOf({ rates, cpu }, what, others));
      }
    }
    return { figures, beside };
  } finally {
    for (const server of started) await server.stop();
  }
}

async function measureKind(targets, { mail, make }, way, { isShort, ours }) {
  const { file, remove } = mailFile(await make());
  const [rounds, mails, warmUp] = isShort ? [SHORT_ROUNDS, SHORT_MAILS, SHORT_WARM_UP] : [ROUNDS, MAILS, WARM_UP];
  const rates = new Map(targets.map(({ name }) => [name, []]));
  const cpu = new Map(targets.map(({ name }) => [name, []]));
  const inboxOf = (round) => `${make.name}-${way}-${round}`.toLowerCase();
  try {
    const how = { file, isPersistent: way === 'persistent' };
    for (const { server } of targets) await sendMails(server, { ...how, mails: warmUp, name: inboxOf(0) });
    for (let round = 1; round <= rounds; round++) {
      for (const { name, server } of targets) {
        const before = cpuOf(server);
        const rate = await sendMails(server, { ...how, mails, name: inboxOf(round) });
        rates.get(name).push(rate);
        cpu.get(name).push((cpuOf(server) - before) / mails);
      }
    }
  } finally {
    remove();
  }
  for (const { name, server } of ours)
    await checkAllArrived(server, name, [warmUp, ...Array(rounds).fill(mails)], inboxOf);
  const what = `${mail}, ${way === 'new' ? 'new connections' : 'persistent'}`;
  return { rates, cpu, what };
}

/** Without a process id, only the ports of a server are known. */
function cpuOf({ pid }) {
  return pid === undefined ? Number.NaN : cpuMsOf(pid);
}

/** `sent` is how many mails were sent in each round, the warm-up first. */
async function checkAllArrived(server, name, sent, inboxOf) {
  const paths = sent.flatMap((mails, round) =>
    Array.from({ length: mails }, (_, mail) => `/api/inbox/${mail + 1}${inboxOf(round)}`),
  );
  const isRight = (body) => body.includes('"count":1}') && body.includes(`"otp":"${CODE}"`);
  const right = await countRight(server, paths, isRight, { connections: LOOKING });
  if (right < paths.length) throw new Error(`${name}: only ${right} of ${paths.length} mails arrived`);
}

function figuresOf(rates, what, { aim, others, way }) {
  const theirs = rates.get('smtp-sink');
  const beside = { unit: 'mails/s', better: 'more', against: 'smtp-sink', theirs };
  const ours = rates.get('lmdb');
  const found = [
    figure({ what: `${what}, lmdb`, ...beside, ours, aim }),
    figure({ what: `${what}, memory`, ...beside, ours: rates.get('memory') }),
  ];
  for (const { name, kind } of others.filter((other) => rates.has(other.name))) {
    const peer = { against: name, theirs: rates.get(name), aim: way === 'new' ? (PEER_AIMS[kind] ?? null) : null };
    found.push(figure({ what: `${what}, lmdb`, ...beside, ours, ...peer, isDetail: peer.aim === null }));
  }
  return found;
}

function cpuFiguresOf(cpu, what, aim) {
  const beside = { unit: 'ms', better: 'less', against: 'smtp-sink', theirs: cpu.get('smtp-sink') };
  return ['lmdb', 'memory'].map((name) =>
    figure({
      what: `${what}, ${name}: processor time of a mail`,
      ...beside,
      ours: cpu.get(name),
      ...(name === 'lmdb' && aim !== undefined && { aim, judges: 'value' }),
    }),
  );
}

function besideOf({ rates, cpu }, what, others) {
  const valuesOf = (found) => ({
    Mayfly: found.get('lmdb'),
    ...Object.fromEntries(others.map(({ name }) => [name, found.get(name)])),
  });
  return [
    besideRow({ subject: `accept, ${what}`, unit: 'mails/s', better: 'more', values: valuesOf(rates) }),
    besideRow({ subject: 'the same: processor time of a mail', unit: 'ms', better: 'less', values: valuesOf(cpu) }),
  ];
}
