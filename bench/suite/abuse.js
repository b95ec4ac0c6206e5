// What others wait for while one client does its worst: the command of its own, as one of the benchmarks.
import { fileURLToPath } from 'node:url';
import { runProgram } from '../programs.js';

const COMMAND = fileURLToPath(new URL('../abuse.js', import.meta.url));

/** How long all attacks may take. */
const TIMEOUT_MS = 1_800_000;

export const abuse = {
  name: 'abuse',
  title: 'One client against the others',
  about:
    'How long other clients wait while one attacks within its limits (`npm run bench:abuse`). Aim: their p95 stays under ' +
    '50 ms for deliveries and 20 ms for fetches, and they are never refused.',
  run: runAttacks,
};

async function runAttacks({ isShort, progress }) {
  progress('this has several phases of its own');
  const args = [COMMAND, ...(isShort ? ['--short'] : [])];
  const options = { debianPackage: 'nodejs', timeout: TIMEOUT_MS, canFail: true };
  return { figures: [], text: (await runProgram(process.execPath, args, options)).trim() };
}
