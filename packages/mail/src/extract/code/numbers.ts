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

export type Joint = 'space' | 'hyphen' | 'line' | 'cell';

/** Most numbers of a text that are considered. */
export const MAX_NUMBERS = 200;

/** Length of a code in digits (interface section 8). */
const MIN_DIGITS = 4;
const MAX_DIGITS = 8;

/** The longest that may stand between two groups of one number, such as " - ". */
const MAX_JOINT_CHARS = 3;

const DIGITS = /\d+/g;

interface Group extends Range {
  readonly digits: string;
}

/** Finds a text's numbers in ASCII digits, in order, except within given parts (web addresses, in order). Linear. */
export function findNumbers(text: string, without: readonly Range[]): NumberRun[] {
  const found: NumberRun[] = [];
  let groups: Group[] = [];
  let joint: Joint | null = null;
  let passed = 0;
  DIGITS.lastIndex = 0;
  for (let match = DIGITS.exec(text); match !== null; match = DIGITS.exec(text)) {
    const group = { start: match.index, end: DIGITS.lastIndex, digits: match[0] };
    while (passed < without.length && (without[passed] as Range).end <= group.start) passed++;
    const around = without[passed];
    if (around !== undefined && around.start < group.start) {
      DIGITS.lastIndex = around.end;
      continue;
    }
    const last = groups.at(-1);
    const next: Joint | null = last === undefined ? null : jointBetween(text, last, group);
    if (next !== null && (groups.length === 1 || goesOn(last, group, joint, next))) {
      groups.push(group);
      joint = next;
      continue;
    }
    const ofCell = beginningCell(groups, joint, next);
    addNumbers(found, groups, joint, text);
    if (found.length >= MAX_NUMBERS) return found;
    groups = ofCell === undefined ? [group] : [ofCell, group];
    joint = ofCell === undefined ? null : next;
  }
  addNumbers(found, groups, joint, text);
  return found;
}

/** `91654059 | 132 702`: what ends a row of cells begins the number of its own cell, and leaves the row. */
function beginningCell(groups: Group[], joint: Joint | null, next: Joint | null): Group | undefined {
  return joint === 'cell' && next === 'space' ? groups.pop() : undefined;
}

function goesOn(last: Group | undefined, next: Group, joint: Joint | null, nextJoint: Joint): boolean {
  return nextJoint === joint || (joint !== 'cell' && areSingle(last, next));
}

function jointBetween(text: string, a: Group, b: Group): Joint | null {
  if (b.start - a.end > MAX_JOINT_CHARS) return null;
  const between = text.slice(a.end, b.start);
  if (/^[ \t\u00a0\u2000-\u200a\u202f]+$/.test(between)) return areCells(a, b, between) ? 'cell' : 'space';
  if (/^ ?[-‐‑‒–—·•] ?$/.test(between)) return areTwo(a, b, between) ? null : 'hyphen';
  return areSingle(a, b) && /^(?:\s+| ?[|│] ?)$/.test(between) ? 'line' : null;
}

/** `7720194 - 482913`: with spaces around the dash, numbers that make no code together are two. */
function areTwo({ digits: a }: Group, { digits: b }: Group, between: string): boolean {
  return between.length > 1 && a.length >= MIN_DIGITS && b.length >= MIN_DIGITS && a.length + b.length > MAX_DIGITS;
}

/** A number of a code's length in a cell of its own is no group of another one. */
function areCells({ digits: a }: Group, { digits: b }: Group, between: string): boolean {
  return between.includes('\t') && (a.length >= MIN_DIGITS || b.length >= MIN_DIGITS);
}

/** Single digits may be set apart in any way: one below the other, in cells of plain text, or as 4 8 3 - 9 2 0. */
function areSingle(a: Group | undefined, b: Group): boolean {
  return a?.digits.length === 1 && b.digits.length === 1;
}

function addNumbers(found: NumberRun[], groups: readonly Group[], joint: Joint | null, text: string): void {
  const first = groups[0];
  if (first === undefined) return;
  const series = { start: first.start, end: (groups.at(-1) as Group).end };
  const value = joint === 'cell' ? null : joinGroups(groups);
  if (value !== null) {
    const grouping = groups.length === 1 ? 'none' : first.digits.length === 1 ? 'digits' : 'groups';
    found.push({ value, ...series, grouping, series, joint: null });
    return;
  }
  const areOne = joint === 'hyphen' || (joint === 'space' && areLongNumber(groups, text[first.start - 1]));
  for (const { start, end, digits } of groups) {
    if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS || found.length >= MAX_NUMBERS) continue;
    const own = areOne ? series : { start, end };
    found.push({
      value: digits,
      start,
      end,
      grouping: 'none',
      series: own,
      joint: areOne || joint === 'cell' ? joint : null,
    });
  }
}

const MAX_GROUP_DIGITS = 4;
const MIN_SHORT_GROUPS = 3;

/**
 * `93525 89107`, `7712 093 44`, `+49 151 4829137` or `030 4829137` is one number, longer than a code. Otherwise spaces
 * stand between two, as in `482913 10:30`.
 */
function areLongNumber(groups: readonly Group[], before: string | undefined): boolean {
  const [first = '', second = ''] = groups.map(({ digits }) => digits);
  if (groups.every(({ digits }) => digits.length === first.length)) return true;
  if (groups.length >= MIN_SHORT_GROUPS && groups.every(({ digits }) => digits.length <= MAX_GROUP_DIGITS)) return true;
  return before === '+' || (first.startsWith('0') && second.length > first.length);
}

/** The digits of all groups if the groups are of equal size and make a code's length, or null. */
function joinGroups(groups: readonly Group[]): string | null {
  const size = groups[0]?.digits.length ?? 0;
  const length = size * groups.length;
  if (length < MIN_DIGITS || length > MAX_DIGITS) return null;
  if (groups.some(({ digits }) => digits.length !== size)) return null;
  return groups.map(({ digits }) => digits).join('');
}
