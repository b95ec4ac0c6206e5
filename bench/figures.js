// What a benchmark found: figures, each beside what was measured in the same run, and beside its aim.
import { quantile } from './statistics.js';

/**
 * A figure. `ours` (and `theirs`, where something was measured beside it, which `against` names) are the values of the
 * rounds, in `unit`, or single values; the medians count, and of the ratio the median over the rounds, since what
 * disturbs a round disturbs both. `better` is `more` or `less`. `isOwn` says that what is measured beside it is ours,
 * too. `aim` is what the ratio (with `theirs`) or the value should reach.
 */
export function figure({ what, unit, better, ours, against = null, theirs = null, isOwn = false, aim = null }) {
  const values = [ours].flat();
  const others = theirs === null ? null : [theirs].flat();
  const ratio = others === null ? null : ratioOf(values, others);
  const judged = ratio ?? median(values);
  return {
    what,
    unit,
    better,
    ours: median(values),
    against,
    theirs: others === null ? null : median(others),
    ratio,
    isOwn,
    aim,
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

/** Whether what was measured beside it is better, and is not ours. */
export function isBehind({ ratio, better, isOwn }) {
  return ratio !== null && !isOwn && (better === 'more' ? ratio < 1 - SAME_WITHIN : ratio > 1 + SAME_WITHIN);
}
