// Runs an attack in a separate process, so that it does not delay the measuring clients. The argument is JSON: attack,
// service and address. Sends `prepared`, starts on the parent's first message, stops on the second, and sends `tally`.
import { once, setMaxListeners } from 'node:events';
import http from 'node:http';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ATTACKS, REFUSALS } from './attacks.js';

const MAX_STEPS = 20_000;

/** Pause after a refusal or a failed request. */
const REFUSED_PAUSE_MS = 50;

/** How much longer an attack may run on a busy machine if it has not yet got the response that it seeks. */
const SEEKING_MS = 120_000;

const LAST_STEPS_MS = 3_000;

/** Lowest priority, so that the service gets the CPU first. A real attacker would run on another machine. */
os.setPriority(19);
// Exits when the parent process exits.
process.on('disconnect', () => process.exit());

const { name, service, address } = JSON.parse(process.argv[2]);
const { lanes, step, prepare, maxSteps = MAX_STEPS, seeks } = ATTACKS.find((attack) => attack.name === name);
const stopping = new AbortController();
setMaxListeners(0, stopping.signal);
const agent = new http.Agent({ keepAlive: true, maxSockets: lanes });
const context = { service, address, agent, signal: stopping.signal };
const tally = {};
let steps = 0;

await prepare?.(context);
process.send('prepared');
await once(process, 'message');
const ended = Promise.all(Array.from({ length: lanes }, lane));
await once(process, 'message');
for (const endsAt = performance.now() + SEEKING_MS; isSeeking() && performance.now() < endsAt; ) {
  if ((await Promise.race([ended, delay(REFUSED_PAUSE_MS, null)])) !== null) break;
}
stopping.abort();
await Promise.race([ended, delay(LAST_STEPS_MS)]);
process.send({ tally }, () => process.exit());

async function lane() {
  while (!stopping.signal.aborted && steps < maxSteps) {
    const got = await step({ ...context, number: steps++ }).catch((error) => error.code ?? error.message);
    if (stopping.signal.aborted && !/^\d{3}$|^[a-z]+$/.test(got)) return;
    tally[got] = (tally[got] ?? 0) + 1;
    if (REFUSALS.has(got) || !/^\d{3}$|^[a-z]+$/.test(got)) await delay(REFUSED_PAUSE_MS);
  }
}

function isSeeking() {
  return seeks !== undefined && tally[seeks] === undefined;
}
