// Shows that one client within its limits cannot stop the others (D22). Run by `npm run bench:abuse`; `--help` says
// how.
import { parseArgs } from 'node:util';
import { ATTACKS } from './attacks.js';
import { FACTOR, overworkOf, SHORT_FACTOR, UNTIMED_FACTOR, UNTIMED_PATIENCE, waitsOf } from './judge.js';
import { attackPhase } from './phase.js';
import { heading, row } from './report.js';
import { Stage } from './stage.js';

const HELP = `Usage: npm run bench:abuse -- [--short] [--untimed] [--only WORDS] [--help]

Shows that one client within its limits cannot stop the others. Starts the service with its default settings and a store on
disk; many clients with an address each deliver small mails and fetch a small inbox, first while nothing else happens
("idle") and then during each of ${ATTACKS.length} attacks, which one client makes as fast as it can. Prints what others waited for.

  --short        Shorter phases and fewer messages: some two minutes.
  --untimed      How long the others waited is printed and fails nothing: for a machine that is busy with other things. What
                 fails is still what was refused to them, what the attacker was let through, and a service that stood still:
                 whose event loop used more than ${UNTIMED_PATIENCE.workMs} ms of processor time while one of them waited. This is what CI runs.
  --only WORDS   Only the attacks whose name contains this text.
  --help         This text.

Attacks:
${ATTACKS.map(({ name }) => `  ${name}`).join('\n')}

Exit code 1 when others' p95 passes 50 ms (deliver) or 20 ms (fetch), one of them waits for more than 300 ms or fails, or the
attacker gets what a limit forbids. Since machines are shared, four times what idle took in the same run (with --short, ten
times) is allowed where that is more, and an attack that is over it is measured once more, beside a new idle. Exit code 2 when
an option is not understood.

It needs Linux, where all of 127.0.0.0/8 is this machine. Nothing leaves the machine; all processes are its own and end with it.`;

/** How long each phase lasts. */
const PHASE_MS = 10_000;
const SHORT_PHASE_MS = 1_500;

/** An attack that others noticed is made so often in all. */
const ATTEMPTS = 2;

process.exitCode = await main();

async function main() {
  const options = readOptions();
  if (typeof options === 'number') return options;
  const stage = new Stage(options);
  try {
    return await run(stage, options);
  } catch (error) {
    progress(error.message);
    return 1;
  } finally {
    await stage.leave();
  }
}

function readOptions() {
  try {
    const flags = {
      short: { type: 'boolean' },
      untimed: { type: 'boolean' },
      only: { type: 'string' },
      help: { type: 'boolean' },
    };
    const { values } = parseArgs({ options: flags });
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    if (process.platform !== 'linux') throw new Error('This needs Linux, where 127.0.0.2 is this machine too.');
    const attacks = ATTACKS.filter(({ name }) => name.includes(values.only ?? ''));
    if (attacks.length === 0) throw new Error(`No attack has "${values.only}" in its name.`);
    const isShort = values.short === true;
    const pace = isShort ? { phaseMs: SHORT_PHASE_MS, factor: SHORT_FACTOR } : { phaseMs: PHASE_MS, factor: FACTOR };
    return {
      attacks,
      isShort,
      ...pace,
      ...(values.untimed === true && { factor: UNTIMED_FACTOR, patience: UNTIMED_PATIENCE }),
    };
  } catch (error) {
    console.error(`bench:abuse: ${error.message.replace(/\.?$/, '.')} Try --help.`);
    return 2;
  }
}

async function run(stage, { attacks, isShort, phaseMs, factor, patience }) {
  progress('idle ...');
  const idle = await stage.idle(phaseMs);
  const rows = [row({ ...idle, name: 'idle', tally: {} }, idle)];
  const breaches = [];
  for (const attack of attacks) {
    const { seen, wrong } = await triedOrFailed(stage, attack, { isShort, phaseMs, factor, patience, idle });
    if (seen !== null) rows.push(row({ ...seen, name: attack.name }, idle));
    breaches.push(...wrong.map((sentence) => `${attack.name}: ${sentence}.`));
    progress(wrong.length === 0 ? 'others did not notice' : wrong.join('; '));
  }
  console.log([heading(), ...rows].join('\n'));
  console.log(
    breaches.length === 0 ? '\nNobody was stopped, and nothing was let through.' : `\nFailed:\n${breaches.join('\n')}`,
  );
  return breaches.length === 0 ? 0 : 1;
}

/** As `tried`. An attack that could not be made counts as a breach; the other attacks go on, with a new service. */
async function triedOrFailed(stage, attack, pace) {
  try {
    return await tried(stage, attack, pace);
  } catch (error) {
    await stage.leave();
    return { seen: null, wrong: [error.message.replace(/\.$/, '')] };
  }
}

/**
 * Makes an attack, again if others waited too long, and resolves to the last attempt and its breaches.
 */
async function tried(stage, attack, { isShort, phaseMs, factor, patience, idle }) {
  let beside = idle;
  for (let attempt = 1; ; attempt++) {
    progress(`${attack.name}${attempt > 1 ? ', once more' : ''} ...`);
    const service = await stage.enter(attack.flags);
    const address = attack.address ?? `127.0.${attempt}.${100 + ATTACKS.indexOf(attack)}`;
    const pace = { isShort, durationMs: phaseMs, idleCpuShare: idle.cpuShare, ...patience };
    const seen = await attackPhase(service, attack, { address, ...pace });
    const wrong = [
      attack.breach?.(seen) ?? null,
      stallOf(service, seen),
      overworkOf(seen, patience?.workMs ?? Infinity),
    ];
    const broken = wrong.filter((sentence) => sentence !== null);
    const waits = waitsOf(seen, beside, factor);
    if (!seen.isQuiet || attack.flags !== undefined) await stage.leave();
    // A slow machine excuses long waits, but neither a breach nor a stalled service.
    if (waits.length === 0 || broken.length > 0 || attempt === ATTEMPTS) return { seen, wrong: [...broken, ...waits] };
    progress(`${waits.join('; ')}; idle once more ...`);
    beside = slower(idle, await stage.idle(phaseMs));
  }
}

function stallOf(service, { isStalled, isQuiet }) {
  if (service.hasEnded) return `the service ended: ${service.complaints || 'it said nothing'}`;
  if (!isQuiet) return 'the service did not come back after the attack, and another one was started';
  return isStalled ? 'the service stood still, and the phase was ended' : null;
}

/** Both measurements of an idle service as one. */
function slower(one, other) {
  return { deliver: [...one.deliver, ...other.deliver], fetch: [...one.fetch, ...other.fetch] };
}

function progress(text) {
  process.stderr.write(`bench:abuse: ${text}\n`);
}
