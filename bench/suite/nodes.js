// How long a mail that one process takes needs to the test that waits at another one.
import { setTimeout as delay } from 'node:timers/promises';
import { figure } from '../figures.js';
import { open } from '../http.js';
import { MissingProgramError } from '../programs.js';
import { startRedis } from '../redis.js';
import { CODE, htmlMail } from '../sample-mails.js';
import { newFolder, startService, UNLIMITED } from '../service.js';
import { deliver } from '../smtp.js';
import { quantile } from '../statistics.js';

const SAMPLES = 1_000;
const SHORT_SAMPLES = 100;

/** How many are not counted at first. */
const WARM_UP = 50;

/** How long one mail may take. */
const PATIENCE_MS = 10_000;

/** By when what one process has acknowledged is to be seen at the other, in milliseconds, for 99 of 100. */
export const AIM_MS = 50;

/** A timer as long as the pause between two looks of LMDB: its delay is caused by the machine. */
const TIMER_MS = 10;

const UNIT = { unit: 'ms', better: 'less' };

export const nodes = {
  name: 'nodes',
  title: 'From one node to the other',
  about:
    `Milliseconds until a stream on one process has a mail of 14 KB that another process accepts, with the same LMDB folder ` +
    `or the same Redis server (without persistence): ${SAMPLES.toLocaleString('en')} mails, one after the other, in turns with mails ` +
    'whose stream is on the accepting process. “Behind the 250” is the time left once the sender has its reply, 0 if ' +
    `the stream was first. Between them, a timer of ${TIMER_MS} ms shows how busy the machine was with other work.`,
  heldBack:
    'LMDB does not notify other processes of writes, so each process polls for them, 100 times a second while a stream is open. Redis ' +
    'announces them, on a channel of the inbox.',
  run: measureNodes,
};

async function measureNodes({ isShort, progress }) {
  const mail = await htmlMail();
  const samples = isShort ? SHORT_SAMPLES : SAMPLES;
  const figures = [];
  let text;
  progress('lmdb');
  figures.push(...(await measureStore('lmdb', { folder: newFolder() }, { mail, samples })));
  try {
    progress('redis');
    figures.push(...(await onRedis((store) => measureStore('redis', { store }, { mail, samples }))));
  } catch (error) {
    if (!(error instanceof MissingProgramError)) throw error;
    text = error.message;
  }
  return { figures, text };
}

async function onRedis(measure) {
  const redis = await startRedis();
  try {
    return await measure(redis.url);
  } finally {
    await redis.stop();
  }
}

async function measureStore(name, where, { mail, samples }) {
  const running = [];
  try {
    for (let n = 0; n < 2; n++) running.push(await startService(UNLIMITED, where));
    const [takes, other] = running;
    const [there, here, bare] = [[], [], []];
    for (let n = 0; n < WARM_UP + samples; n++) {
      there.push(await untilShown(takes, other, mail));
      here.push(await untilShown(takes, takes, mail));
      bare.push(await timer());
    }
    return [
      ...figuresOf(`${name}: from SMTP to the stream`, there, here, ({ ms }) => ms),
      ...figuresOf(`${name}: behind the 250`, there, here, ({ behindMs }) => behindMs, AIM_MS),
      figure({ what: `in turns with ${name}: a timer of ${TIMER_MS} ms, p99`, ...UNIT, ours: quantile(bare, 0.99) }),
    ];
  } finally {
    for (const service of running) await service.stop();
  }
}

function figuresOf(what, there, here, msOf, aim) {
  const [ours, theirs] = [there, here].map((times) => times.slice(WARM_UP).map(msOf));
  const of = (share) => ({ ours: quantile(ours, share), theirs: quantile(theirs, share) });
  return [
    figure({ what: `${what}, p50`, ...UNIT, ours: of(0.5).ours }),
    figure({ what: `${what}, p99`, ...UNIT, ours: of(0.99).ours, aim }),
    figure({ what: `${what}, p99, the stream on the same process`, ...UNIT, ours: of(0.99).theirs }),
  ];
}

/** Resolves to the milliseconds that a timer took. */
async function timer() {
  const startedAt = performance.now();
  await delay(TIMER_MS);
  return performance.now() - startedAt;
}

let inboxes = 0;

/** Resolves to the milliseconds until a stream had a mail: since the sender connected, and since it was told 250. */
async function untilShown(takes, shows, mail) {
  inboxes += 1;
  const inbox = `nodes-${inboxes}`;
  const stream = await open(shows, `/api/inbox/${inbox}/stream`, { timeoutMs: PATIENCE_MS });
  let text = '';
  let startedAt = 0;
  let sent = null;
  for await (const chunk of stream.setEncoding('utf8')) {
    text += chunk;
    if (sent === null) {
      startedAt = performance.now();
      sent = deliver(takes, mail, [`${inbox}@inbox.example.com`]).then(() => performance.now());
      // It is looked at below; meanwhile a failure must not end the process.
      sent.catch(() => {});
    } else if (text.includes('\ndata: {') && text.endsWith('\n\n')) break;
  }
  const shownAt = performance.now();
  const acknowledgedAt = await sent;
  if (!text.includes(`"otp":"${CODE}"`)) throw new Error(`the stream had no email: ${text.slice(0, 100)}`);
  return { ms: shownAt - startedAt, behindMs: Math.max(0, shownAt - acknowledgedAt) };
}
