import type { Range } from '../text/lines.js';

/** 4 to 8 digits in a text that may be a code: in one run, or in groups of equal size. */
export interface NumberRun extends Range {
  readonly value: string;
  /** `groups` like 483 920 or 483-920; `digits` one by one like 4 8 3 9 2 0. */
  readonly grouping: 'none' | 'groups' | 'digits';
  /** The digits and groups of digits that are joined to it; the run itself when there are none. */
  readonly series: Range;
  /** What joins it to other groups of digits that make no code with it. */
  readonly joint: Joint | null;
}

/** What may stand between the groups of one number. */
export type Joint = 'space' | 'hyphen' | 'line';

/** A text has at most so many numbers that are looked at. */
export const MAX_NUMBERS = 200;

/** Length of a code in digits (interface section 8). */
const MIN_DIGITS = 4;
const MAX_DIGITS = 8;

/** The longest that may stand between two groups of one number, such as " - ". */
const MAX_JOINT_CHARS = 3;

/** Characters that nobody sees: soft hyphen, zero-width space and joiners, word joiner, byte order mark. */
const WIDTHLESS = '\\u00ad\\u200b-\\u200d\\u2060\\ufeff';
const ALL_WIDTHLESS = new RegExp(`[${WIDTHLESS}]`, 'g');

/** Digits, with no more than a few characters that nobody sees between two of them. */
const DIGITS = new RegExp(`\\d+(?:[${WIDTHLESS}]{1,4}\\d+)*`, 'g');

/** Digits that stand together. */
interface Group extends Range {
  readonly digits: string;
}

/**
 * Finds the numbers of a text whose digits are ASCII, in order. What lies inside of the given parts (the web addresses
 * of the text, in order) is passed over. Linear.
 */
export function findNumbers(text: string, without: readonly Range[]): NumberRun[] {
  const found: NumberRun[] = [];
  let groups: Group[] = [];
  let joint: Joint | null = null;
  let passed = 0;
  const digits = new RegExp(DIGITS);
  for (let match = digits.exec(text); match !== null; match = digits.exec(text)) {
    const group = { start: match.index, end: digits.lastIndex, digits: match[0].replace(ALL_WIDTHLESS, '') };
    while (passed < without.length && (without[passed] as Range).end <= group.start) passed++;
    const around = without[passed];
    if (around !== undefined && around.start < group.start) {
      digits.lastIndex = around.end;
      continue;
    }
    const last = groups.at(-1);
    const next: Joint | null = last === undefined ? null : jointBetween(text, last, group);
    if (next !== null && (groups.length === 1 || next === joint || areSingle(last, group))) {
      groups.push(group);
      joint = next;
      continue;
    }
    addNumbers(found, groups, joint);
    if (found.length >= MAX_NUMBERS) return found;
    groups = [group];
    joint = null;
  }
  addNumbers(found, groups, joint);
  return found;
}

function jointBetween(text: string, a: Group, b: Group): Joint | null {
  if (b.start - a.end > MAX_JOINT_CHARS) return null;
  const between = text.slice(a.end, b.start).replace(ALL_WIDTHLESS, '');
  if (/^[ \t\u00a0\u2000-\u200a\u202f]+$/.test(between)) return 'space';
  if (/^ ?[-‐‑‒–—·•] ?$/.test(between)) return 'hyphen';
  return areSingle(a, b) && /^\s+$/.test(between) ? 'line' : null;
}

/** Single digits may be set apart in any way: one below the other, or as 4 8 3 - 9 2 0. */
function areSingle(a: Group | undefined, b: Group): boolean {
  return a?.digits.length === 1 && b.digits.length === 1;
}

function addNumbers(found: NumberRun[], groups: readonly Group[], joint: Joint | null): void {
  const first = groups[0];
  if (first === undefined) return;
  const series = { start: first.start, end: (groups.at(-1) as Group).end };
  const value = joinGroups(groups);
  if (value !== null) {
    const grouping = groups.length === 1 ? 'none' : first.digits.length === 1 ? 'digits' : 'groups';
    found.push({ value, ...series, grouping, series, joint: null });
    return;
  }
  for (const { start, end, digits } of groups) {
    if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS || found.length >= MAX_NUMBERS) continue;
    found.push({ value: digits, start, end, grouping: 'none', series, joint });
  }
}

/** The digits of all groups if the groups are of equal size and make a code's length, or null. */
function joinGroups(groups: readonly Group[]): string | null {
  const size = groups[0]?.digits.length ?? 0;
  const length = size * groups.length;
  if (length < MIN_DIGITS || length > MAX_DIGITS) return null;
  if (groups.some(({ digits }) => digits.length !== size)) return null;
  return groups.map(({ digits }) => digits).join('');
}
