// Compares a benchmark's figures with those of its baseline in the same run, and formats them as tables.

/** Returns the quantile for a share from 0 to 1, such as 0.95; NaN without values. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values) {
  return quantile(values, 0.5);
}

/**
 * `ours` is a value in `unit`, or one value per round; `theirs` is the same for the baseline `against`. The ratio is
 * the median of the rounds' ratios, because a disturbance affects both values of a round. `better`: `more` or `less`.
 */
export function figure({ what, unit, better, ours, against = null, theirs = null }) {
  const [values, others] = [ours, theirs ?? []].map((given) => [given].flat());
  const ratio =
    values.length === others.length
      ? median(values.map((value, round) => value / others[round]))
      : median(values) / median(others);
  return { what, unit, better, ours: median(values), against, theirs: median(others), ratio };
}

/** A Markdown table, for the terminal and docs/internals/performance.md. */
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
