// Measures waiting streams: their memory, and the time until one of them gets its event.
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryMbOf } from '../cpu.js';
import { figure } from '../figures.js';
import { endProgram, startScript } from '../programs.js';
import { textMail } from '../sample-mails.js';
import { startService, UNLIMITED } from '../service.js';
import { deliver } from '../smtp.js';

/** Numbers of streams. The figures exclude what the warm-up allocates: buffers and code that remain afterwards. */
const [IDLE_STREAMS, SHORT_IDLE_STREAMS, WARM_UP_STREAMS] = [5_000, 1_000, 500];

const [MANY, SHORT_MANY, WOKEN] = [10_000, 2_000, 40];

/** Number of streams opened in parallel, and of client addresses: one address has too few ports. */
const [OPENING, ADDRESSES] = [50, 50];

const [PATIENCE_MS, LOOK_MS, SETTLING_MS] = [25_000, 1, 2_000];

export const benchmark = {
  name: 'streams',
  title: 'Waiting streams',
  about:
    'Memory of an idle stream: the growth of the process with thousands of streams open. The baseline is a bare `node:http` server ' +
    'that holds event streams, measured the same way. Then the milliseconds from opening SMTP to the event on one of ten ' +
    'thousand streams, each for its own inbox (two thousand in a short run). The baseline is a single stream.',
  run,
};

async function run({ isShort, progress }) {
  progress('memory');
  const idle = isShort ? SHORT_IDLE_STREAMS : IDLE_STREAMS;
  const service = await startService(UNLIMITED, { store: 'memory' });
  const bare = await startScript('./beside/bare-delivery.js');
  try {
    const ours = await kbEach(service, idle);
    const theirs = await kbEach({ ...bare.said, pid: bare.child.pid }, idle);
    progress('waking');
    const mail = await textMail();
    const alone = [];
    for (let n = 0; n < 2 * WOKEN; n++) alone.push(...(await wakeSome(service, mail, `alone-${n}`, 1, 1)));
    const many = isShort ? SHORT_MANY : MANY;
    const among = await wakeSome(service, mail, 'among', many, WOKEN);
    const [memory, wait] = [
      { unit: 'KB', against: 'bare node:http', theirs },
      { unit: 'ms', against: 'one alone', theirs: alone.slice(-WOKEN) },
    ];
    return [
      figure({ what: 'an idle stream, resident', better: 'less', ours, ...memory }),
      figure({ what: `one of ${many.toLocaleString('en')} is woken`, better: 'less', ours: among, ...wait }),
    ];
  } finally {
    await endProgram(bare.child);
    await service.stop();
  }
}

function pathOf(prefix, number) {
  return `/api/inbox/${prefix}-${number}/stream`;
}

async function kbEach(server, count) {
  const warmUp = await opened(server, 'warm', WARM_UP_STREAMS);
  close(warmUp);
  await delay(SETTLING_MS);
  const before = memoryMbOf(server.pid);
  const streams = await opened(server, 'idle', count);
  await delay(SETTLING_MS);
  const after = memoryMbOf(server.pid);
  close(streams);
  return ((after - before) * 1024) / count;
}

/** Opens `count` streams and wakes `woken` of them one by one. Resolves to the milliseconds of each wake. */
async function wakeSome(service, mail, prefix, count, woken) {
  const streams = await opened(service, prefix, count);
  const took = [];
  try {
    for (let n = 0; n < woken; n++) {
      const number = Math.floor((n * count) / woken);
      const startedAt = performance.now();
      await deliver(service, mail, [`${prefix}-${number}@inbox.example.com`]);
      while (streams[number].eventAt === null) {
        if (performance.now() > startedAt + PATIENCE_MS) throw new Error('a stream got no event in time');
        await delay(LOOK_MS);
      }
      took.push(streams[number].eventAt - startedAt);
    }
    return took;
  } finally {
    close(streams);
  }
}

/** Opens `count` streams with little overhead and resolves once all are open. */
async function opened(server, prefix, count) {
  const streams = [];
  const lane = async () => {
    while (streams.length < count) {
      const stream = { socket: null, eventAt: null };
      const number = streams.push(stream) - 1;
      await openOne(stream, server, number, pathOf(prefix, number));
    }
  };
  await Promise.all(Array.from({ length: OPENING }, lane));
  return streams;
}

function openOne(stream, { host, httpPort }, number, path) {
  return new Promise((resolve, reject) => {
    const localAddress = `127.0.3.${1 + (number % ADDRESSES)}`;
    const socket = connect({ host, port: httpPort, localAddress, noDelay: true }).setEncoding('latin1');
    stream.socket = socket;
    const tooLate = setTimeout(() => socket.destroy(new Error('a stream did not open in time')), PATIENCE_MS);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('a stream was closed')));
    socket.on('data', (text) => {
      if (text.includes('data: {')) stream.eventAt ??= performance.now();
      if (!text.includes(': connected')) return;
      clearTimeout(tooLate);
      resolve();
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}:${httpPort}\r\nAccept: text/event-stream\r\n\r\n`);
  });
}

function close(streams) {
  for (const { socket } of streams) socket.destroy();
}
