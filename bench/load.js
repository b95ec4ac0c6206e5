// The other clients: how they fare while the service is attacked.
import { GAVE_UP, request } from './http.js';
import { deliver } from './smtp.js';

/**
 * How often a mail is delivered and the small inbox fetched, in milliseconds, whether or not those before are answered.
 */
const EVERY_MS = 20;

/** A client gives up after so long. That counts as a failure, and its time as this long. */
const GIVE_UP_MS = 5_000;

/** How many deliveries, and how many fetches, may be open at once: as many as can begin until the first gives up. */
const MAX_OPEN = GIVE_UP_MS / EVERY_MS;

/** The inbox that is fetched; `fillSmallInbox` fills it. */
const SMALL_INBOX = 'small';
const SMALL_INBOX_EMAILS = 3;

/** How many inboxes the mails go to in turn. A run delivers far fewer than fill them. */
const INBOXES = 100;

/** After an attack, the service counts as quiet once this many fetches in a row are this fast, by default. */
const PROMPT_MS = 100;
const PROMPT_IN_A_ROW = 3;

const MAIL = Buffer.from(
  'From: app@bench.test\r\nSubject: Welcome\r\n\r\nYour code is 482913.\r\nIt is valid for ten minutes.\r\n',
);

/** Which client acts next: each has an address of its own, so that none comes near a limit. */
let clients = 0;

/** 127.16.0.0 to 127.255.255.255, which no attacker uses. */
function nextAddress() {
  clients += 1;
  return `127.${16 + ((clients >> 16) % 240)}.${(clients >> 8) & 255}.${clients & 255}`;
}

/** Makes the inbox that is fetched. */
export async function fillSmallInbox(service) {
  for (let n = 0; n < SMALL_INBOX_EMAILS; n++) await deliver(service, MAIL, [`${SMALL_INBOX}@inbox.example.com`]);
}

/**
 * Delivers and fetches for `durationMs` and resolves to `{ deliver, fetch, work, failures, isStalled }`: how long each
 * delivery (from connecting to the 250) and each fetch took, in milliseconds; how much processor time the service's
 * event loop used during each (`work`); a count for each failure; and whether it ended early, because a client gave up.
 * With `delivers` false, as for a full store, nothing is delivered. At most `maxOpen` deliveries, and as many fetches,
 * are open at once.
 */
export async function measure(service, durationMs, options = {}) {
  const { delivers = true, giveUpMs = GIVE_UP_MS, maxOpen = MAX_OPEN } = options;
  const seen = { deliver: [], fetch: [], work: [], failures: new Map(), isStalled: false };
  const kinds = [
    { times: seen.fetch, act: fetchOnce, open: new Set() },
    ...(delivers ? [{ times: seen.deliver, act: deliverOnce, open: new Set() }] : []),
  ];
  const begin = ({ times, act, open }) => {
    if (open.size >= maxOpen) return;
    const one = timed(service, () => act(service, giveUpMs), times, seen).finally(() => open.delete(one));
    open.add(one);
  };
  await new Promise((resolve) => {
    const endsAt = performance.now() + durationMs;
    const timer = setInterval(() => {
      for (const kind of kinds) begin(kind);
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
  const workBefore = service.hasEnded ? 0 : service.loopCpuMs();
  let failure = null;
  try {
    failure = await act();
  } catch (error) {
    failure = error.code ?? error.message;
  }
  times.push(performance.now() - startedAt);
  if (!service.hasEnded) seen.work.push(service.loopCpuMs() - workBefore);
  if (failure === GAVE_UP) seen.isStalled = true;
  if (failure !== null) seen.failures.set(failure, (seen.failures.get(failure) ?? 0) + 1);
}

/** Resolves to null, or to the fault of the answer. */
async function fetchOnce(service, timeoutMs) {
  const path = `/api/inbox/${SMALL_INBOX}`;
  const { status, body } = await request(service, path, { localAddress: nextAddress(), timeoutMs });
  if (status !== 200) return status;
  if (body === null) return 'cut';
  return JSON.parse(body).count === SMALL_INBOX_EMAILS ? null : 'wrong count';
}

async function deliverOnce(service, timeoutMs) {
  const inbox = `other-${clients % INBOXES}@inbox.example.com`;
  await deliver(service, MAIL, [inbox], { localAddress: nextAddress(), timeoutMs });
  return null;
}

/**
 * Resolves to true once fetches are answered within `promptMs` again, to false when that takes longer than
 * `patienceMs`.
 */
export async function becomesQuiet(service, patienceMs, promptMs = PROMPT_MS) {
  const endsAt = performance.now() + patienceMs;
  for (let prompt = 0; prompt < PROMPT_IN_A_ROW; ) {
    if (service.hasEnded || performance.now() > endsAt) return false;
    const { fetch, failures } = await measure(service, EVERY_MS, { delivers: false });
    prompt = failures.size === 0 && Math.max(...fetch) < promptMs ? prompt + 1 : 0;
  }
  return true;
}
