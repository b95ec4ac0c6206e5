// Spaces, which a client makes up as it likes, and the lists of all mail.
import { at, FILLER } from '../preparation.js';
import { SmtpConnection } from '../smtp.js';
import { NOWHERE, namesAllowed, seconds, statusOf, streamOpened } from './step.js';

/** More spaces than a service remembers are of no use. */
const SPACES = 10_000;

/** Most streams of all mail that one client may have, and how many are tried at a time. */
const STREAMS = 20;
const STREAM_LANES = STREAMS + 2;

/** Emails that are searched: mails to as many recipients as one may have. */
const SEARCHED_EMAILS = 100_000;
const SEARCHED_IN_SHORT = 10_000;
const RECIPIENTS = 100;

/** How many connections fill the store at once. */
const FILLING_LANES = 4;

const JSON_BODY = { 'content-type': 'application/json' };

export const SPACE_ATTACKS = [
  {
    name: '10,000 spaces with mail',
    lanes: 20,
    maxSteps: SPACES,
    seeks: '200',
    // In two minutes one client gets there within its limit, too.
    flags: ['--spaces', '--send-apis', 'resend', '--smtp-limit', 'off'],
    step: mailToSpace,
    breach: nothingKept,
  },
  {
    name: 'lists of made-up spaces',
    lanes: 8,
    flags: ['--spaces', '--drop-in', 'mailpit', '--drop-in-limit', 'off'],
    step: listSpace,
    breach: tooManySpaces,
  },
  {
    name: 'streams of all mail held open',
    lanes: STREAM_LANES,
    flags: ['--spaces'],
    step: (context) => streamOpened(context, '/api/emails/stream', context.signal),
    breach: tooManyStreams,
  },
  {
    name: 'streams of made-up spaces held open',
    lanes: STREAM_LANES,
    flags: ['--spaces'],
    step: (context) => streamOpened(context, '/api/emails/stream', context.signal, pairOf(context)),
    breach: tooManyStreams,
  },
  {
    name: 'searches over 100,000 mails',
    lanes: 8,
    flags: ['--spaces'],
    prepare: fillSearched,
    seeks: '200',
    step: (context) => statusOf(context, `/api/emails?search=${NOWHERE}`),
    breach: nothingSearched,
  },
];

/** Another space with each step: what a request says of it. */
function pairOf({ address, number }) {
  return { authorization: `Bearer space-${address}-${number}:password-of-${number}` };
}

function mailToSpace(context) {
  const mail = { from: 'app@bench.test', to: 'alice@app.example', subject: 'Hi', text: 'Your code is 482913' };
  const headers = { ...JSON_BODY, ...pairOf(context) };
  return statusOf(context, '/emails', { method: 'POST', headers, body: JSON.stringify(mail) });
}

function listSpace(context) {
  return statusOf(context, '/api/v1/messages', { headers: pairOf(context) });
}

async function fillSearched({ service, isShort }) {
  let left = (isShort ? SEARCHED_IN_SHORT : SEARCHED_EMAILS) / RECIPIENTS;
  const lane = async () => {
    const connection = new SmtpConnection(service, FILLER);
    await connection.greet();
    while (left > 0) {
      left -= 1;
      const recipients = Array.from({ length: RECIPIENTS }, (_, n) => at(`searched-${left}-${n}`));
      await connection.send(`From: app@bench.test\r\nSubject: Number ${left}\r\n\r\nYour code is 482913`, recipients);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: FILLING_LANES }, lane));
}

function nothingKept({ tally }) {
  return tally[200] > 0 ? null : 'no mail was kept in a space, so nothing was shown';
}

function nothingSearched({ tally }) {
  return tally[200] > 0 ? null : 'no search was answered, so nothing was shown';
}

function tooManySpaces({ tally, elapsedMs }) {
  const tried = tally[200] ?? 0;
  const allowed = namesAllowed(elapsedMs);
  return tried > allowed ? `${tried} spaces could be tried in ${seconds(elapsedMs)}; at most ${allowed} may` : null;
}

function tooManyStreams({ tally }) {
  const opened = tally.opened ?? 0;
  if (opened === 0) return 'no stream was opened, so nothing was shown';
  return opened > STREAMS ? `${opened} streams of all mail were open; at most ${STREAMS} may` : null;
}
