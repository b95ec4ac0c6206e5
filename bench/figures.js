// Figures of a benchmark, each beside a baseline of the same run, and the tables of them.

/** The value that the given share of the values (0 to 1) does not exceed; NaN when there are none. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values) {
  return quantile(values, 0.5);
}

/**
 * A figure. `ours` (and `theirs`, where something was measured beside it, which `against` names) are the values of the
 * rounds, in `unit`, or single values. The medians count, and of the ratio the median over the rounds, since what
 * disturbs a round disturbs both. `better` is `more` or `less`.
 */
export function figure({ what, unit, better, ours, against = null, theirs = null }) {
  const [values, others] = [ours, theirs ?? []].map((given) => [given].flat());
  const ratio =
    values.length === others.length
      ? median(values.map((value, round) => value / others[round]))
      : median(values) / median(others);
  return { what, unit, better, ours: median(values), against, theirs: median(others), ratio };
}

/** Figures as a table of Markdown, for the terminal and for docs/internals/performance.md. */
export function tableOf(figures) {
  const lines = [['', 'Mayfly', 'baseline', 'ratio'], ['---', '---', '---', '---'], ...figures.map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf({ what, unit, better, ours, theirs, against, ratio }) {
  const isAlone = against === null;
  return [
    what,
    `${rounded(ours)} ${unit}`,
    isAlone ? '' : `${rounded(theirs)} ${unit} (${against})`,
    isAlone ? '' : `${ratio.toFixed(2)} ${better === 'more' ? '↑' : '↓'}`,
  ];
}

function rounded(value) {
  if (!Number.isFinite(value)) return 'nothing';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
}
