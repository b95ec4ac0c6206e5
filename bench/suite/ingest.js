// Measures received messages a second, compared with smtp-sink, which discards them.
import { cpuMsOf } from '../cpu.js';
import { figure } from '../figures.js';
import { countRight } from '../http.js';
import { mailFile, SENDERS, sendMails, startSink } from '../postfix.js';
import { CODE, htmlMail, textMail } from '../sample-mails.js';
import { startService, UNLIMITED } from '../service.js';

const [ROUNDS, SHORT_ROUNDS] = [5, 2];
const [MAILS, SHORT_MAILS] = [2_000, 300];

/** Messages of the warm-up. A service's first 500 messages take five times the CPU time of those after the 5,000th. */
const [WARM_UP, SHORT_WARM_UP] = [5_000, 600];

const LOOKING = 8;

const KINDS = [
  { mail: '14 KB HTML', make: htmlMail, isBesidePeers: true },
  { mail: '2 KB text', make: textMail, isBesidePeers: false },
];

export const benchmark = {
  name: 'ingest',
  title: 'Receiving',
  isBesidePeers: true,
  about:
    `Messages a second from Postfix's \`smtp-source\`, ${SENDERS} at a time, over new or persistent connections, alternating with ` +
    '`smtp-sink`, which discards them. Before its 250, Mayfly has parsed the message, extracted code and link, and synced it ' +
    'to disk (`lmdb`) or stored it in memory. Each message has its own inbox, and is fetched after the run. Each server ' +
    `warms up with ${WARM_UP} messages. The processor time includes all threads of the server.`,
  run,
};

async function run({ isShort, progress, others }) {
  const started = [];
  const start = async (name, starting) => {
    started.push({ name, server: await starting });
    return started.at(-1);
  };
  try {
    const sink = await start('smtp-sink', startSink());
    const ours = [
      await start('lmdb', startService(UNLIMITED)),
      await start('memory', startService(UNLIMITED, { store: 'memory' })),
    ];
    const theirs = others.map((server) => ({ name: server.name, server }));
    const figures = [];
    for (const kind of KINDS) {
      for (const way of ['new connections', 'persistent']) {
        progress(`${kind.mail}, ${way}`);
        const baselines = [sink, ...(kind.isBesidePeers ? theirs : [])];
        const found = await measureKind([...baselines, ...ours], kind, way, { isShort, ours });
        figures.push(...figuresOf(found, `${kind.mail}, ${way}`, baselines));
      }
    }
    return figures;
  } finally {
    for (const { server } of started) await server.stop();
  }
}

/** Resolves to the rates and CPU times by server. */
async function measureKind(targets, { mail, make }, way, { isShort, ours }) {
  const { file, remove } = mailFile(await make());
  const [rounds, mails, warmUp] = isShort ? [SHORT_ROUNDS, SHORT_MAILS, SHORT_WARM_UP] : [ROUNDS, MAILS, WARM_UP];
  const [rates, cpu] = [0, 1].map(() => Object.fromEntries(targets.map(({ name }) => [name, []])));
  const inboxOf = (round) => `${mail}-${way}-${round}`.toLowerCase().replaceAll(' ', '');
  try {
    const how = { file, isPersistent: way === 'persistent' };
    for (const { server } of targets) await sendMails(server, { ...how, mails: warmUp, name: inboxOf(0) });
    for (let round = 1; round <= rounds; round++) {
      for (const { name, server } of targets) {
        const before = cpuMsOf(server.pid);
        rates[name].push(await sendMails(server, { ...how, mails, name: inboxOf(round) }));
        cpu[name].push((cpuMsOf(server.pid) - before) / mails);
      }
    }
  } finally {
    remove();
  }
  for (const one of ours) await checkAllArrived(one, [warmUp, ...Array(rounds).fill(mails)], inboxOf);
  return { rates, cpu };
}

/** Checks that all messages arrived. `sent` has the number of messages of each round, the warm-up first. */
async function checkAllArrived({ name, server }, sent, inboxOf) {
  const paths = sent.flatMap((mails, round) =>
    Array.from({ length: mails }, (_, mail) => `/api/inbox/${mail + 1}${inboxOf(round)}`),
  );
  const isRight = (body) => body.includes('"count":1}') && body.includes(`"otp":"${CODE}"`);
  const right = await countRight(server, paths, isRight, { connections: LOOKING });
  if (right < paths.length) throw new Error(`${name}: only ${right} of ${paths.length} messages arrived`);
}

function figuresOf({ rates, cpu }, what, baselines) {
  return baselines.flatMap(({ name: against }) =>
    ['lmdb', 'memory'].flatMap((store) => [
      figure({
        what: `${what}, ${store}`,
        ...{ unit: 'messages/s', better: 'more', ours: rates[store], against, theirs: rates[against] },
      }),
      figure({
        what: `${what}, ${store}: processor time per message`,
        ...{ unit: 'ms', better: 'less', ours: cpu[store], against, theirs: cpu[against] },
      }),
    ]),
  );
}
