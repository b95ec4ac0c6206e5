// Counts the instructions that a mail costs: what a process that reads some more of it takes beyond one that does not.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { joinModules } from '../../tools/join-modules.js';
import { htmlMail, textMail } from '../sample-mails.js';

const run = promisify(execFile);

const COUNTED = fileURLToPath(new URL('./counted.js', import.meta.url));

/**
 * What makes two runs of V8 take the same instructions (within 0.1 %): compiling and collecting garbage on the one
 * thread, at moments that follow from the program and not from the clock, in a heap of one size (V8 grows it by how
 * much is allocated in a second, so a busy machine counted 8 % more), and tables hashed the same way. With its usual
 * interrupt budget V8 compiles the last functions only after some 1,600 mails.
 */
const STEADY_FLAGS = [
  ...['--predictable', '--predictable-gc-schedule', '--single-threaded', '--hash-seed=1', '--random-seed=1'],
  ...['--min-semi-space-size=64', '--max-semi-space-size=64'],
  '--interrupt-budget=2000',
];

/** How often each mail is read before counting: after 800, compiling the hot code still makes 4 % of a figure. */
const WARM_UP = 1_600;

/** The mails, and how often each is read to be counted. */
const MAILS = [
  { name: '14 KB HTML', make: htmlMail, times: 400 },
  { name: '2 KB text', make: textMail, times: 1_200 },
];

/** What reads the mails: all that we do at arrival, and another parser as a measure. */
export const ARRIVAL = 'arrival';
export const POSTAL_MIME = 'postal-mime';

/** How many processes count at once. */
const AT_ONCE = Math.min(2, availableParallelism());

/** Resolves to the instructions that a mail costs the subject, by the name of the mail. */
export async function instructionsOf(subject) {
  const mails = Object.fromEntries(
    await Promise.all(MAILS.map(async ({ name, make }) => [name, (await make()).toString('base64')])),
  );
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-count-'));
  try {
    const program = path.join(folder, 'counted.cjs');
    // The order in which modules load depends on the disk, and what V8 compiles depends on that order. Counts of the same
    // code in separate files differed by up to 20 %.
    writeFileSync(program, await joinModules(COUNTED, { treeshake: { moduleSideEffects: false } }));
    const count = ({ name, times }) => {
      const task = { subject, warmUp: WARM_UP, mails, mail: name, times };
      return () => instructionsOfCommand([process.execPath, ...STEADY_FLAGS, program, JSON.stringify(task)]);
    };
    const [base, ...counts] = await inTurn([count({ ...MAILS[0], times: 0 }), ...MAILS.map(count)]);
    return Object.fromEntries(MAILS.map(({ name, times }, mail) => [name, Math.round((counts[mail] - base) / times)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the jobs, a few at once, and resolves to their results in the order of the jobs. */
async function inTurn(jobs) {
  const results = [];
  const waiting = jobs.entries();
  const lane = async () => {
    for (const [at, job] of waiting) results[at] = await job();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

/** How long one counted process may take: half a minute where it has a processor for itself. */
const TIMEOUT_MS = 900_000;

/** How much a counted process and its counter may print, and how much of it is told when it failed. */
const [MAX_OUTPUT_BYTES, MAX_REASON_CHARACTERS] = [1_000_000, 1_000];

/** Why nothing can count here, as a sentence; null where valgrind can. */
export async function missingCounter() {
  try {
    await instructionsOfCommand(['true']);
    return null;
  } catch (error) {
    const reason = error.code === 'ENOENT' ? 'not installed' : error.message.split('\n')[0];
    return `nothing counts instructions here (valgrind: ${reason}). Debian's package valgrind does.`;
  }
}

let files = 0;

/**
 * The instructions that a command takes in user space. Cachegrind counts as callgrind does, in two thirds of the time,
 * and without its cache simulation in half of that.
 */
async function instructionsOfCommand(command) {
  files += 1;
  const file = path.join(tmpdir(), `mayfly-count-${process.pid}-${files}`);
  const cachegrind = ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', `--log-file=${file}`];
  try {
    await run('valgrind', [...cachegrind, ...command], { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES });
    return instructionsIn(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.cmd === undefined || error.code === 'ENOENT') throw error;
    // Its own message is the whole command, mails included.
    const why = error.killed
      ? `it took longer than ${TIMEOUT_MS / 1000} s`
      : error.stderr.trim().slice(-MAX_REASON_CHARACTERS);
    throw new Error(`valgrind failed: ${why || `exit code ${error.code}`}`, { cause: error.code });
  } finally {
    rmSync(file, { force: true });
  }
}

/** The count in what valgrind wrote (`==1== I refs: 1,234`). Throws without one. */
export function instructionsIn(output) {
  const [, count] = /\bI +refs: +([\d,]+)/.exec(output) ?? [];
  if (count === undefined) throw new Error('it counted nothing');
  return Number(count.replaceAll(',', ''));
}

/**
 * How much more than recorded a mail may cost. Runs of the same code differ by less than 0.1 %, beside any load, but a
 * small change of the code may change what V8 inlines.
 */
export const TOLERANCE = 1.1;

/** The key of what can be compared: another V8 counts otherwise. */
export function keyOf({ node, arch }) {
  return `valgrind, Node ${node.split('.')[0]}, ${arch}`;
}

/** Compares the cost of each mail with its recorded cost, if it has one: `{ rows, worse }`, lists of sentences. */
export function compared(now, recorded) {
  const rows = [];
  const worse = [];
  for (const [mail, count] of Object.entries(now)) {
    const before = recorded[mail];
    const change = before === undefined ? 'nothing recorded' : `${signed(count / before - 1)} of ${millions(before)}`;
    rows.push(`${mail.padEnd(12)} ${millions(count)} (${change})`);
    if (before !== undefined && count > before * TOLERANCE) {
      worse.push(`A mail of ${mail} costs ${millions(count)} instructions, ${millions(before)} are recorded.`);
    }
  }
  return { rows, worse };
}

/** `1.61 M` */
export function millions(count) {
  return `${(count / 1e6).toFixed(2)} M`;
}

function signed(share) {
  return `${share < 0 ? '-' : '+'}${Math.abs(share * 100).toFixed(1)} %`;
}
