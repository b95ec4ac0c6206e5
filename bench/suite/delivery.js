// How long a mail takes from the sender's opening a connection to the test that waits for it.
import { figure } from '../figures.js';
import { open } from '../http.js';
import { KeptConnection } from '../keep-alive.js';
import { nextMessage, startScript } from '../programs.js';
import { CODE, htmlMail } from '../sample-mails.js';
import { startService, UNLIMITED } from '../service.js';
import { deliver } from '../smtp.js';
import { quantile } from '../statistics.js';

const SAMPLES = 500;
const SHORT_SAMPLES = 60;

/** How many are not counted at first. */
const WARM_UP = 200;
const SHORT_WARM_UP = 40;

/** The mails of others, a second. */
const OTHERS = 200;

/** How long one mail may take. */
const PATIENCE_MS = 10_000;

/** How long the sender of the others may take to end. */
const STOP_MS = 15_000;

const AIMS_MS = {
  lmdb: { idle: { p50: 3, p99: 8 }, busy: { p50: 4, p99: 15 } },
  memory: { idle: { p50: 2, p99: 5 }, busy: { p50: null, p99: null } },
};

export const delivery = {
  name: 'delivery',
  title: 'From SMTP to the test',
  about:
    'Milliseconds from opening an SMTP connection to the email in hand, 14 KB of HTML: on a stream that was open before, or by a ' +
    `fetch right after the 250. One after the other on an idle service, and while ${OTHERS} mails a second come in from others.`,
  run: measureDelivery,
};

async function measureDelivery({ isShort, progress, others }) {
  const mail = await htmlMail();
  const counts = isShort ? { samples: SHORT_SAMPLES, warmUp: SHORT_WARM_UP } : { samples: SAMPLES, warmUp: WARM_UP };
  const figures = [];
  for (const store of ['lmdb', 'memory']) {
    const service = await startService(UNLIMITED, { store });
    try {
      progress(`${store}, idle`);
      const idle = await times(() => onStream(service, mail), counts);
      figures.push(...figuresOf(`${store}, idle, on a stream`, idle, AIMS_MS[store].idle));
      figures.push(...figuresOf(`${store}, idle, by a fetch`, await times(() => byFetch(service, mail), counts)));
      progress(`${store}, ${OTHERS} mails/s of others`);
      const { busy, rate } = await amongOthers(service, () => times(() => onStream(service, mail), counts));
      const load = `${store}, ${Math.round(rate)} mails/s of others, on a stream`;
      figures.push(...figuresOf(load, busy, AIMS_MS[store].busy));
    } finally {
      await service.stop();
    }
  }
  for (const other of others) {
    progress(other.name);
    const theirs = await times(() => untilFound(other, mail), counts);
    figures.push(...figuresOf(`${other.name}, idle, by fetches until it is there`, theirs));
  }
  return { figures };
}

function figuresOf(what, values, aims = {}) {
  return [
    ['p50', 0.5],
    ['p99', 0.99],
  ].map(([name, share]) =>
    figure({ what: `${what}, ${name}`, unit: 'ms', better: 'less', ours: quantile(values, share), aim: aims[name] }),
  );
}

async function times(act, { samples, warmUp }) {
  const all = [];
  for (let n = 0; n < warmUp + samples; n++) all.push(await act());
  return all.slice(warmUp);
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
      sending = deliver(service, mail, [`${inbox}@inbox.test`]);
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
  await deliver(service, mail, [`${inbox}@inbox.test`]);
  const { status, body } = await connection.get(`/api/inbox/${inbox}`);
  const took = performance.now() - startedAt;
  connection.close();
  if (status !== 200 || JSON.parse(body).emails[0]?.otp !== CODE) {
    throw new Error(`the mail that was sent is not there: ${status} ${body.toString('latin1', 0, 100)}`);
  }
  return took;
}

/** The same for another server, whose answer has the inbox's name in it as soon as the mail is there. */
async function untilFound({ host, smtpPort, httpPort, path, name }, mail) {
  const inbox = newInbox();
  const connection = new KeptConnection({ host, httpPort });
  // The name of the inbox would be in any answer that repeats the path, so a mark of the mail is looked for.
  const mark = `mark-${inbox}-end`;
  const marked = Buffer.from(mail.toString('latin1').replace(/^Subject: .*$/m, `Subject: ${mark}`), 'latin1');
  const startedAt = performance.now();
  try {
    await deliver({ host, smtpPort }, marked, [`${inbox}@inbox.test`]);
    while (performance.now() - startedAt < PATIENCE_MS) {
      const { body } = await connection.get(path.replaceAll('{inbox}', inbox));
      if (body.includes(mark)) return performance.now() - startedAt;
    }
  } finally {
    connection.close();
  }
  throw new Error(`${name}: a mail did not appear at ${path}`);
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
