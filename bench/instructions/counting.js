// Counts CPU instructions per message: counts a process that parses it, and subtracts a process that only warms up.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { joinModules } from '../../tools/build.js';
import { htmlMail, textMail } from '../sample-mails.js';

const run = promisify(execFile);

const COUNTED = fileURLToPath(new URL('./counted.js', import.meta.url));

/**
 * Flags that make runs reproducible within 0.1 %. Compilation and garbage collection run on one thread at deterministic
 * moments. The heap has a fixed size, because its growth otherwise depends on time: a busy machine counted 8 % more.
 */
const STEADY_FLAGS = [
  ...['--predictable', '--predictable-gc-schedule', '--single-threaded', '--hash-seed=1', '--random-seed=1'],
  ...['--min-semi-space-size=64', '--max-semi-space-size=64'],
  '--interrupt-budget=2000',
];

/** Warm-up rounds before counting. After 800 rounds, compilation still takes 4 % of the instructions. */
const WARM_UP = 1_600;

const MAILS = [
  { name: '14 KB HTML', make: htmlMail, times: 400 },
  { name: '2 KB text', make: textMail, times: 1_200 },
];

/** The measured subjects: Mayfly's whole work for a new message, and another parser for comparison. */
export const ARRIVAL = 'arrival';
export const POSTAL_MIME = 'postal-mime';

const AT_ONCE = Math.min(2, availableParallelism());

/** Resolves to the subject's instructions per message, by name. */
export async function instructionsOf(subject) {
  const mails = Object.fromEntries(
    await Promise.all(MAILS.map(async ({ name, make }) => [name, (await make()).toString('base64')])),
  );
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-count-'));
  try {
    const program = path.join(folder, 'counted.cjs');
    // One file, because the load order of separate files depends on the disk, which changed counts by up to 20 %.
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

/** Runs a few jobs in parallel and resolves to their results in order. */
async function inTurn(jobs) {
  const results = [];
  const waiting = jobs.entries();
  const lane = async () => {
    for (const [at, job] of waiting) results[at] = await job();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

/** Time limit for a count, which normally takes half a minute. */
const TIMEOUT_MS = 900_000;

const [MAX_OUTPUT_BYTES, MAX_REASON_CHARACTERS] = [1_000_000, 1_000];

/** Resolves to a sentence if valgrind does not work here; otherwise to null. */
export async function missingCounter() {
  try {
    await instructionsOfCommand(['true']);
    return null;
  } catch (error) {
    const reason = error.code === 'ENOENT' ? 'not installed' : error.message.split('\n')[0];
    return `valgrind does not work here (${reason}). Install Debian's package valgrind.`;
  }
}

let files = 0;

/** Counts a command's instructions in user space. Cachegrind without a cache takes a third of callgrind's time. */
async function instructionsOfCommand(command) {
  files += 1;
  const file = path.join(tmpdir(), `mayfly-count-${process.pid}-${files}`);
  const cachegrind = ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', `--log-file=${file}`];
  try {
    await run('valgrind', [...cachegrind, ...command], { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES });
    return instructionsIn(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.cmd === undefined || error.code === 'ENOENT') throw error;
    // The error's own message contains the whole command with all messages.
    const why = error.killed
      ? `it took longer than ${TIMEOUT_MS / 1000} s`
      : error.stderr.trim().slice(-MAX_REASON_CHARACTERS);
    throw new Error(`valgrind failed: ${why || `exit code ${error.code}`}`, { cause: error.code });
  } finally {
    rmSync(file, { force: true });
  }
}

/** Parses valgrind's count (`==1== I refs: 1,234`). */
export function instructionsIn(output) {
  const [, count] = /\bI +refs: +([\d,]+)/.exec(output) ?? [];
  if (count === undefined) throw new Error('it counted nothing');
  return Number(count.replaceAll(',', ''));
}

/** The factor by which a count may grow. Runs differ by less than 0.1 %, but small changes affect V8's inlining. */
export const TOLERANCE = 1.1;

/** Returns the key of recorded counts, which are comparable only for the same V8 and processor. */
export function keyOf({ node, arch }) {
  return `valgrind, Node ${node.split('.')[0]}, ${arch}`;
}

/** Compares counts with recorded counts. Returns `{ rows, worse }`, two lists of sentences. */
export function compared(now, recorded) {
  const rows = [];
  const worse = [];
  for (const [mail, count] of Object.entries(now)) {
    const before = recorded[mail];
    const change = before === undefined ? 'nothing recorded' : `${signed(count / before - 1)} of ${millions(before)}`;
    rows.push(`${mail.padEnd(12)} ${millions(count)} (${change})`);
    if (before !== undefined && count > before * TOLERANCE) {
      worse.push(`A message of ${mail} costs ${millions(count)} instructions; recorded: ${millions(before)}.`);
    }
  }
  return { rows, worse };
}

/** Formats a count as `1.61 M`. */
export function millions(count) {
  return `${(count / 1e6).toFixed(2)} M`;
}

function signed(share) {
  return `${share < 0 ? '-' : '+'}${Math.abs(share * 100).toFixed(1)} %`;
}
