// What more processes and machines bring: one process, all cores, a store on Redis and nodes on it, beside each other.
import os from 'node:os';
import { figure, median } from '../figures.js';
import { mailFile, sendMails } from '../postfix.js';
import { MissingProgramError } from '../programs.js';
import { measureRedisMemory } from '../redis-memory.js';
import { htmlMail, textMail } from '../sample-mails.js';
import { quantile } from '../statistics.js';
import { TOPOLOGIES } from '../topologies.js';
import { onStream } from './delivery.js';
import { AIM_MS } from './nodes.js';

const FULL = { rounds: 3, mails: 1_500, warmUp: 1_500, samples: 1_000, emails: 10_000, streams: 5_000 };
const SHORT = { rounds: 2, mails: 300, warmUp: 300, samples: 100, emails: 2_000, streams: 1_000 };

/** What all others are measured beside. */
const REFERENCE = TOPOLOGIES[0].name;

const KINDS = [
  { mail: '14 KB HTML', make: htmlMail, isDetail: false },
  { mail: '2 KB text', make: textMail, isDetail: true },
];

export const scale = {
  name: 'scale',
  title: 'Past one process and one machine',
  about:
    'Processor time of a mail, of all nodes and of all Redis servers, and the milliseconds from opening an SMTP connection at one node ' +
    'to the email on a stream at another. Mail comes from `smtp-source`, 20 at a time over persistent connections, spread evenly over the ' +
    'nodes, in turns. **The load generator, every node and every Redis server share the cores of one machine**, so rates say nothing ' +
    'about two machines and stand in bench/results.json alone; a node with a core to itself takes as many mails as fit into its seconds. ' +
    'Mail is parsed, extracted and stored before its 250. Redis keeps it in memory unless “all written down” says that it syncs to the ' +
    'disk first; a replica, if there is one, has it before the 250. Memory of an email is the growth of `used_memory`, memory of a ' +
    'stream the growth of its node and of the server with thousands open.',
  heldBack:
    "the p99 of a stream follows the machine's other work: in the same rounds it moves with that of one process, which has nothing " +
    'between SMTP and stream.',
  run: measureScale,
};

async function measureScale({ isShort, progress }) {
  const pace = isShort ? SHORT : FULL;
  const running = [];
  const keep = (one) => {
    running.push(one);
    return one;
  };
  const missing = [];
  try {
    const started = [];
    for (const { name, isSpread, start } of TOPOLOGIES) {
      try {
        started.push({ name, isSpread, redis: [], ...(await start(keep)) });
      } catch (error) {
        if (!(error instanceof MissingProgramError)) throw error;
        missing.push(`${name}: not measured, ${error.message}`);
      }
    }
    const figures = [];
    const busy = [];
    for (const kind of KINDS) {
      const found = await measureRates(started, kind, pace, (sentence) => progress(`${kind.mail}, ${sentence}`));
      figures.push(...found.figures);
      busy.push(...found.busy);
    }
    for (const topology of started) {
      progress(`streams, ${topology.name}`);
      figures.push(...(await measureWaits(topology, pace)));
    }
    if (missing.length === 0) figures.push(...(await measureRedisMemory(KINDS, pace, progress)));
    return { figures, text: [...busy, ...missing].join('\n') };
  } finally {
    for (const one of running.toReversed()) await one.stop();
  }
}

