/** Whether reading is linear (D20), by processor time: only ratios within one run are looked at, never times. */

/** So many times the input is measured beside the input once. */
export const TIMES = 8;

/**
 * Then it may take so many times as long. What is quadratic takes 64 times. What is linear takes 8 times, and was seen to take up
 * to 17: what is made of a small input dies young, while that of a larger one outlives a collection of garbage and is copied.
 */
export const MAX_GROWTH = 24;

/** How often the smaller one is measured, which takes the least time. */
const MEASUREMENTS = 3;

/** Times below this say nothing: what takes less is run as often as it needs to. */
const MIN_TIME_MS = 2;

/** A busy machine and the compiler can spoil a measurement, and only for the worse: what is quadratic fails every time. */
const ATTEMPTS = 12;

/** How many times as long `TIMES` the input takes. `prepare` makes input of a size, and answers what reads it. */
export function growthOf(prepare: (size: number) => () => unknown, size: number): number {
  return timesAsLong(prepare(size), prepare(TIMES * size), MAX_GROWTH);
}

/** How many times as long one of two takes as the other; measured again as long as it is more than `most`. */
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
