/** One piece of evidence: what it says, what it is worth, and when it holds. */
export interface Rule<Facts> {
  /** Said to people who ask why: a sentence part such as "stands alone on its line". */
  readonly text: string;
  /** Positive speaks for the candidate, negative against it. */
  readonly points: number;
  holds(facts: Facts): boolean;
}

/** A rule that held for a candidate. */
export interface Reason {
  readonly text: string;
  readonly points: number;
}

/** Adds up the points of the rules that hold; `reasons`, when given, collects them. */
export function score<Facts>(rules: readonly Rule<Facts>[], facts: Facts, reasons?: Reason[]): number {
  let sum = 0;
  for (const rule of rules) {
    if (!rule.holds(facts)) continue;
    sum += rule.points;
    reasons?.push({ text: rule.text, points: rule.points });
  }
  return sum;
}
