// How many fetches of a small inbox a second, beside a bare Fastify.
import { cpuMsOf } from '../cpu.js';
import { figure } from '../figures.js';
import { fetchRate, KeptConnection } from '../keep-alive.js';
import { endProgram, startScript } from '../programs.js';
import { htmlMail } from '../sample-mails.js';
import { startService, UNLIMITED } from '../service.js';
import { deliver } from '../smtp.js';

const ROUNDS = 7;
const SHORT_ROUNDS = 3;
const ROUND_MS = 1_500;
const SHORT_ROUND_MS = 400;
const CONNECTIONS = 8;
const AIM = 0.6;

export const fetching = {
  name: 'fetch',
  title: 'Fetches',
  about:
    `Fetches a second of an inbox with one 14 KB HTML mail, over ${CONNECTIONS} kept connections, in turns with a bare Fastify that ` +
    'answers a buffer of the same size.',
  run: measureFetches,
};

async function measureFetches({ isShort, progress }) {
  const [rounds, durationMs] = isShort ? [SHORT_ROUNDS, SHORT_ROUND_MS] : [ROUNDS, ROUND_MS];
  const servers = [];
  let bare = null;
  try {
    for (const store of ['lmdb', 'memory']) servers.push(await startService(UNLIMITED, { store }));
    const mail = await htmlMail();
    for (const service of servers) await deliver(service, mail, ['fetched@inbox.test']);
    const connection = new KeptConnection(servers[0]);
    const { body } = await connection.get('/api/inbox/fetched');
    connection.close();
    bare = await startScript('./beside/bare-fastify.js', { bytes: body.length });
    const all = [...servers, { host: '127.0.0.1', httpPort: bare.said.port, pid: bare.child.pid }];
    const rates = all.map(() => []);
    const cpu = all.map(() => []);
    for (let round = 0; round <= rounds; round++) {
      progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      for (const [number, server] of all.entries()) {
        const before = cpuMsOf(server.pid);
        const startedAt = performance.now();
        const rate = await fetchRate(server, () => '/api/inbox/fetched', { connections: CONNECTIONS, durationMs });
        const fetches = (rate * (performance.now() - startedAt)) / 1000;
        if (round === 0) continue;
        rates[number].push(rate);
        cpu[number].push((1000 * (cpuMsOf(server.pid) - before)) / fetches);
      }
    }
    const [lmdb, memory, theirs] = rates;
    const cpuBeside = { unit: 'µs', better: 'less', against: 'bare Fastify', theirs: cpu[2] };
    const beside = { unit: 'fetches/s', better: 'more', against: 'bare Fastify', theirs };
    return {
      figures: [
        figure({ what: 'one 14 KB mail, lmdb', ...beside, ours: lmdb, aim: AIM }),
        figure({ what: 'one 14 KB mail, memory', ...beside, ours: memory }),
        figure({ what: 'one 14 KB mail, lmdb: processor time', ...cpuBeside, ours: cpu[0] }),
        figure({ what: 'one 14 KB mail, memory: processor time', ...cpuBeside, ours: cpu[1] }),
      ],
    };
  } finally {
    if (bare !== null) await endProgram(bare.child);
    for (const service of servers) await service.stop();
  }
}
