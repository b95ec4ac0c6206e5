/** One piece of evidence: its name, what it is worth, what is said of it to people who ask, and when it holds. */
export type Rule<Facts> = readonly [id: string, points: number, text: string, holds: (facts: Facts) => boolean];

/** What puts a candidate out whatever its points: its name, what is said of it to people who ask, and when it holds. */
export type Exclusion<Facts> = readonly [id: string, text: string, holds: (facts: Facts) => boolean];

/** What candidates of one kind are judged by: first what puts them out, of what that looks at, then the points. */
export interface RuleSet<Exclusive, Facts> {
  readonly exclusions: readonly Exclusion<Exclusive>[];
  readonly points: readonly Rule<Facts>[];
}

export interface Reason {
  /** The rule's name, which stays the same when its points or its text change. */
  readonly rule: string;
  /** Positive points speak for the candidate, negative ones against it; an exclusion has none. */
  readonly points: number;
  readonly text: string;
}

const POINTS = 1;
const HOLDS = 3;
const EXCLUDES = 2;

/** The points of all rules that hold. */
export function score<Facts>(rules: readonly Rule<Facts>[], facts: Facts): number {
  let sum = 0;
  for (const rule of rules) if (rule[HOLDS](facts)) sum += rule[POINTS];
  return sum;
}

/** What speaks for and against a candidate, or what puts it out. */
export function reasons<Facts>(rules: readonly Rule<Facts>[], { excluded, facts }: Candidate<Facts>): Reason[] {
  if (facts === null) return excluded === null ? [] : [excluded];
  return rules.filter(([, , , holds]) => holds(facts)).map(([rule, points, text]) => ({ rule, points, text }));
}

/** The first exclusion that holds, or null. */
export function exclusionOf<Facts>(exclusions: readonly Exclusion<Facts>[], facts: Facts): Reason | null {
  for (const exclusion of exclusions) {
    if (exclusion[EXCLUDES](facts)) return { rule: exclusion[0], points: 0, text: exclusion[1] };
  }
  return null;
}

export interface Candidate<Facts> {
  readonly value: string;
  /** Why it is out whatever its points, or null. */
  readonly excluded: Reason | null;
  /** What the rules are asked about; null when it is excluded. */
  readonly facts: Facts | null;
  readonly score: number;
}

/** The best first, and what is excluded last; of the same points as they occur. */
export function bestFirst<C extends Pick<Candidate<unknown>, 'score' | 'excluded'>>(candidates: readonly C[]): C[] {
  const rank = ({ score, excluded }: C) => (excluded === null ? score : Number.NEGATIVE_INFINITY);
  return candidates.toSorted((a, b) => rank(b) - rank(a));
}

/** The candidate with the most points, the first of several, if it has enough of them. */
export function best<C extends Candidate<unknown>>(candidates: readonly C[], threshold: number): C | null {
  const [first] = bestFirst(candidates);
  return first !== undefined && first.excluded === null && first.score >= threshold ? first : null;
}

/** Each value at its best place, the best first. */
export function eachOnce<C extends Candidate<unknown>>(candidates: readonly C[]): C[] {
  const best = new Map<string, C>();
  for (const one of bestFirst(candidates)) if (!best.has(one.value)) best.set(one.value, one);
  return [...best.values()];
}
