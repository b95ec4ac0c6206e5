// Streams, which no limit on fetches counts.
import { FULL_INBOX } from '../preparation.js';
import { NOWHERE, seconds, streamOpened } from './step.js';

/** How many names one client may try at once, and how many more in a second: far fewer than guessing needs. */
const NAMES = 6_000;
const NAMES_A_SECOND = 10;

/** How many streams are held, of the 4,000 that one client may have. */
const HELD = 2_000;

export const STREAM_ATTACKS = [
  { name: 'streams opened and closed', lanes: 20, step: openAndClose },
  { name: 'streams held open', lanes: HELD, maxSteps: 2 * HELD, step: holdOpen },
  { name: 'names tried by stream', lanes: 8, step: tryName, breach: tooManyNames },
];

function openAndClose(context) {
  return streamOpened(context, `/api/inbox/${FULL_INBOX}/stream?body=${NOWHERE}`);
}

function holdOpen(context) {
  return streamOpened(context, `/api/inbox/${FULL_INBOX}/stream?body=${NOWHERE}`, context.signal);
}

function tryName(context) {
  return streamOpened(context, `/api/inbox/guess-${context.number}/stream`);
}

function tooManyNames({ tally, elapsedMs }) {
  const tried = tally.opened ?? 0;
  // One second more than were measured.
  const allowed = NAMES + NAMES_A_SECOND * (elapsedMs / 1_000 + 1);
  return tried > allowed ? `${tried} names could be tried in ${seconds(elapsedMs)}; at most ${allowed} may` : null;
}
