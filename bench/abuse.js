// Measures whether one client within its limits can stop other clients (D22). Run by `npm run bench:abuse`.
import { optionsOf, refuse } from '../tools/options.js';
import { ATTACKS, breachOf } from './abuse/attacks.js';
import { becomesQuiet, FACTOR, fillSmallInbox, measure, ms, SHORT_FACTOR, waitsOf } from './abuse/others.js';
import { quantile } from './figures.js';
import { nextMessage, startScript } from './programs.js';
import { startService } from './service.js';

/**
 * The limits with --untimed, for a machine whose load is unknown. Requests may take as long as on a machine with thirty
 * other busy processes. During each, the service's event loop may use `workMs` of CPU time: twice the maximum wait of
 * timed runs, as a shared core doubles CPU time. With one open request of each kind, no client waits for another.
 */
const UNTIMED = { factor: Infinity, giveUpMs: 60_000, promptMs: 5_000, recoveryMs: 60_000, maxOpen: 1, workMs: 2_000 };
const TIMED = { recoveryMs: 15_000, workMs: Infinity };

const HELP = `Usage: npm run bench:abuse -- [--short] [--untimed] [--only WORDS] [--help]

Many clients send small messages and fetch a small inbox, first on an idle service and then during each of ${ATTACKS.length} attacks,
which one client makes as fast as it can. Prints the others' waits and the attacker's results.

  --short        Shorter phases and fewer messages: some two minutes.
  --untimed      Prints the others' waits without judging them, for busy machines and CI. Still fails if others are refused,
                 if the attacker exceeds a limit, or if the service's event loop uses more than ${UNTIMED.workMs} ms of CPU time
                 while one of the others waits.
  --only WORDS   Only the attacks whose name contains this text.
  --help         This text.

Attacks:
${ATTACKS.map(({ name }) => `  ${name}`).join('\n')}

Exit code 1 if the others' p95 exceeds 150 ms, if one of them waits longer than a second or fails, or if the attacker
exceeds a limit. If the service was slow even when idle, waits may be four times (--short: ten times) as long as then.
An attack that delayed others too long runs once more before it counts. Exit code 2 for an invalid option. Linux only.`;

const OPTIONS = {
  short: { type: 'boolean' },
  untimed: { type: 'boolean' },
  only: { type: 'string', default: '' },
};

const [PHASE_MS, SHORT_PHASE_MS] = [10_000, 1_500];

/** Time limit for an attack's preparation, long because the attacker has the lowest priority on a busy machine. */
const PREPARE_TIMEOUT_MS = 900_000;
const TALLY_TIMEOUT_MS = 300_000;

const MEMORY_EVERY_MS = 100;

/** How often an attack runs at most. It is repeated if it delayed other clients. */
const ATTEMPTS = 2;

let service = null;
let serviceFlags = '';

process.exitCode = await main().finally(leave);

async function main() {
  const values = optionsOf(HELP, OPTIONS);
  if (process.platform !== 'linux') refuse('This needs Linux, where 127.0.0.2 is also a loopback address');
  if (!ATTACKS.some(({ name }) => name.includes(values.only))) refuse(`No attack has "${values.only}" in its name`);
  const [phaseMs, factor] = values.short ? [SHORT_PHASE_MS, SHORT_FACTOR] : [PHASE_MS, FACTOR];
  const pace = { phaseMs, factor, ...(values.untimed ? UNTIMED : TIMED) };
  const idle = await measure(await enter(), phaseMs);
  print('idle', idle, {});
  const breaches = [];
  for (const attack of ATTACKS.filter(({ name }) => name.includes(values.only))) {
    const wrong = await tried(attack, idle, pace).catch((error) => leave().then(() => [error.message]));
    breaches.push(...wrong.map((sentence) => `${attack.name}: ${sentence}`));
  }
  console.log(
    breaches.length === 0 ? '\nNo attack stopped others, and every limit held.' : `\nFailed:\n${breaches.join('\n')}`,
  );
  return breaches.length === 0 ? 0 : 1;
}

