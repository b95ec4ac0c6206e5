// Figures of a benchmark, each beside a baseline of the same run and beside its aim.
import { quantile } from './statistics.js';

/**
 * A figure. `ours` (and `theirs`, where something was measured beside it, which `against` names) are the values of the
 * rounds, in `unit`, or single values; the medians count, and of the ratio the median over the rounds, since what
 * disturbs a round disturbs both. `better` is `more` or `less`. `aim` is what the ratio (with `theirs`) should reach,
 * or the value itself where `judges` says so. `isDetail` keeps it out of docs/performance.md: the terminal and
 * bench/results.json have it.
 */
export function figure({ what, unit, better, ours, against = null, theirs = null, aim = null, ...how }) {
  const values = [ours].flat();
  const others = theirs === null ? null : [theirs].flat();
  const ratio = others === null ? null : ratioOf(values, others);
  const { judges = ratio === null ? 'value' : 'ratio', isDetail = false } = how;
  const judged = judges === 'ratio' ? ratio : median(values);
  return {
    what,
    unit,
    better,
    ours: median(values),
    against,
    theirs: others === null ? null : median(others),
    ratio,
    isDetail,
    aim,
    judges,
    isHeld: aim === null ? null : better === 'more' ? judged >= aim : judged <= aim,
  };
}

function ratioOf(values, others) {
  if (values.length !== others.length) return median(values) / median(others);
  return median(values.map((value, round) => value / others[round]));
}

export function median(values) {
  return quantile(values, 0.5);
}

/** What differs by less is the same, as far as a machine that others use can tell. */
const SAME_WITHIN = 0.05;

/**
 * What a subject's figure is with Mayfly and with each of the servers that readers know: a row of the first table of
 * docs/performance.md. `values` has the rounds of each by its name; those without a figure are left out.
 */
export function besideRow({ subject, unit, better, values }) {
  const medians = Object.entries(values).map(([name, rounds]) => [name, median([rounds].flat())]);
  return { subject, unit, better, values: Object.fromEntries(medians.filter(([, value]) => Number.isFinite(value))) };
}

/** Whose figure of such a row is better than ours, the best first. */
export function aheadIn({ better, values: { Mayfly: ours, ...theirs } }) {
  const factor = (value) => (better === 'more' ? value / ours : ours / value);
  return Object.keys(theirs)
    .filter((name) => factor(theirs[name]) > 1 + SAME_WITHIN)
    .toSorted((a, b) => factor(theirs[b]) - factor(theirs[a]));
}