/** Rates and processor times of one kind of mail, by turns. */
async function measureRates(started, { mail, make, isDetail }, { rounds, mails, warmUp }, progress) {
  const { file, remove } = mailFile(await make());
  const measured = new Map(started.map(({ name }) => [name, []]));
  try {
    for (let round = 0; round <= rounds; round++) {
      progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      for (const topology of started) {
        const name = `${make.name}-${round}`.toLowerCase();
        // Every node takes as many beforehand: what V8 has compiled is its own.
        const count = round === 0 ? warmUp * topology.nodes.length : mails;
        const found = await measureRound(topology, { file, mails: count, name });
        if (round > 0) measured.get(topology.name).push(found);
      }
    }
  } finally {
    remove();
  }
  const valuesOf = (name, what) => measured.get(name)?.map((found) => found[what]);
  const figures = started.flatMap(({ name, redis }) => {
    const beside = (what) => (name === REFERENCE ? {} : { against: REFERENCE, theirs: valuesOf(REFERENCE, what) });
    const rate = { unit: 'mails/s', better: 'more', ours: valuesOf(name, 'rate'), ...beside('rate') };
    const cpu = { unit: 'ms', better: 'less', ours: valuesOf(name, 'nodesMs'), ...beside('nodesMs') };
    const ofRedis = { unit: 'ms', better: 'less', ours: valuesOf(name, 'redisMs') };
    return [
      // The rates tell of this one machine alone: the document has what carries over.
      figure({ what: `${mail}, ${name}`, ...rate, isDetail: true }),
      figure({ what: `${mail}, ${name}: processor time of a mail, nodes`, ...cpu, isDetail }),
      ...(redis.length > 0
        ? [figure({ what: `${mail}, ${name}: processor time of a mail, Redis`, ...ofRedis, isDetail })]
        : []),
    ];
  });
  return { figures, busy: started.map(({ name }) => `${mail}, ${name}: ${busyOf(measured.get(name))}`) };
}

/** Sends the mails, an equal share to each node, and resolves to the rate and the cost. */
async function measureRound({ nodes, redis }, { file, mails, name }) {
  const cpuOf = (processes) => processes.reduce((sum, one) => sum + one.cpuMs(), 0);
  const [ofNodes, ofRedis, ofMachine] = [cpuOf(nodes), cpuOf(redis), machineMs()];
  const startedAt = performance.now();
  const each = Math.ceil(mails / nodes.length);
  const how = { file, mails: each, isPersistent: true };
  await Promise.all(nodes.map((node, n) => sendMails(node, { ...how, name: `${name}-${n}` })));
  const tookMs = performance.now() - startedAt;
  const sent = each * nodes.length;
  const [nodesMs, redisMs] = [cpuOf(nodes) - ofNodes, cpuOf(redis) - ofRedis];
  return {
    rate: (sent * 1_000) / tookMs,
    nodesMs: nodesMs / sent,
    redisMs: redisMs / sent,
    busy: [nodesMs, redisMs, machineMs() - ofMachine - nodesMs - redisMs].map((ms) => ms / tookMs),
  };
}

/** Milliseconds of processor time that the machine has spent on anything, all cores together. */
function machineMs() {
  return os.cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

/** Which processors were busy with what, in words. */
function busyOf(rounds) {
  const [nodes, redis, rest] = [0, 1, 2].map((part) => median(rounds.map(({ busy }) => busy[part])).toFixed(2));
  return `busy with nodes ${nodes}, Redis ${redis}, the rest ${rest} of ${os.availableParallelism()} cores`;
}

/** Mail into the first node, a stream on the last: one after the other. */
async function measureWaits({ name, nodes, isSpread }, { samples }) {
  const [first, last] = [nodes[0], nodes.at(-1)];
  const service = { host: first.host, smtpPort: first.smtpPort, httpPort: last.httpPort };
  const mail = await textMail();
  const times = [];
  for (let n = -samples / 10; n < samples; n++) {
    const took = await onStream(service, mail);
    if (n >= 0) times.push(took);
  }
  const how = { unit: 'ms', better: 'less' };
  return [
    figure({ what: `from SMTP to a stream, ${name}, p50`, ...how, ours: quantile(times, 0.5), isDetail: true }),
    figure({
      what: `from SMTP to a stream, ${name}, p99`,
      ...how,
      ours: quantile(times, 0.99),
      aim: isSpread ? AIM_MS : null,
    }),
  ];
}
