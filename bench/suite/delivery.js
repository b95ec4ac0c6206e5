// Measures the time from opening an SMTP connection until a waiting test has the email.
import { figure, quantile } from '../figures.js';
import { KeptConnection, open } from '../http.js';
import { readOther } from '../peers.js';
import { endProgram, nextMessage, startScript } from '../programs.js';
import { CODE, htmlMail } from '../sample-mails.js';
import { startService, UNLIMITED } from '../service.js';
import { deliver } from '../smtp.js';

const COUNTS = { samples: 500, warmUp: 200 };
const SHORT_COUNTS = { samples: 60, warmUp: 40 };

/** How many messages per second other senders send during a measurement. */
const OTHERS = 200;

const PATIENCE_MS = 10_000;

const STOP_MS = 15_000;

export const benchmark = {
  name: 'delivery',
  title: 'From SMTP to the test',
  isBesidePeers: true,
  about:
    'Milliseconds from opening an SMTP connection until an open stream has the 14 KB email. Messages follow one after the ' +
    `other, on an idle service and during ${OTHERS} messages a second from others. Alternating with these, the same packets pass through ` +
    'plain node:net and node:http, which shows how much of the time the machine itself takes.',
  run,
};

async function run({ isShort, progress, others }) {
  const mail = await htmlMail();
  const counts = isShort ? SHORT_COUNTS : COUNTS;
  const figures = [];
  const bare = await startScript('./beside/bare-delivery.js', { code: CODE });
  try {
    for (const store of ['lmdb', 'memory'])
      figures.push(...(await measureStore(store, { mail, counts, progress, bare: bare.said })));
  } finally {
    await endProgram(bare.child);
  }
  for (const other of others) {
    progress(other.name);
    const [took] = await timesInTurns([() => untilFound(other, mail)], counts);
    figures.push(...figuresOf(`${other.name}, idle, by fetches until the email is there`, took));
  }
  return figures;
}

async function measureStore(store, { mail, counts, progress, bare }) {
  const service = await startService(UNLIMITED, { store });
  try {
    progress(`${store}, idle`);
    const acts = [() => onStream(service, mail), () => onStream(bare, mail)];
    const [idle, ofBare] = await timesInTurns(acts, counts);
    progress(`${store}, ${OTHERS} messages/s of others`);
    const { busy, rate } = await amongOthers(service, () => timesInTurns([() => onStream(service, mail)], counts));
    return [
      ...figuresOf(`${store}, idle, on a stream`, idle, 'bare node:net and node:http', ofBare),
      ...figuresOf(`${store}, ${Math.round(rate)} messages/s of others, on a stream`, busy),
    ];
  } finally {
    await service.stop();
  }
}

function figuresOf(what, ours, against = null, theirs = null) {
  return [0.5, 0.99].map((share) => {
    const beside = theirs === null ? {} : { against, theirs: quantile(theirs, share) };
    const name = `${what}, p${100 * share}`;
    return figure({ what: name, unit: 'ms', better: 'less', ours: quantile(ours, share), ...beside });
  });
}

/** Runs the functions alternately, and resolves to the times of each. */
async function timesInTurns(acts, { samples, warmUp }) {
  const all = acts.map(() => []);
  for (let n = 0; n < warmUp + samples; n++) {
    for (const [number, act] of acts.entries()) all[number].push(await act());
  }
  return all.map((ofOne) => ofOne.slice(warmUp));
}

let inboxes = 0;

function newInbox() {
  inboxes += 1;
  return `delivery-${inboxes}`;
}

/** Resolves to the milliseconds from a delivery to the event on a waiting stream. */
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
      // The code below awaits `sending`; without this handler, an earlier failure would end the process.
      sending.catch(() => {});
    } else if (text.includes('\ndata: {') && text.endsWith('\n\n')) break;
  }
  const took = performance.now() - startedAt;
  await sending;
  if (!text.includes(`"otp":"${CODE}"`)) throw new Error(`the stream sent no email: ${text.slice(0, 100)}`);
  return took;
}

/** Resolves to the milliseconds until another server returns the message. */
async function untilFound(other, mail) {
  const inbox = newInbox();
  const connection = new KeptConnection(other);
  // The inbox's name cannot identify the message, because a response may repeat the path.
  const mark = `mark-${inbox}-end`;
  const marked = Buffer.from(mail.toString('latin1').replace(/^Subject: .*$/m, `Subject: ${mark}`), 'latin1');
  const startedAt = performance.now();
  try {
    await deliver(other, marked, [`${inbox}@inbox.example.com`]);
    while (performance.now() - startedAt < PATIENCE_MS) {
      if ((await readOther(other, connection, inbox))?.includes(mark)) return performance.now() - startedAt;
    }
  } finally {
    connection.close();
  }
  throw new Error(`${other.name}: a message did not appear`);
}

async function amongOthers({ host, smtpPort }, measure) {
  const { child } = await startScript('./beside/steady-sender.js', { service: { host, smtpPort }, perSecond: OTHERS });
  try {
    const [busy] = await measure();
    const answer = nextMessage(child, STOP_MS);
    child.send('stop');
    return { busy, rate: (await answer).rate };
  } finally {
    child.kill('SIGKILL');
  }
}
