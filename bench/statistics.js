// Figures over measured values.

/** The value that the given share of the values (0 to 1) does not exceed; NaN when there are none. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** A list of times in short: how many, their median, 95th percentile and longest. */
export function summaryOf(times) {
  return { count: times.length, p50: quantile(times, 0.5), p95: quantile(times, 0.95), max: quantile(times, 1) };
}
