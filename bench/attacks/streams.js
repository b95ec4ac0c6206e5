// Streams, which no limit on fetches counts.
import { FULL_INBOX } from '../preparation.js';
import { guessing, NOWHERE, streamOpened } from './step.js';

/** How many names one client may try in the window of the fetch limit, far fewer than guessing needs. */
const MOST_NAMES = 300;

export const STREAM_ATTACKS = [
  { name: 'streams opened and closed', lanes: 20, step: openAndClose },
  { name: 'streams held open', lanes: 200, maxSteps: 400, step: holdOpen },
  { name: 'names tried by stream', lanes: 8, step: tryName, breach: guessing('opened', 'names', MOST_NAMES) },
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