/** Returns a service with these flags, starting a new one if the flags differ or the last one exited. */
async function enter(flags = []) {
  if (service !== null && !service.hasEnded && String(flags) === serviceFlags) return service;
  await leave();
  serviceFlags = String(flags);
  service = await startService(flags);
  await fillSmallInbox(service);
  // Discards the first measurement, which warms up the measuring code.
  await measure(service, 500);
  return service;
}

async function leave() {
  await service?.stop();
  service = null;
}

/** Runs an attack, and repeats it if other clients waited too long. Resolves to a sentence for each breach. */
async function tried(attack, idle, pace) {
  let beside = idle;
  for (let attempt = 1; ; attempt++) {
    await enter(attack.flags);
    const address = attack.address ?? `127.0.${attempt}.${100 + ATTACKS.indexOf(attack)}`;
    const seen = await attackPhase(attack, address, pace);
    print(attack.name, seen, seen.tally);
    const worked = Math.max(...seen.work);
    const broken = [
      breachOf(attack, seen),
      service.hasEnded && `the service exited: ${service.complaints || 'without output'}`,
      !seen.isQuiet && 'the service did not recover after the attack',
      seen.isStalled && 'the service stalled, which ended the phase',
      worked > pace.workMs && `the service used ${ms(worked)} of CPU time while another client waited`,
    ].filter(Boolean);
    const waits = waitsOf(seen, beside, pace.factor);
    if (!seen.isQuiet || attack.flags !== undefined) await leave();
    // A slow machine can explain `waits` but not `broken`, so the attack is repeated only if `broken` is empty.
    if (waits.length === 0 || broken.length > 0 || attempt === ATTEMPTS) return [...broken, ...waits];
    const again = await measure(await enter(), pace.phaseMs);
    beside = { deliver: [...idle.deliver, ...again.deliver], fetch: [...idle.fetch, ...again.fetch] };
  }
}

/** Runs an attack from one address. Resolves to the measurements of other clients and the attacker's results. */
async function attackPhase({ name, fillsStore }, address, { phaseMs, recoveryMs, promptMs, giveUpMs, maxOpen }) {
  const { host, smtpPort, httpPort } = service;
  const argument = { name, address, service: { host, smtpPort, httpPort } };
  const { child } = await startScript('./abuse/attacker.js', argument, PREPARE_TIMEOUT_MS);
  let memoryMb = 0;
  const watch = setInterval(() => {
    if (!service.hasEnded) memoryMb = Math.max(memoryMb, service.memoryMb());
  }, MEMORY_EVERY_MS);
  try {
    const startedAt = performance.now();
    child.send('begin');
    const seen = await measure(service, phaseMs, { delivers: !fillsStore, giveUpMs, maxOpen });
    const answer = nextMessage(child, TALLY_TIMEOUT_MS);
    child.send('stop');
    const { tally } = await answer;
    const elapsedMs = performance.now() - startedAt;
    const isQuiet = await becomesQuiet(service, recoveryMs, promptMs);
    return { ...seen, tally, elapsedMs, isQuiet, storeBytes: service.storeBytes(), memoryMb };
  } finally {
    clearInterval(watch);
    child.kill('SIGKILL');
  }
}

function print(name, seen, tally) {
  const kinds = ['deliver', 'fetch'].filter((kind) => seen[kind].length > 0);
  const times = kinds.map((kind) => {
    const [p50, p95, longest] = [0.5, 0.95, 1].map((share) => ms(quantile(seen[kind], share)));
    return `${kind} p50 ${p50}, p95 ${p95}, longest ${longest}`;
  });
  const got = Object.entries(tally).map(([what, count]) => `${count} × ${what}`);
  console.log(
    `${name.padEnd(30)} ${times.join('; ')}; failed ${seen.failures.length}; attacker got ${got.join(', ') || '-'}`,
  );
}
