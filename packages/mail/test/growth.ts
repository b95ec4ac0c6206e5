/** Tests for linear time (D20). They compare the processor times of two inputs in the same run. */

/** How many times longer the larger input is. */
export const TIMES = 8;

/**
 * The largest ratio of the times. Quadratic code reaches 64. Linear code reaches 8, and at most 17 when measured: objects
 * of a larger input survive a garbage collection and are copied.
 */
export const MAX_GROWTH = 24;

/** The least of this many measurements of the smaller input counts. */
const MEASUREMENTS = 3;

/** Shorter runs are repeated, because their times are too inexact. */
const MIN_TIME_MS = 2;

/** A busy machine and the compiler only lengthen a measurement, so quadratic code fails every attempt. */
const ATTEMPTS = 12;

/** The ratio of the times for `TIMES` the input and the input. `prepare` returns a run over input of a size. */
export function growthOf(prepare: (size: number) => () => unknown, size: number): number {
  return timesAsLong(prepare(size), prepare(TIMES * size), MAX_GROWTH);
}

/** The ratio of the times of two runs, measured again while it exceeds `most`. */
export function timesAsLong(one: () => unknown, other: () => unknown, most: number): number {
  let runs = 1;
  while (leastMs(one, runs) < MIN_TIME_MS) runs *= 2;
  let smallest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && smallest >= most; attempt++)
    smallest = Math.min(smallest, processorMs(other, runs) / leastMs(one, runs));
  return smallest;
}

/** The least of several measurements: what else the process does, such as compiling and collecting garbage, comes on top. */
function leastMs(run: () => unknown, runs: number): number {
  return Math.min(...Array.from({ length: MEASUREMENTS }, () => processorMs(run, runs)));
}

/** Processor time of this process, which other processes on a busy machine do not lengthen as they do time on the clock. */
function processorMs(run: () => unknown, runs: number): number {
  const start = process.cpuUsage();
  for (let count = 0; count < runs; count++) run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
