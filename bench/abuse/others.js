// Measures how other clients are served during an attack.
import { loopCpuMsOf } from '../cpu.js';
import { quantile } from '../figures.js';
import { GAVE_UP, request } from '../http.js';
import { deliver } from '../smtp.js';

/** A delivery and a fetch begin at this interval, even if earlier ones have not ended. */
const EVERY_MS = 20;

/** How long a client waits until it gives up, which counts as a failure. */
const GIVE_UP_MS = 5_000;
const MAX_OPEN = GIVE_UP_MS / EVERY_MS;

const INBOXES = 100;

/** The service has recovered from an attack after this many fast fetches in a row. */
const [PROMPT_MS, PROMPT_IN_A_ROW] = [100, 3];

const MAIL = Buffer.from('From: app@bench.test\r\nSubject: Welcome\r\n\r\nYour code is 482913.\r\n');

/** Limits for other clients: the 95th percentile and the maximum of their waits, in milliseconds. */
const P95_MS = 150;
const LONGEST_MS = 1_000;

/** Maximum wait as a multiple of the wait on an idle service, more for a short phase: most of it is the first burst. */
export const [FACTOR, SHORT_FACTOR] = [4, 10];

/** Number of client addresses so far. Each action uses a new one, so that no client approaches a limit. */
let clients = 0;

/** Returns the next address from 127.16.0.0 to 127.255.255.255, which no attacker uses. */
function nextAddress() {
  clients += 1;
  return `127.${16 + ((clients >> 16) % 240)}.${(clients >> 8) & 255}.${clients & 255}`;
}

export function fillSmallInbox(service) {
  return deliver(service, MAIL, ['small@inbox.example.com']);
}

/**
 * Starts deliveries and fetches for `durationMs`, but keeps at most `maxOpen` of each in progress. Resolves to their
 * milliseconds (`deliver`, `fetch`), the CPU time of the service's event loop during each one (`work`), the `failures`,
 * and `isStalled`, which is true if a client gave up.
 */
export async function measure(service, durationMs, options = {}) {
  const { delivers = true, giveUpMs = GIVE_UP_MS, maxOpen = MAX_OPEN } = options;
  const seen = { deliver: [], fetch: [], work: [], failures: [], isStalled: false };
  const kinds = [
    { times: seen.fetch, act: fetchOnce, open: new Set() },
    ...(delivers ? [{ times: seen.deliver, act: deliverOnce, open: new Set() }] : []),
  ];
  await new Promise((resolve) => {
    const endsAt = performance.now() + durationMs;
    const timer = setInterval(() => {
      for (const { times, act, open } of kinds.filter((kind) => kind.open.size < maxOpen)) {
        const one = timed(service, () => act(service, giveUpMs), times, seen).finally(() => open.delete(one));
        open.add(one);
      }
      if (performance.now() < endsAt && !seen.isStalled && !service.hasEnded) return;
      clearInterval(timer);
      resolve();
    }, EVERY_MS);
  });
  await Promise.all(kinds.flatMap(({ open }) => [...open]));
  return seen;
}

async function timed(service, act, times, seen) {
  const startedAt = performance.now();
  const workBefore = service.hasEnded ? 0 : loopCpuMsOf(service.pid);
  const failure = await act().catch((error) => error.code ?? error.message);
  times.push(performance.now() - startedAt);
  if (!service.hasEnded) seen.work.push(loopCpuMsOf(service.pid) - workBefore);
  if (failure === GAVE_UP) seen.isStalled = true;
  if (failure !== null) seen.failures.push(failure);
}

/** Fetches a small inbox. Resolves to null, or to a text that describes the failure. */
async function fetchOnce(service, timeoutMs) {
  const { status, body } = await request(service, '/api/inbox/small', { localAddress: nextAddress(), timeoutMs });
  return status === 200 && body !== null && JSON.parse(body).count === 1 ? null : `status ${status}`;
}

async function deliverOnce(service, timeoutMs) {
  const inbox = `other-${clients % INBOXES}@inbox.example.com`;
  await deliver(service, MAIL, [inbox], { localAddress: nextAddress(), timeoutMs });
  return null;
}

/** Resolves to true once fetches take less than `promptMs`, or to false after `patienceMs` or if the service exits. */
export async function becomesQuiet(service, patienceMs, promptMs = PROMPT_MS) {
  const endsAt = performance.now() + patienceMs;
  for (let prompt = 0; prompt < PROMPT_IN_A_ROW; ) {
    if (service.hasEnded || performance.now() > endsAt) return false;
    const { fetch, failures } = await measure(service, EVERY_MS, { delivers: false });
    prompt = failures.length === 0 && Math.max(...fetch) < promptMs ? prompt + 1 : 0;
  }
  return true;
}

/** Returns a sentence for each exceeded limit. Waits may last `factor` times as long as on the `idle` service. */
export function waitsOf(seen, idle, factor) {
  const sentences = [];
  for (const kind of ['deliver', 'fetch']) {
    for (const [what, share, boundMs] of [
      ['p95', 0.95, P95_MS],
      ['longest', 1, LONGEST_MS],
    ]) {
      const allowed = Math.max(boundMs, factor * quantile(idle[kind], share));
      const took = quantile(seen[kind], share);
      if (took > allowed) sentences.push(`${kind}: others' ${what} wait was ${ms(took)}, the limit ${ms(allowed)}`);
    }
  }
  const { length } = seen.failures;
  if (length > 0) sentences.push(`${length} requests of others failed: ${[...new Set(seen.failures)].join(', ')}`);
  return sentences;
}

export function ms(value) {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
