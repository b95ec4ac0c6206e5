// The processor time of a process: unlike a rate it hardly depends on what else the machine does.
import { readFileSync } from 'node:fs';

/** What one tick of Linux's process times is (`getconf CLK_TCK` is 100 everywhere that Node runs). */
const TICK_MS = 10;

/** Milliseconds of processor time that a process has used so far, all of its threads together. */
export function cpuMsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the process, in parentheses, may hold blanks; utime and stime are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The same, without ticks, of the thread that runs a Node process's event loop, which is its first. */
export function loopCpuMsOf(pid) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
}

/** The memory of a process in MB: everything that is mapped in. */
export function memoryMbOf(pid) {
  const [, kb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kb) / 1024;
}
