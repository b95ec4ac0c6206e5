/** A piece of evidence: name, points, explanation and condition. */
export type Rule<Facts> = readonly [id: string, points: number, text: string, holds: (facts: Facts) => boolean];

/** A rule that excludes a candidate whatever its points: name, explanation and condition. */
export type Exclusion<Facts> = readonly [id: string, text: string, holds: (facts: Facts) => boolean];

export interface Reason {
  /** The rule's name, which stays the same when the rule's points or text change. */
  readonly rule: string;
  /** 0 for an exclusion. */
  readonly points: number;
  readonly text: string;
}

const POINTS = 1;
const HOLDS = 3;
const EXCLUDES = 2;

/** The first exclusion whose condition holds, or null. */
export function exclusionOf<Facts>(exclusions: readonly Exclusion<Facts>[], facts: Facts): Reason | null {
  for (const exclusion of exclusions) {
    if (exclusion[EXCLUDES](facts)) return { rule: exclusion[0], points: 0, text: exclusion[1] };
  }
  return null;
}

/** A possible code or link, and its score. */
export interface Candidate<Facts = unknown, Place = unknown> {
  readonly value: string;
  /** The passage of a code, or a link with all of its occurrences. */
  readonly place: Place;
  readonly excluded: Reason | null;
  /** The input of the rules; null if excluded. */
  readonly facts: Facts | null;
  readonly score: number;
  /** The evidence; for an excluded candidate, only the exclusion. */
  readonly reasons: () => Reason[];
}

export function judged<Facts, Place>(
  { value, place, excluded, facts }: Pick<Candidate<Facts, Place>, 'value' | 'place' | 'excluded' | 'facts'>,
  rules: readonly Rule<Facts>[],
): Candidate<Facts, Place> {
  const held = facts === null ? [] : rules.filter((rule) => rule[HOLDS](facts));
  const score = held.reduce((sum, rule) => sum + rule[POINTS], 0);
  const reasons = () => held.map(([rule, points, text]) => ({ rule, points, text }));
  return { value, place, excluded, facts, score, reasons: excluded === null ? reasons : () => [excluded] };
}

/** Sorts by score, with excluded candidates last. The sort is stable. */
export function bestFirst<C extends Candidate>(candidates: readonly C[]): C[] {
  const rank = ({ score, excluded }: C) => (excluded === null ? score : Number.NEGATIVE_INFINITY);
  return candidates.toSorted((a, b) => rank(b) - rank(a));
}

/** The first candidate with the highest score if it reaches the threshold, or null. */
export function best<C extends Candidate>(candidates: readonly C[], threshold: number): C | null {
  return bestFirst(candidates.filter((one) => one.excluded === null && one.score >= threshold))[0] ?? null;
}

/** The best candidate of each value, best first. */
export function eachOnce<C extends Candidate>(candidates: readonly C[]): C[] {
  const best = new Map<string, C>();
  for (const one of bestFirst(candidates)) if (!best.has(one.value)) best.set(one.value, one);
  return [...best.values()];
}
