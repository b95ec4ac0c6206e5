/** Helpers for tests of linear time (D20), which compare the CPU times of two inputs in the same run. */

/** Factor between the sizes of the two inputs. */
export const TIMES = 8;

/**
 * Maximum ratio of the times. Quadratic code reaches 64. Linear code reaches 8, and at most 17 in practice, because
 * objects of a larger input survive a garbage collection and are copied.
 */
export const MAX_GROWTH = 24;

/** Number of measurements of the smaller input. The shortest one counts. */
const MEASUREMENTS = 3;

/** Shorter runs are repeated, because their times are inaccurate. */
const MIN_TIME_MS = 2;

/** Compilation and other load can only lengthen a measurement, so it is retried. Quadratic code fails every attempt. */
const ATTEMPTS = 12;

/** The ratio of the times for a large and a small input (see `TIMES`). `prepare(size)` returns the run to time. */
export function growthOf(prepare: (size: number) => () => unknown, size: number): number {
  return timesAsLong(prepare(size), prepare(TIMES * size), MAX_GROWTH);
}

/** How many times as long `other` takes as `one`. Measures again if the ratio is not below `most`. */
export function timesAsLong(one: () => unknown, other: () => unknown, most: number): number {
  let runs = 1;
  while (leastMs(one, runs) < MIN_TIME_MS) runs *= 2;
  let smallest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && smallest >= most; attempt++)
    smallest = Math.min(smallest, processorMs(other, runs) / leastMs(one, runs));
  return smallest;
}

/** The minimum of several measurements, which is least affected by compilation and garbage collection. */
function leastMs(run: () => unknown, runs: number): number {
  return Math.min(...Array.from({ length: MEASUREMENTS }, () => processorMs(run, runs)));
}

/** CPU time of this process, which other processes on a busy machine do not lengthen. */
function processorMs(run: () => unknown, runs: number): number {
  const start = process.cpuUsage();
  for (let count = 0; count < runs; count++) run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
