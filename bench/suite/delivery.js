// How long a mail takes from the sender's opening a connection to the test that waits for it.
import { open as openFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { besideRow, figure } from '../figures.js';
import { open } from '../http.js';
import { KeptConnection } from '../keep-alive.js';
import { readOther } from '../others.js';
import { endProgram, nextMessage, startScript } from '../programs.js';
import { CODE, htmlMail } from '../sample-mails.js';
import { newFolder, startService, UNLIMITED } from '../service.js';
import { deliver } from '../smtp.js';
import { quantile } from '../statistics.js';

const SAMPLES = 500;
const SHORT_SAMPLES = 60;

/** How many are not counted at first. */
const WARM_UP = 200;
const SHORT_WARM_UP = 40;

/** The mails of others, a second. */
const OTHERS = 200;

/** How many bytes are written and synced by themselves: about what a store writes for one mail of 14 KB. */
const SYNCED_BYTES = 48 * 1024;

/** How long one mail may take. */
const PATIENCE_MS = 10_000;

/** How long the sender of the others may take to end. */
const STOP_MS = 15_000;

const AIMS_MS = {
  lmdb: { idle: { p50: 2.3, p99: 5 }, busy: { p50: 4, p99: 15 } },
  memory: { idle: { p50: 1.5, p99: 5 }, busy: { p50: null, p99: null } },
};

export const delivery = {
  name: 'delivery',
  title: 'From SMTP to the test',
  isBesidePeers: true,
  about:
    'Milliseconds from opening an SMTP connection to the email in hand, 14 KB of HTML: on a stream that was open before, or by a ' +
    `fetch right after the 250. The mails go one after the other, on an idle service and beside ${OTHERS} mails a second from others. In ` +
    'turns with the idle rounds, the same packets pass through a process of bare node:net and node:http that stores nothing, and a file ' +
    'of the same size is written and synced. These rows show what the machine and its disk take by themselves, and how steady they were.',
  heldBack:
    'of the milliseconds on an idle service, the dialogue up to DATA takes 0.7 and parsing the mail 0.9. LMDB adds a commit, which syncs ' +
    'twice: the pages, and then the record that makes them valid. None of its options makes that one (D14). Under 200 mails a second, ' +
    'a mail also waits for the commit in progress. The p99 follows that of the bare servers in the same turns.',
  behindOthers:
    'Inbucket keeps mail in memory and answers its 250 without a look into it. Mayfly parses it first and syncs it to the disk, twice.',
  run: measureDelivery,
};

async function measureDelivery({ isShort, progress, others }) {
  const mail = await htmlMail();
  const counts = isShort ? { samples: SHORT_SAMPLES, warmUp: SHORT_WARM_UP } : { samples: SAMPLES, warmUp: WARM_UP };
  const figures = [];
  const byFetches = {};
  const bare = await startScript('./beside/bare-delivery.js', { code: CODE });
  const disk = await startDisk();
  try {
    for (const store of ['lmdb', 'memory']) {
      figures.push(...(await measureStore(store, { mail, counts, progress, bare: bare.said, disk, byFetches })));
    }
  } finally {
    await disk.stop();
    await endProgram(bare.child);
  }
  const inHand = { Mayfly: byFetches.lmdb };
  for (const other of others) {
    progress(other.name);
    inHand[other.name] = await times(() => untilFound(other, mail), counts);
    const what = `${other.name}, idle, by fetches until it is there`;
    figures.push(...figuresOf(what, inHand[other.name], {}, { isDetail: true }));
  }
  return { figures, beside: [besideOf(inHand, 'p50', 0.5), besideOf(inHand, 'p99', 0.99)] };
}

async function measureStore(store, { mail, counts, progress, bare, disk, byFetches }) {
  const service = await startService(UNLIMITED, { store });
  const figures = [];
  try {
    progress(`${store}, idle`);
    const acts = [() => onStream(service, mail), () => onStream(bare, mail), () => disk.sync()];
    const [idle, ofBare, ofDisk] = await timesInTurns(acts, counts);
    figures.push(...figuresOf(`${store}, idle, on a stream`, idle, AIMS_MS[store].idle));
    figures.push(...figuresOf(`in turns with ${store}: bare node:net and node:http`, ofBare));
    figures.push(...figuresOf(`in turns with ${store}: a bare write and fdatasync`, ofDisk));
    byFetches[store] = await times(() => byFetch(service, mail), counts);
    figures.push(...figuresOf(`${store}, idle, by a fetch`, byFetches[store], AIMS_MS[store].idle));
    progress(`${store}, ${OTHERS} mails/s of others`);
    const { busy, rate } = await amongOthers(service, () => times(() => onStream(service, mail), counts));
    const load = `${store}, ${Math.round(rate)} mails/s of others, on a stream`;
    figures.push(...figuresOf(load, busy, AIMS_MS[store].busy));
    return figures;
  } finally {
    await service.stop();
  }
}

function besideOf(inHand, name, share) {
  const values = Object.fromEntries(Object.entries(inHand).map(([server, ms]) => [server, quantile(ms, share)]));
  return besideRow({ subject: `send and have in hand, one at a time, ${name}`, unit: 'ms', better: 'less', values });
}

function figuresOf(what, values, aims = {}, how = {}) {
  return [
    ['p50', 0.5],
    ['p99', 0.99],
  ].map(([name, share]) =>
    figure({
      what: `${what}, ${name}`,
      unit: 'ms',
      better: 'less',
      ours: quantile(values, share),
      aim: aims[name],
      ...how,
    }),
  );
}

async function times(act, counts) {
  const [all] = await timesInTurns([act], counts);
  return all;
}

/** Does one of each after the other, again and again, and resolves to the times of each. */
async function timesInTurns(acts, { samples, warmUp }) {
  const all = acts.map(() => []);
  for (let n = 0; n < warmUp + samples; n++) {
    for (const [number, act] of acts.entries()) all[number].push(await act());
  }
  return all.map((ofOne) => ofOne.slice(warmUp));
}

/** A file where the stores lie. `sync()` writes to it and resolves to the milliseconds until that is on disk. */
async function startDisk() {
  const folder = newFolder();
  const file = await openFile(path.join(folder, 'synced'), 'w');
  const bytes = Buffer.alloc(SYNCED_BYTES, 'x');
  return {
    async sync() {
      const startedAt = performance.now();
      await file.write(bytes);
      await file.datasync();
      return performance.now() - startedAt;
    },
    async stop() {
      await file.close();
      await rm(folder, { recursive: true });
    },
  };
}

let inboxes = 0;

function newInbox() {
  inboxes += 1;
  return `delivery-${inboxes}`;
}

/** Resolves to the milliseconds until the event of a waiting stream was read. */
export async function onStream(service, mail) {
  const inbox = newInbox();
  const stream = await open(service, `/api/inbox/${inbox}/stream`, { timeoutMs: PATIENCE_MS });
  let text = '';
  let startedAt = 0;
  let sending = null;
  for await (const chunk of stream.setEncoding('utf8')) {
    text += chunk;
    if (sending === null) {
      startedAt = performance.now();
      sending = deliver(service, mail, [`${inbox}@inbox.example.com`]);
      // It is looked at below; meanwhile a failure must not end the process.
      sending.catch(() => {});
    } else if (text.includes('\ndata: {') && text.endsWith('\n\n')) break;
  }
  const took = performance.now() - startedAt;
  await sending;
  if (!text.includes(`"otp":"${CODE}"`)) throw new Error(`the stream had no email: ${text.slice(0, 100)}`);
  return took;
}

async function byFetch(service, mail) {
  const inbox = newInbox();
  const connection = new KeptConnection(service);
  await connection.get(`/api/inbox/${inbox}`);
  const startedAt = performance.now();
  await deliver(service, mail, [`${inbox}@inbox.example.com`]);
  const { status, body } = await connection.get(`/api/inbox/${inbox}`);
  const took = performance.now() - startedAt;
  connection.close();
  if (status !== 200 || JSON.parse(body).emails[0]?.otp !== CODE) {
    throw new Error(`the mail that was sent is not there: ${status} ${body.toString('latin1', 0, 100)}`);
  }
  return took;
}

/** The same for another server, whose answer has the inbox's name in it as soon as the mail is there. */
async function untilFound(other, mail) {
  const { host, smtpPort, httpPort, name } = other;
  const inbox = newInbox();
  const connection = new KeptConnection({ host, httpPort });
  // The name of the inbox would be in any answer that repeats the path, so a mark of the mail is looked for.
  const mark = `mark-${inbox}-end`;
  const marked = Buffer.from(mail.toString('latin1').replace(/^Subject: .*$/m, `Subject: ${mark}`), 'latin1');
  const startedAt = performance.now();
  try {
    await deliver({ host, smtpPort }, marked, [`${inbox}@inbox.example.com`]);
    while (performance.now() - startedAt < PATIENCE_MS) {
      if ((await readOther(other, connection, inbox))?.includes(mark)) return performance.now() - startedAt;
    }
  } finally {
    connection.close();
  }
  throw new Error(`${name}: a mail did not appear`);
}

async function amongOthers(service, measure) {
  const { host, smtpPort } = service;
  const { child } = await startScript('./steady-sender.js', { service: { host, smtpPort }, perSecond: OTHERS });
  try {
    const busy = await measure();
    const answer = nextMessage(child, STOP_MS);
    child.send('stop');
    return { busy, rate: (await answer).rate };
  } finally {
    child.kill('SIGKILL');
  }
}
