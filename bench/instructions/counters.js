// What can count the instructions of a process. A count stays the same however busy the machine is, unlike a time.
import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * How long one counted process may take; under valgrind one takes half a minute where it has a processor for itself.
 */
const TIMEOUT_MS = 900_000;

/** How much a counted process and its counter may print. */
const MAX_OUTPUT_BYTES = 1_000_000;

/** How much of what a process said before it failed is told. */
const MAX_REASON_CHARACTERS = 1_000;

/**
 * A counter: its `name`, and `count(command)`, which runs a command (the program and its arguments) and resolves to the
 * instructions that it took in user space. Rejects when the command fails, and when nothing was counted.
 */
const PERF = {
  name: 'perf',
  count: (command) =>
    counted((file) => ['perf', 'stat', '-x', ',', '-e', 'instructions:u', '-o', file, '--', ...command]),
};

/** Cachegrind counts as callgrind does, in two thirds of the time, and without its cache simulation in half of that. */
const VALGRIND = {
  name: 'valgrind',
  count: (command) =>
    counted((file) => [
      'valgrind',
      ...['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', `--log-file=${file}`],
      ...command,
    ]),
};

/** Resolves to `{ counter }`, the cheapest that works here, or to `{ reason }`, a sentence, when there is none. */
export async function findCounter() {
  const reasons = [];
  for (const counter of [PERF, VALGRIND]) {
    try {
      await counter.count(['true']);
      return { counter };
    } catch (error) {
      reasons.push(`${counter.name}: ${reasonOf(error)}`);
    }
  }
  return { reason: `nothing counts instructions here (${reasons.join('; ')}). Debian's package valgrind does.` };
}

function reasonOf(error) {
  return error.code === 'ENOENT' ? 'not installed' : error.message.split('\n')[0];
}

let files = 0;

async function counted(commandWith) {
  files += 1;
  const file = path.join(tmpdir(), `mayfly-count-${process.pid}-${files}`);
  const [program, ...args] = commandWith(file);
  try {
    await run(program, args, { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES });
    return instructionsIn(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.cmd === undefined || error.code === 'ENOENT') throw error;
    // Its own message is the whole command, mails included.
    const why = error.killed
      ? `it took longer than ${TIMEOUT_MS / 1000} s`
      : error.stderr.trim().slice(-MAX_REASON_CHARACTERS);
    throw new Error(`${program} failed: ${why || `exit code ${error.code}`}`, { cause: error.code });
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * The count in what perf (`123,,instructions:u,…`) or valgrind (`==1== I refs: 1,234`) wrote. Throws when there is
 * none.
 */
export function instructionsIn(output) {
  const [, byPerf] = /^(\d+),[^,]*,instructions/m.exec(output) ?? [];
  const [, byValgrind] = /\bI +refs: +([\d,]+)/.exec(output) ?? [];
  const count = byPerf ?? byValgrind?.replaceAll(',', '');
  if (count === undefined) throw new Error(/<[^>]*>/.exec(output)?.[0] ?? 'it counted nothing');
  return Number(count);
}
