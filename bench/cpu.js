// Reads a process's CPU time and memory. Unlike a rate, CPU time hardly depends on the machine's load.
import { readFileSync } from 'node:fs';

/** The unit of Linux's process times (`getconf CLK_TCK` is 100 wherever Node runs). */
const TICK_MS = 10;

/** CPU milliseconds of all threads of a process so far. */
export function cpuMsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The process name in parentheses may contain blanks. utime and stime are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** CPU milliseconds of a Node process's event loop (its first thread), from a finer clock than `cpuMsOf` reads. */
export function loopCpuMsOf(pid) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
}

/** Resident memory of a process in MB. */
export function memoryMbOf(pid) {
  const [, kb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kb) / 1024;
}
