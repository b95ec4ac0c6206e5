// Judges whether other clients had to wait. Machines are shared, so the limits also depend on the idle times of the
// same run.
import { quantile } from './statistics.js';

/** Limits for other clients: their 95th percentile, and their longest wait, in milliseconds. */
const P95_MS = { deliver: 50, fetch: 20 };
const LONGEST_MS = 300;

/** How many times the idle time a slow machine may take. */
export const FACTOR = 4;

/**
 * The same in a short phase, most of which is the burst that a limit allows at its beginning. Before the faults were
 * mended it was 40 to 800.
 */
export const SHORT_FACTOR = 10;

/** Where times are not judged: others may wait as long as they do, and only what failed counts. */
export const UNTIMED_FACTOR = Number.POSITIVE_INFINITY;

/**
 * There, a service stands still if it does so for longer than a machine with thirty things to do, or if its event loop
 * works for so long on other things while one of the others waits: `workMs` of processor time, several times what
 * quiet machine allows. Such a machine makes all work dearer. Only one of each kind is open, so that none waits for the
 * work of another.
 */
export const UNTIMED_PATIENCE = { giveUpMs: 60_000, promptMs: 5_000, recoveryMs: 60_000, maxOpen: 1, workMs: 500 };

/** The limits by kind of request, in milliseconds, given the times of an idle service. */
function allowedBeside(idle, factor) {
  return Object.fromEntries(
    Object.entries(P95_MS).map(([kind, p95Ms]) => [
      kind,
      {
        p95: Math.max(p95Ms, factor * quantile(idle[kind], 0.95)),
        max: Math.max(LONGEST_MS, factor * quantile(idle[kind], 1)),
      },
    ]),
  );
}

/**
 * A sentence for each limit that other clients exceeded. `seen` is the result of `measure`, `idle` that of the idle
 * service, and `factor` how many times the idle time is allowed. A failed request counts even if it failed fast.
 */
export function waitsOf(seen, idle, factor) {
  const allowed = allowedBeside(idle, factor);
  const sentences = [];
  for (const [kind, limits] of Object.entries(allowed)) {
    if (seen[kind].length === 0) continue;
    const p95 = quantile(seen[kind], 0.95);
    const max = quantile(seen[kind], 1);
    if (p95 > limits.p95) sentences.push(`p95 of others' ${kind} is ${ms(p95)}; ${ms(limits.p95)} are allowed`);
    if (max > limits.max)
      sentences.push(`the longest ${kind} of others took ${ms(max)}; ${ms(limits.max)} are allowed`);
  }
  const failed = [...seen.failures.values()].reduce((sum, count) => sum + count, 0);
  if (failed > 0) sentences.push(`${failed} requests of others failed: ${countsOf(seen.failures)}`);
  return sentences;
}

/** A sentence if the event loop worked longer than the bound while another client waited, or null. */
export function overworkOf({ work }, workMs) {
  const most = Math.max(0, ...work);
  if (most <= workMs) return null;
  return `the service worked for ${ms(most)} while one of the others waited; ${ms(workMs)} are allowed`;
}

/** `2 × timeout, 1 × 503` */
export function countsOf(counts) {
  return [...counts].map(([what, count]) => `${count} × ${what}`).join(', ');
}

/** Milliseconds as a person reads them. */
export function ms(value) {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
