// The other clients: how they fare while the service is attacked, and whether that was too long.
import { loopCpuMsOf } from '../cpu.js';
import { quantile } from '../figures.js';
import { GAVE_UP, request } from '../http.js';
import { deliver } from '../smtp.js';

/** How often a mail is delivered and a small inbox fetched, whether or not those before are answered. */
const EVERY_MS = 20;

/** A client gives up after so long, which counts as a failure. As many may be open as can begin until then. */
const GIVE_UP_MS = 5_000;
const MAX_OPEN = GIVE_UP_MS / EVERY_MS;

/** How many inboxes the mails go to in turn. A run delivers far fewer than fill them. */
const INBOXES = 100;

/** After an attack, the service counts as quiet once this many fetches in a row are this fast, by default. */
const [PROMPT_MS, PROMPT_IN_A_ROW] = [100, 3];

const MAIL = Buffer.from('From: app@bench.test\r\nSubject: Welcome\r\n\r\nYour code is 482913.\r\n');

/** Limits for other clients: their 95th percentile, and their longest wait, in milliseconds. */
const P95_MS = 150;
const LONGEST_MS = 1_000;

/** How many times what idle took a slow machine may take, and a short phase, most of which is the allowed burst. */
export const [FACTOR, SHORT_FACTOR] = [4, 10];

/** Which client acts next: each has an address of its own, so that none comes near a limit. */
let clients = 0;

/** 127.16.0.0 to 127.255.255.255, which no attacker uses. */
function nextAddress() {
  clients += 1;
  return `127.${16 + ((clients >> 16) % 240)}.${(clients >> 8) & 255}.${clients & 255}`;
}

/** Makes the inbox that is fetched. */
export function fillSmallInbox(service) {
  return deliver(service, MAIL, ['small@inbox.example.com']);
}

/**
 * Delivers and fetches for `durationMs` and resolves to `{ deliver, fetch, work, failures, isStalled }`: how long each
 * delivery (from connecting to the 250) and each fetch took, in milliseconds; how much processor time the service's
 * event loop used during each (`work`); the failures; and whether it ended early, because a client gave up. With
 * `delivers` false, as for a full store, nothing is delivered. At most `maxOpen` of each are open at once.
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

/** Resolves to null, or to the fault of the answer. */
async function fetchOnce(service, timeoutMs) {
  const { status, body } = await request(service, '/api/inbox/small', { localAddress: nextAddress(), timeoutMs });
  return status === 200 && body !== null && JSON.parse(body).count === 1 ? null : `status ${status}`;
}

async function deliverOnce(service, timeoutMs) {
  const inbox = `other-${clients % INBOXES}@inbox.example.com`;
  await deliver(service, MAIL, [inbox], { localAddress: nextAddress(), timeoutMs });
  return null;
}

/** Resolves to whether fetches are answered within `promptMs` again, at most `patienceMs` later. */
export async function becomesQuiet(service, patienceMs, promptMs = PROMPT_MS) {
  const endsAt = performance.now() + patienceMs;
  for (let prompt = 0; prompt < PROMPT_IN_A_ROW; ) {
    if (service.hasEnded || performance.now() > endsAt) return false;
    const { fetch, failures } = await measure(service, EVERY_MS, { delivers: false });
    prompt = failures.length === 0 && Math.max(...fetch) < promptMs ? prompt + 1 : 0;
  }
  return true;
}

/**
 * A sentence for each limit that other clients exceeded. `idle` is what they saw of an idle service: machines are
 * shared, so `factor` times its times are allowed. A failed request counts even if it failed fast.
 */
export function waitsOf(seen, idle, factor) {
  const sentences = [];
  for (const kind of ['deliver', 'fetch']) {
    for (const [what, share, boundMs] of [
      ['p95', 0.95, P95_MS],
      ['longest', 1, LONGEST_MS],
    ]) {
      const allowed = Math.max(boundMs, factor * quantile(idle[kind], share));
      const took = quantile(seen[kind], share);
      if (took > allowed) sentences.push(`the ${what} ${kind} of others took ${ms(took)}; ${ms(allowed)} are allowed`);
    }
  }
  const { length } = seen.failures;
  if (length > 0) sentences.push(`${length} requests of others failed: ${[...new Set(seen.failures)].join(', ')}`);
  return sentences;
}

/** Milliseconds as a person reads them. */
export function ms(value) {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
