/** How a number is written. */
export type Grouping = 'none' | 'groups' | 'digits';

/** A run of 4 to 8 digits in a text, grouped or not. */
export interface NumberRun {
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly grouping: Grouping;
  /** Other groups of digits are joined to it, so that it is part of something longer. */
  readonly series: 'none' | 'spaced' | 'hyphened';
}

/** A text has at most so many numbers that are looked at. */
export const MAX_NUMBERS = 200;

const MIN_DIGITS = 4;
const MAX_DIGITS = 8;

const RUN = /\d+/g;

type Gap = 'space' | 'hyphen' | 'line' | null;

interface Run {
  readonly start: number;
  readonly end: number;
}

/** Finds the numbers of a text whose digits are ASCII. Linear. */
export function findNumbers(text: string): NumberRun[] {
  const found: NumberRun[] = [];
  let series: Run[] = [];
  let gap: Gap = null;
  RUN.lastIndex = 0;
  for (let match = RUN.exec(text); match !== null; match = RUN.exec(text)) {
    const run = { start: match.index, end: match.index + match[0].length };
    const last = series.at(-1);
    const next = last === undefined ? null : gapBetween(text, last, run);
    if (next !== null && (series.length === 1 || next === gap)) {
      gap = next;
      series.push(run);
      continue;
    }
    addSeries(found, text, series, gap);
    if (found.length >= MAX_NUMBERS) return found;
    series = [run];
    gap = null;
  }
  addSeries(found, text, series, gap);
  return found;
}

/** What stands between two runs of digits if it may stand inside one number. */
function gapBetween(text: string, a: Run, b: Run): Gap {
  const length = b.start - a.end;
  if (length > 3) return null;
  const between = text.slice(a.end, b.start);
  if (/^[ \t\u00a0\u2000-\u200a\u202f]+$/.test(between)) return 'space';
  if (/^ ?[-‐‑‒–—·•] ?$/.test(between)) return 'hyphen';
  const single = a.end - a.start === 1 && b.end - b.start === 1;
  return single && /^\s+$/.test(between) ? 'line' : null;
}

function addSeries(found: NumberRun[], text: string, series: readonly Run[], gap: Gap): void {
  const first = series[0];
  const last = series.at(-1);
  if (first === undefined || last === undefined) return;
  const joined = joinedDigits(text, series);
  if (joined !== null) {
    const grouping = series.length === 1 ? 'none' : first.end - first.start === 1 ? 'digits' : 'groups';
    found.push({ value: joined, start: first.start, end: last.end, grouping, series: 'none' });
    return;
  }
  for (const run of series) {
    const length = run.end - run.start;
    if (length < MIN_DIGITS || length > MAX_DIGITS || found.length >= MAX_NUMBERS) continue;
    const kind = series.length === 1 ? 'none' : gap === 'hyphen' ? 'hyphened' : 'spaced';
    found.push({
      value: text.slice(run.start, run.end),
      start: run.start,
      end: run.end,
      grouping: 'none',
      series: kind,
    });
  }
}

/** The digits of groups of equal size, if they make 4 to 8. */
function joinedDigits(text: string, series: readonly Run[]): string | null {
  const first = series[0] as Run;
  const size = first.end - first.start;
  const digits = size * series.length;
  if (digits < MIN_DIGITS || digits > MAX_DIGITS) return null;
  if (series.some((run) => run.end - run.start !== size)) return null;
  return series.map((run) => text.slice(run.start, run.end)).join('');
}
