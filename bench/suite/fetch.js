// Measures fetches of small inboxes, compared with a bare Fastify.
import { cpuMsOf } from '../cpu.js';
import { figure } from '../figures.js';
import { fetchRate, KeptConnection } from '../http.js';
import { readOther } from '../peers.js';
import { endProgram, startScript } from '../programs.js';
import { CODE, htmlMail } from '../sample-mails.js';
import { startService, UNLIMITED } from '../service.js';
import { deliver } from '../smtp.js';

const [ROUNDS, SHORT_ROUNDS] = [7, 3];
const [ROUND_MS, SHORT_ROUND_MS] = [1_500, 400];
const CONNECTIONS = 8;

/** Number of inboxes, more than fit in the JSON cache. */
const INBOXES = 1_200;
const RECIPIENTS = 100;

const FILL_MS = 120_000;

export const benchmark = {
  name: 'fetch',
  title: 'Fetches',
  isBesidePeers: true,
  about:
    `Fetches per second. Each inbox has one 14 KB HTML email. Over ${CONNECTIONS} persistent connections, alternating with a bare Fastify ` +
    'that returns a buffer of the same size. “Same inbox” fetches one inbox, like polling clients; “not cached” cycles through ' +
    `${INBOXES.toLocaleString('en')} inboxes, so no answer is cached.`,
  run,
};

async function run({ isShort, progress, others }) {
  const [rounds, durationMs] = isShort ? [SHORT_ROUNDS, SHORT_ROUND_MS] : [ROUNDS, ROUND_MS];
  const mail = await htmlMail();
  const services = [];
  let bare = null;
  try {
    for (const store of ['lmdb', 'memory']) services.push({ store, server: await startService(UNLIMITED, { store }) });
    progress(`filling ${INBOXES} inboxes`);
    for (const { server } of services) await fill(server, mail);
    const connection = new KeptConnection(services[0].server);
    const { body } = await connection.get(inboxPath(0));
    connection.close();
    bare = await startScript('./beside/bare-fastify.js', { bytes: body.length });
    const baselines = [
      {
        what: 'bare Fastify',
        server: { host: '127.0.0.1', httpPort: bare.said.port, pid: bare.child.pid },
        nextPath: () => '/',
      },
    ];
    for (const server of others) baselines.push({ what: server.name, server, nextPath: await pathOn(server, mail) });
    const ours = services.flatMap(({ store, server }) => [
      { what: `one 14 KB email, ${store}, same inbox`, server, nextPath: () => inboxPath(0) },
      { what: `one 14 KB email, ${store}, not cached`, server, nextPath: inTurn() },
    ]);
    const measured = [...baselines, ...ours];
    for (const one of measured) Object.assign(one, { rates: [], cpu: [] });
    for (let round = 0; round <= rounds; round++) {
      progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      for (const one of measured) await measureOnce(one, durationMs, round > 0);
    }
    return baselines.flatMap(({ what: against, rates, cpu }) =>
      ours.flatMap((one) => [
        figure({ what: one.what, unit: 'fetches/s', better: 'more', ours: one.rates, against, theirs: rates }),
        figure({
          what: `${one.what}: processor time`,
          ...{ unit: 'µs', better: 'less', ours: one.cpu, against, theirs: cpu },
        }),
      ]),
    );
  } finally {
    if (bare !== null) await endProgram(bare.child);
    for (const { server } of services) await server.stop();
  }
}

function inboxPath(number) {
  return `/api/inbox/fetched-${number}`;
}

/** Delivers a message to a server other than Mayfly. Resolves to a function that returns the message's HTTP path. */
async function pathOn(other, mail) {
  const inbox = 'fetched-0';
  await deliver(other, mail, [`${inbox}@inbox.example.com`]);
  const connection = new KeptConnection(other);
  const tooLate = performance.now() + FILL_MS;
  while (!(await readOther(other, connection, inbox))?.includes(CODE)) {
    if (performance.now() > tooLate) throw new Error(`${other.name}: a message did not appear`);
  }
  const path = await other.pathOf(connection, inbox);
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

async function fill(service, mail) {
  for (let first = 0; first < INBOXES; first += RECIPIENTS) {
    const to = Array.from({ length: RECIPIENTS }, (_, n) => `fetched-${first + n}@inbox.example.com`);
    await deliver(service, mail, to, { timeoutMs: FILL_MS });
  }
}

/** Measures the fetches per second and the CPU microseconds per fetch, and adds both to the results. */
async function measureOnce({ server, nextPath, rates, cpu }, durationMs, counts) {
  const before = cpuMsOf(server.pid);
  const startedAt = performance.now();
  const rate = await fetchRate(server, nextPath, { connections: CONNECTIONS, durationMs });
  const fetches = (rate * (performance.now() - startedAt)) / 1000;
  if (!counts) return;
  rates.push(rate);
  cpu.push((1000 * (cpuMsOf(server.pid) - before)) / fetches);
}
