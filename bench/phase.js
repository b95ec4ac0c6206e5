// One phase: one attacker, and what the others see meanwhile.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { REFUSALS } from './attacks.js';
import { becomesQuiet, measure } from './load.js';

const ATTACKER = fileURLToPath(new URL('./attacker.js', import.meta.url));

/**
 * How long an attacker may take to prepare, and to report: it has the lowest priority on a machine that may be busy.
 */
const PREPARE_TIMEOUT_MS = 900_000;
const TALLY_TIMEOUT_MS = 300_000;

/** How often it is looked how much memory the service has. */
const MEMORY_EVERY_MS = 100;

/** How long after an attack the service may take until it answers promptly again, by default. */
const RECOVERY_MS = 15_000;

/**
 * Lets one address attack the service for `durationMs`. Resolves to the result of `measure` for the other clients, with
 * the attacker's results (`tally`), `elapsedMs`, `storeBytes`, `memoryMb` (the most that the service had), `cpuMsEach`
 * (the service's processor time for each step that was not refused, without its idle time; NaN without such a step) and
 * `isQuiet`, whether the service answers within `promptMs` again at most `recoveryMs` later. The other clients give up
 * after `giveUpMs`, and have at most `maxOpen` deliveries and as many fetches open.
 */
export async function attackPhase(service, attack, options) {
  const { address, isShort, durationMs, idleCpuShare, giveUpMs, maxOpen, promptMs, recoveryMs = RECOVERY_MS } = options;
  const attacker = fork(ATTACKER, [
    JSON.stringify({ name: attack.name, service: endpoints(service), address, isShort }),
  ]);
  // If the attacker has ended, the wait for its answer fails.
  attacker.on('error', () => {});
  try {
    await said(attacker, PREPARE_TIMEOUT_MS, 'was not prepared');
    const memory = watchMemory(service);
    const cpuBefore = service.cpuMs();
    const startedAt = performance.now();
    attacker.send('begin');
    const pace = { delivers: !attack.fillsStore, giveUpMs, maxOpen };
    const seen = await measure(service, durationMs, pace).finally(memory.end);
    const elapsedMs = performance.now() - startedAt;
    const answer = said(attacker, TALLY_TIMEOUT_MS, 'did not tell what it got');
    attacker.send('stop');
    const { tally } = await answer;
    const isQuiet = await becomesQuiet(service, recoveryMs, promptMs);
    const storeBytes = service.storeBytes();
    const cpuMs = isQuiet ? service.cpuMs() - cpuBefore : Number.NaN;
    const cpuMsEach = (cpuMs - idleCpuShare * elapsedMs) / served(tally);
    return { ...seen, tally, elapsedMs, storeBytes, memoryMb: memory.mostMb(), cpuMsEach, isQuiet };
  } finally {
    attacker.kill('SIGKILL');
  }
}

/** Looks again and again how much memory the service has, until `end` is called or it has ended. */
function watchMemory(service) {
  let mostMb = service.memoryMb();
  const timer = setInterval(() => {
    if (!service.hasEnded) mostMb = Math.max(mostMb, service.memoryMb());
  }, MEMORY_EVERY_MS);
  return { end: () => clearInterval(timer), mostMb: () => mostMb };
}

function endpoints({ host, smtpPort, httpPort }) {
  return { host, smtpPort, httpPort };
}

/** The attacker's next message. Rejects when it ends or says nothing in time. */
async function said(attacker, timeoutMs, failure) {
  if (!attacker.connected) throw new Error(`The attacker ${failure}: it has ended.`);
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(timeoutMs)]);
  const ended = once(attacker, 'exit', { signal }).then(() => Promise.reject(new Error('ended')));
  try {
    const [message] = await Promise.race([once(attacker, 'message', { signal }), ended]);
    if (message.failure !== undefined) throw new Error(message.failure);
    return message;
  } catch (error) {
    throw new Error(`The attacker ${failure}: ${error.message}`, { cause: error });
  } finally {
    over.abort();
    ended.catch(() => {});
  }
}

function served(tally) {
  const counts = Object.entries(tally).filter(([got]) => !REFUSALS.has(got));
  return counts.reduce((sum, [, count]) => sum + count, 0) || Number.NaN;
}
