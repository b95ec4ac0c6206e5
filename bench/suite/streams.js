// What waiting streams cost, and how fast they are woken.
import { fileURLToPath } from 'node:url';
import { figure } from '../figures.js';
import { endProgram, nextMessage, startScript } from '../programs.js';
import { textMail } from '../sample-mails.js';
import { startService, UNLIMITED } from '../service.js';
import { deliver } from '../smtp.js';
import { WaitingStreams } from '../waiting-streams.js';

export const PROBE = ['--expose-gc', '--import', fileURLToPath(new URL('../beside/memory-probe.js', import.meta.url))];
const PROBE_MS = 30_000;

/**
 * How many streams are open while memory is measured. Some more are opened and closed before: buffers and code stay.
 */
const IDLE_STREAMS = 5_000;
const SHORT_IDLE_STREAMS = 1_000;
const WARM_UP_STREAMS = 500;

/** Among how many streams one is woken, how often, and how many are woken by one mail to as many recipients. */
const MANY = 10_000;
const SHORT_MANY = 2_000;
const WOKEN = 40;
const WOKEN_AT_ONCE = 1_000;

const AIM_TIMES = 1.3;

export const streams = {
  name: 'streams',
  title: 'Waiting streams',
  about:
    'Memory of an idle stream: the growth of the process, after a garbage collection, with thousands of streams open. The baseline is a ' +
    "bare `node:http` server that holds event streams, measured the same way. Then the milliseconds from opening SMTP to a stream's " +
    'event if one of ten thousand streams is woken, each on an inbox of its own (in a short run two thousand), with a single stream as ' +
    `baseline; and until the last of ${WOKEN_AT_ONCE.toLocaleString('en')} has its event, of one mail to as many recipients.`,
  run: measureStreams,
};

async function measureStreams({ isShort, progress }) {
  const figures = [];
  progress('memory');
  figures.push(...(await measureMemory(isShort ? SHORT_IDLE_STREAMS : IDLE_STREAMS)));
  progress('waking');
  figures.push(...(await measureWaking(isShort ? SHORT_MANY : MANY)));
  return { figures };
}

async function measureMemory(count) {
  const service = await startService(UNLIMITED, { store: 'memory', nodeFlags: PROBE });
  let ours;
  try {
    ours = await bytesEach(service, service.process, count, (n) => `/api/inbox/idle-${n}/stream`);
  } finally {
    await service.stop();
  }
  const bare = await startScript('./beside/bare-streams.js', {}, PROBE);
  try {
    const theirs = await bytesEach({ host: '127.0.0.1', httpPort: bare.said.port }, bare.child, count, (n) => `/${n}`);
    const beside = { unit: 'KB', better: 'less', against: 'bare node:http' };
    return [
      figure({
        what: 'an idle stream, resident',
        ...beside,
        ours: ours.resident,
        theirs: theirs.resident,
        aim: AIM_TIMES,
      }),
      figure({ what: 'an idle stream, heap and buffers', ...beside, ours: ours.heap, theirs: theirs.heap }),
    ];
  } finally {
    await endProgram(bare.child);
  }
}

/** KB that one stream takes in a server whose process has the memory probe. `look()` is called while they are open. */
export async function bytesEach(server, child, count, pathOf, look = async () => {}) {
  const memory = async () => {
    const answer = nextMessage(child, PROBE_MS);
    child.send('memory');
    return answer;
  };
  const warmUp = new WaitingStreams();
  await warmUp.open(server, WARM_UP_STREAMS, (n) => pathOf(count + n));
  warmUp.close();
  const before = await memory();
  const waiting = new WaitingStreams();
  try {
    await waiting.open(server, count, pathOf);
    const after = await memory();
    await look();
    const each = (name) => (after[name] - before[name]) / count / 1024;
    return { resident: each('residentBytes'), heap: each('heapBytes') };
  } finally {
    waiting.close();
  }
}

async function measureWaking(many) {
  const flags = [...UNLIMITED, '--max-recipients', String(WOKEN_AT_ONCE)];
  const service = await startService(flags, { store: 'memory' });
  const mail = await textMail();
  try {
    const alone = [];
    for (let n = 0; n < 2 * WOKEN; n++)
      alone.push(...(await wakeSome(service, mail, { prefix: `alone-${n}`, count: 1, woken: 1 })));
    const among = await wakeSome(service, mail, { prefix: 'among', count: many, woken: WOKEN });
    const atOnce = [];
    for (const prefix of ['warm', 'all-1', 'all-2', 'all-3']) atOnce.push(await wakeAll(service, mail, prefix));
    const unit = { unit: 'ms', better: 'less' };
    const theirs = alone.slice(-WOKEN);
    return [
      figure({
        what: `one of ${many.toLocaleString('en')} is woken`,
        ...unit,
        ours: among,
        against: 'one alone',
        theirs,
      }),
      figure({ what: `the last of ${WOKEN_AT_ONCE.toLocaleString('en')} is woken`, ...unit, ours: atOnce.slice(1) }),
    ];
  } finally {
    await service.stop();
  }
}

/** Opens `count` streams and wakes `woken` of them, spread over all, one after the other: the milliseconds of each. */
async function wakeSome(service, mail, { prefix, count, woken }) {
  const waiting = new WaitingStreams();
  const took = [];
  try {
    await waiting.open(service, count, (n) => `/api/inbox/${prefix}-${n}/stream`);
    for (let n = 0; n < woken; n++) {
      const number = Math.floor((n * count) / woken);
      const startedAt = performance.now();
      await deliver(service, mail, [`${prefix}-${number}@inbox.example.com`]);
      took.push((await waiting.lastEvent([number])) - startedAt);
    }
    return took;
  } finally {
    waiting.close();
  }
}

/** Wakes many streams by one mail and resolves to the milliseconds until the last of them had its event. */
async function wakeAll(service, mail, prefix) {
  const waiting = new WaitingStreams();
  const numbers = Array.from({ length: WOKEN_AT_ONCE }, (_, n) => n);
  try {
    await waiting.open(service, WOKEN_AT_ONCE, (n) => `/api/inbox/${prefix}-${n}/stream`);
    const startedAt = performance.now();
    await deliver(
      service,
      mail,
      numbers.map((n) => `${prefix}-${n}@inbox.example.com`),
    );
    return (await waiting.lastEvent(numbers)) - startedAt;
  } finally {
    waiting.close();
  }
}
