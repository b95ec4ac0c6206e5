// Streams, which no limit on fetches counts.
import { FULL_INBOX } from '../preparation.js';
import { NOWHERE, namesAllowed, seconds, streamOpened } from './step.js';

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
  const allowed = namesAllowed(elapsedMs);
  return tried > allowed ? `${tried} names could be tried in ${seconds(elapsedMs)}; at most ${allowed} may` : null;
}
