// Keys: costly ones, and wrong ones.
import { FETCHES, seconds, statusOf, windowsIn } from './step.js';

/** No such email exists: the service parses the path before it looks for the email, and that is what costs. */
const NO_EMAIL = '/api/inbox/x/2026-01-31T09:30:00.000Z/html';

/** Nearly what a request's body, or all of its headers, may hold: 16 KiB. The header has two runs of blanks. */
const BLANKS = 16_000;
const HEADER_BLANKS = 7_500;

/** How many wrong keys one client may try in the window of the fetch limit. */
const MOST_WRONG_KEYS = 5 * FETCHES;

export const KEY_ATTACKS = [
  { name: 'form of +', lanes: 4, step: form('+') },
  { name: 'form of spaces', lanes: 4, step: form(' ') },
  { name: 'form of %20', lanes: 4, step: form('%20') },
  { name: 'Bearer and blanks', lanes: 4, step: blankBearer },
  {
    name: 'wrong keys, /healthz',
    lanes: 8,
    step: wrongKey('/healthz'),
    breach: tooManyWrongKeys,
  },
  {
    name: 'wrong keys, stream',
    lanes: 8,
    step: wrongKey('/api/inbox/x/stream'),
    breach: tooManyWrongKeys,
  },
];

/** A form whose key is blanks and a line break. */
function form(blank) {
  const body = `key=${blank.repeat(BLANKS / blank.length)}%0a`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (context) => statusOf(context, NO_EMAIL, { method: 'POST', headers, body });
}

/** A credential with runs of spaces or tabs around its key. */
function blankBearer(context) {
  const blanks = (context.number % 2 === 0 ? ' ' : '\t').repeat(HEADER_BLANKS);
  return statusOf(context, NO_EMAIL, { headers: { authorization: `Bearer${blanks}x${blanks}x` } });
}

function wrongKey(path) {
  return (context) =>
    statusOf(context, path, { headers: { authorization: `Bearer wrong-key-number-${context.number}` } });
}

function tooManyWrongKeys({ tally, elapsedMs }) {
  const tried = tally[401] ?? 0;
  const allowed = MOST_WRONG_KEYS * windowsIn(elapsedMs);
  return tried > allowed ? `${tried} wrong keys could be tried in ${seconds(elapsedMs)}; at most ${allowed} may` : null;
}
