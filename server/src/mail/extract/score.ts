/** One piece of evidence: what it is worth, what is said of it to people who ask, and when it holds. */
export type Rule<Facts> = readonly [points: number, text: string, holds: (facts: Facts) => boolean];

/** A rule that held for a candidate. Positive points speak for it, negative ones against it. */
export interface Reason {
  readonly points: number;
  readonly text: string;
}

/** The points of all rules that hold. */
export function score<Facts>(rules: readonly Rule<Facts>[], facts: Facts): number {
  let sum = 0;
  for (const [points, , holds] of rules) if (holds(facts)) sum += points;
  return sum;
}

/** The rules that hold, for somebody who asks. */
export function reasons<Facts>(rules: readonly Rule<Facts>[], facts: Facts): Reason[] {
  return rules.filter(([, , holds]) => holds(facts)).map(([points, text]) => ({ points, text }));
}

/** Something that may be chosen. */
export interface Candidate<Facts> {
  readonly value: string;
  /** Why it is out whatever its points, or null. */
  readonly excluded: string | null;
  /** What the rules are asked about; null when it is excluded. */
  readonly facts: Facts | null;
  readonly score: number;
}

/** The candidate with the most points, the first of several, if it has enough of them. */
export function best<C extends Candidate<unknown>>(candidates: readonly C[], threshold: number): C | null {
  let chosen: C | null = null;
  for (const candidate of candidates) {
    if (candidate.excluded !== null || candidate.score < threshold) continue;
    if (chosen === null || candidate.score > chosen.score) chosen = candidate;
  }
  return chosen;
}
