// The process of one attacker, so that its work does not delay the measuring clients. Its argument is JSON: the name of
// an attack, the service and the attacker's address. It says `prepared`, is told to begin and to stop, and then says
// its `tally`.
import { once, setMaxListeners } from 'node:events';
import http from 'node:http';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ATTACKS, REFUSALS } from './attacks.js';

/** An attack stops by itself after this many steps. */
const MAX_STEPS = 20_000;

/** A client within its limits that was refused, or got no answer, waits so long before it tries again. */
const REFUSED_PAUSE_MS = 50;

/** How long an attack may go on after its phase for the answer that it seeks: a busy machine makes few steps in one. */
const SEEKING_MS = 120_000;

/** How long open steps may take to end when the phase ends. */
const LAST_STEPS_MS = 3_000;

/** A remote attacker would not take processor time from the service, so here the attacker has the lowest priority. */
os.setPriority(19);
// A parent that has ended can neither stop nor hear this one.
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

/** Whether the attack still lacks the answer that it seeks. */
function isSeeking() {
  return seeks !== undefined && tally[seeks] === undefined;
}
