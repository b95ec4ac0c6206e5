// What users do: a mail in, its parsed content out, once each.
import { figure } from '../figures.js';
import { KeptConnection } from '../keep-alive.js';
import { SENDERS, startSink } from '../postfix.js';
import { endProgram, startScript } from '../programs.js';
import { CODE, htmlMail } from '../sample-mails.js';
import { startService, UNLIMITED } from '../service.js';
import { deliver } from '../smtp.js';

const ROUNDS = 5;
const SHORT_ROUNDS = 2;
const ROUND_MS = 3_000;
const SHORT_ROUND_MS = 700;

export const acceptReadFetch = {
  name: 'accept-read-fetch',
  title: 'A mail in, its parsed content out',
  about:
    `${SENDERS} clients at a time each send a 14 KB HTML mail to an inbox of their own over a new SMTP connection, fetch the inbox ` +
    'over a persistent HTTP connection and read the code. The baseline, in turns, is the same client with servers that do nothing: ' +
    '`smtp-sink`, and a bare Fastify that answers as many bytes.',
  run: measurePairs,
};

async function measurePairs({ isShort, progress }) {
  const mail = await htmlMail();
  const sink = await startSink();
  const service = await startService(UNLIMITED);
  let bare = null;
  try {
    await deliver(service, mail, ['first@inbox.test']);
    const connection = new KeptConnection(service);
    const { body } = await connection.get('/api/inbox/first');
    connection.close();
    bare = await startScript('./beside/bare-fastify.js', { bytes: body.length });
    const nothing = { ...sink, httpPort: bare.said.port };
    const [rounds, roundMs] = isShort ? [SHORT_ROUNDS, SHORT_ROUND_MS] : [ROUNDS, ROUND_MS];
    const [ours, theirs] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      const of = (server, isRead) => pairsASecond(server, mail, { roundMs, round, isRead });
      const rates = [await of(service, true), await of(nothing, false)];
      if (round === 0) continue;
      ours.push(rates[0]);
      theirs.push(rates[1]);
    }
    const against = 'smtp-sink and bare Fastify';
    return { figures: [figure({ what: 'in and out, lmdb', unit: 'mails/s', better: 'more', ours, against, theirs })] };
  } finally {
    if (bare !== null) await endProgram(bare.child);
    await service.stop();
    await sink.stop();
  }
}

async function pairsASecond(server, mail, { roundMs, round, isRead }) {
  const startedAt = performance.now();
  let pairs = 0;
  const lane = async (_, number) => {
    const connection = new KeptConnection(server);
    for (let n = 0; performance.now() - startedAt < roundMs; n++) {
      const inbox = `pair-${round}-${number}-${n}`;
      await deliver(server, mail, [`${inbox}@inbox.test`]);
      const { status, body } = await connection.get(`/api/inbox/${inbox}`);
      if (status !== 200) throw new Error(`the fetch was answered with ${status}`);
      if (isRead && JSON.parse(body).emails[0]?.otp !== CODE) throw new Error('the mail that was sent is not there');
      pairs += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: SENDERS }, lane));
  return (pairs * 1000) / (performance.now() - startedAt);
}
