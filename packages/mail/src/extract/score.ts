/** One piece of evidence: its name, what it is worth, what is said of it to people who ask, and when it holds. */
export type Rule<Facts> = readonly [id: string, points: number, text: string, holds: (facts: Facts) => boolean];

/** What puts a candidate out whatever its points: its name, what is said of it to people who ask, and when it holds. */
export type Exclusion<Facts> = readonly [id: string, text: string, holds: (facts: Facts) => boolean];

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

/** The first exclusion that holds, or null. */
export function exclusionOf<Facts>(exclusions: readonly Exclusion<Facts>[], facts: Facts): Reason | null {
  for (const exclusion of exclusions) {
    if (exclusion[EXCLUDES](facts)) return { rule: exclusion[0], points: 0, text: exclusion[1] };
  }
  return null;
}

/** What may be the code or the link, as the rules judge it. */
export interface Candidate<Facts = unknown, Place = unknown> {
  readonly value: string;
  /** The text that a code stands in; a link with all its places. */
  readonly place: Place;
  /** Why it is out whatever its points, or null. */
  readonly excluded: Reason | null;
  /** What the rules are asked about; null when it is excluded. */
  readonly facts: Facts | null;
  readonly score: number;
  /** What speaks for and against it, or what puts it out. */
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

/** The best first, and what is excluded last; of the same points as they occur. */
export function bestFirst<C extends Candidate>(candidates: readonly C[]): C[] {
  const rank = ({ score, excluded }: C) => (excluded === null ? score : Number.NEGATIVE_INFINITY);
  return candidates.toSorted((a, b) => rank(b) - rank(a));
}

/** The candidate with the most points, the first of several, if it has enough of them. */
export function best<C extends Candidate>(candidates: readonly C[], threshold: number): C | null {
  return bestFirst(candidates.filter((one) => one.excluded === null && one.score >= threshold))[0] ?? null;
}

/** Each value at its best place, the best first. */
export function eachOnce<C extends Candidate>(candidates: readonly C[]): C[] {
  const best = new Map<string, C>();
  for (const one of bestFirst(candidates)) if (!best.has(one.value)) best.set(one.value, one);
  return [...best.values()];
}
