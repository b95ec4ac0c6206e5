// What users do: a mail in, its parsed content out, once each.
import { cpuMsOf } from '../cpu.js';
import { besideRow, figure } from '../figures.js';
import { KeptConnection } from '../keep-alive.js';
import { readOther } from '../others.js';
import { SENDERS, startSink } from '../postfix.js';
import { endProgram, startScript } from '../programs.js';
import { CODE, htmlMail } from '../sample-mails.js';
import { startService, UNLIMITED } from '../service.js';
import { deliver } from '../smtp.js';

const ROUNDS = 5;
const SHORT_ROUNDS = 2;
const ROUND_MS = 3_000;
const SHORT_ROUND_MS = 700;

/** How long a mail may take to appear where it is read. */
const PATIENCE_MS = 10_000;

/** What the rate should be, as a multiple of another server's, and what a mail may take of the processor's time. */
const PEER_AIMS = { Inbucket: 1.4 };
const CPU_AIM_MS = 0.85;

const BARE = 'smtp-sink and bare Fastify';

export const acceptReadFetch = {
  name: 'accept-read-fetch',
  title: 'A mail in, its parsed content out',
  isBesidePeers: true,
  about:
    `${SENDERS} clients at a time each send a 14 KB HTML mail to an inbox of their own over a new SMTP connection, fetch the inbox ` +
    'over a persistent HTTP connection and read the code. The baseline, in turns, is the same client with servers that do nothing: ' +
    '`smtp-sink`, and a bare Fastify that answers as many bytes.',
  heldBack:
    'the clients share the two cores with the service, and with servers that do nothing they are the bottleneck. A mail takes what it does ' +
    'over a new connection (see there), and 0.09 ms of the processor for a fetch that finds nothing ready.',
  behindOthers:
    'Inbucket and MailHog sync nothing to the disk and extract no code; Inbucket parses the mail once, when it is fetched.',
  run: measurePairs,
};

async function measurePairs({ isShort, progress, others }) {
  const mail = await htmlMail();
  const sink = await startSink();
  const service = await startService(UNLIMITED);
  let bare = null;
  try {
    await deliver(service, mail, ['first@inbox.example.com']);
    const connection = new KeptConnection(service);
    const { body } = await connection.get('/api/inbox/first');
    connection.close();
    bare = await startScript('./beside/bare-fastify.js', { bytes: body.length });
    const nothing = { ...sink, httpPort: bare.said.port, name: BARE, read: (to) => to.get('/') };
    const own = { ...hostOf(service), name: 'lmdb', read: (to, inbox) => readOwn(to, inbox) };
    const targets = [
      own,
      nothing,
      ...others.map((other) => ({ ...other, read: (...from) => untilRead(other, ...from) })),
    ];
    const [rounds, roundMs] = isShort ? [SHORT_ROUNDS, SHORT_ROUND_MS] : [ROUNDS, ROUND_MS];
    const [rates, cpu] = [new Map(), new Map()];
    for (let round = 0; round <= rounds; round++) {
      progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      for (const server of targets) {
        const found = await measureRound(server, mail, { roundMs: round === 0 ? 2 * roundMs : roundMs, round });
        if (round === 0) continue;
        rates.set(server.name, [...(rates.get(server.name) ?? []), found.rate]);
        cpu.set(server.name, [...(cpu.get(server.name) ?? []), found.cpuMs]);
      }
    }
    return { figures: figuresOf(rates, cpu, others), beside: besideOf(rates, cpu, others) };
  } finally {
    if (bare !== null) await endProgram(bare.child);
    await service.stop();
    await sink.stop();
  }
}

function hostOf({ host, smtpPort, httpPort, pid }) {
  return { host, smtpPort, httpPort, pid };
}

async function readOwn(connection, inbox) {
  const { status, body } = await connection.get(`/api/inbox/${inbox}`);
  if (status !== 200) throw new Error(`the fetch was answered with ${status}`);
  if (JSON.parse(body).emails[0]?.otp !== CODE) throw new Error('the mail that was sent is not there');
}

/** Reads the mail of another server's inbox, which may be shown only a while after it was accepted. */
async function untilRead(other, connection, inbox) {
  const tooLate = performance.now() + PATIENCE_MS;
  while (performance.now() < tooLate) {
    if ((await readOther(other, connection, inbox))?.includes(CODE)) return;
  }
  throw new Error(`${other.name}: a mail did not appear`);
}

/** Pairs a second, and the milliseconds of the server's processor time for each. */
async function measureRound(server, mail, { roundMs, round }) {
  const cpuBefore = cpuMsOf(server.pid);
  const startedAt = performance.now();
  let pairs = 0;
  const lane = async (_, number) => {
    const connection = new KeptConnection(server);
    for (let n = 0; performance.now() - startedAt < roundMs; n++) {
      const inbox = `pair-${round}-${number}-${n}-end`;
      await deliver(server, mail, [`${inbox}@inbox.example.com`]);
      await server.read(connection, inbox);
      pairs += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: SENDERS }, lane));
  const rate = (pairs * 1000) / (performance.now() - startedAt);
  return { rate, cpuMs: (cpuMsOf(server.pid) - cpuBefore) / pairs };
}

function figuresOf(rates, cpu, others) {
  const rate = { what: 'in and out, lmdb', unit: 'mails/s', better: 'more', ours: rates.get('lmdb') };
  const time = {
    what: 'in and out, lmdb: processor time of a mail',
    unit: 'ms',
    better: 'less',
    ours: cpu.get('lmdb'),
  };
  return [
    figure({ ...rate, against: BARE, theirs: rates.get(BARE) }),
    ...others.map(({ kind, name }) => {
      const aim = PEER_AIMS[kind] ?? null;
      return figure({ ...rate, against: name, theirs: rates.get(name), aim, isDetail: aim === null });
    }),
    figure({ ...time, aim: CPU_AIM_MS }),
  ];
}

function besideOf(rates, cpu, others) {
  const valuesOf = (found) => ({
    Mayfly: found.get('lmdb'),
    ...Object.fromEntries(others.map(({ name }) => [name, found.get(name)])),
  });
  const subject = `send, then parsed content in hand, ${SENDERS} at a time`;
  return [
    besideRow({ subject, unit: 'mails/s', better: 'more', values: valuesOf(rates) }),
    besideRow({ subject: 'the same: processor time of a mail', unit: 'ms', better: 'less', values: valuesOf(cpu) }),
  ];
}
