import { type Range, rangeAt } from '../text/lines.js';

/** A run of 4 to 8 digits that may be a code, undivided or in groups of equal size. */
export interface NumberRun extends Range {
  readonly value: string;
  /** `groups`: `483 920` or `483-920`; `digits`: `4 8 3 9 2 0`. */
  readonly grouping: 'none' | 'groups' | 'digits';
  /** The range of the run and all digit groups joined to the run. */
  readonly series: Range;
  /** Whether the run is part of a longer number. */
  readonly isPart: boolean;
}

type Joint = 'space' | 'hyphen' | 'line';

export const MAX_NUMBERS = 200;

/** The length of an `otp` (interface section 8). */
const MIN_DIGITS = 4;
const MAX_DIGITS = 8;

/** Maximum distance between two groups of a number, such as " - ". */
const MAX_JOINT_CHARS = 3;

interface Group extends Range {
  readonly digits: string;
}

/** Finds numbers in ASCII digits, in order, except in the ranges `without` (web addresses). Linear time. */
export function findNumbers(text: string, without: readonly Range[]): NumberRun[] {
  const found: NumberRun[] = [];
  let groups: Group[] = [];
  let joint: Joint | null = null;
  for (const { 0: digits, index: start } of text.matchAll(/\d+/g)) {
    if (rangeAt(without, start) !== undefined) continue;
    const group = { start, end: start + digits.length, digits };
    const last = groups.at(-1);
    const next: Joint | null = last === undefined ? null : jointBetween(text, last, group);
    if (next !== null && (groups.length === 1 || next === joint || areSingle(last, group))) {
      groups.push(group);
      joint = next;
      continue;
    }
    addNumbers(found, groups, joint, text);
    if (found.length >= MAX_NUMBERS) return found;
    groups = [group];
    joint = null;
  }
  addNumbers(found, groups, joint, text);
  return found;
}

function jointBetween(text: string, a: Group, b: Group): Joint | null {
  if (b.start - a.end > MAX_JOINT_CHARS) return null;
  const between = text.slice(a.end, b.start);
  if (/^[ \t\u00a0\u2000-\u200a\u202f]+$/.test(between)) return areCells(a, b, between) ? null : 'space';
  if (/^ ?[-‐‑‒–—·•] ?$/.test(between)) return areTwo(a, b, between) ? null : 'hyphen';
  return areSingle(a, b) && /^(?:\s+| ?[|│] ?)$/.test(between) ? 'line' : null;
}

/** A dash with spaces separates two numbers if together they are too long for a code: `7720194 - 482913`. */
function areTwo({ digits: a }: Group, { digits: b }: Group, between: string): boolean {
  return between.length > 1 && a.length >= MIN_DIGITS && b.length >= MIN_DIGITS && a.length + b.length > MAX_DIGITS;
}

/** A number with a code's length in its own cell is not a group of another number. */
function areCells({ digits: a }: Group, { digits: b }: Group, between: string): boolean {
  return between.includes('\t') && (a.length >= MIN_DIGITS || b.length >= MIN_DIGITS);
}

/** Single digits may be separated by line breaks, by tabs or `|` between table cells, or as in 4 8 3 - 9 2 0. */
function areSingle(a: Group | undefined, b: Group): boolean {
  return a?.digits.length === 1 && b.digits.length === 1;
}

function addNumbers(found: NumberRun[], groups: readonly Group[], joint: Joint | null, text: string): void {
  const first = groups[0];
  if (first === undefined) return;
  const series = { start: first.start, end: (groups.at(-1) as Group).end };
  const value = joinGroups(groups);
  if (value !== null) {
    const grouping = groups.length === 1 ? 'none' : first.digits.length === 1 ? 'digits' : 'groups';
    found.push({ value, ...series, grouping, series, isPart: false });
    return;
  }
  const isPart = joint === 'hyphen' || (joint === 'space' && areLongNumber(groups, text[first.start - 1]));
  for (const { start, end, digits } of groups) {
    if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS || found.length >= MAX_NUMBERS) continue;
    found.push({ value: digits, start, end, grouping: 'none', series: isPart ? series : { start, end }, isPart });
  }
}

const MAX_GROUP_DIGITS = 4;
const MIN_SHORT_GROUPS = 3;

/**
 * Whether groups are one number, longer than a code: `93525 89107`, `7712 093 44`, `+49 151 4829137` or `030 4829137`.
 * Otherwise the space separates two numbers, as in `482913 10:30`.
 */
function areLongNumber(groups: readonly Group[], before: string | undefined): boolean {
  const [first = '', second = ''] = groups.map(({ digits }) => digits);
  if (groups.every(({ digits }) => digits.length === first.length)) return true;
  if (groups.length >= MIN_SHORT_GROUPS && groups.every(({ digits }) => digits.length <= MAX_GROUP_DIGITS)) return true;
  return before === '+' || (first.startsWith('0') && second.length > first.length);
}

/** The joined digits of groups, if the groups have equal sizes and together a code's length; otherwise null. */
function joinGroups(groups: readonly Group[]): string | null {
  const size = groups[0]?.digits.length ?? 0;
  const length = size * groups.length;
  if (length < MIN_DIGITS || length > MAX_DIGITS) return null;
  if (groups.some(({ digits }) => digits.length !== size)) return null;
  return groups.map(({ digits }) => digits).join('');
}
