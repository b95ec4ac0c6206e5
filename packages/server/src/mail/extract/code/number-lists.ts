import type { Passage } from '../text/passages.js';
import type { NumberRun } from './numbers.js';

/** This many different numbers of the same length, below or beside each other, are a list. */
const MIN_ITEMS = 3;
/**
 * Between two items of a list stand no letters, and no more characters than a line break, a mark and a counter have.
 */
const MAX_BETWEEN_CHARS = 16;

interface Place {
  readonly passage: Passage;
  readonly run: NumberRun;
}

/** The numbers that stand in lists of their like, such as recovery codes: which of them is meant cannot be told. */
export function listedNumbers(found: readonly Place[]): ReadonlySet<NumberRun> {
  const listed = new Set<NumberRun>();
  let list: NumberRun[] = [];
  for (const [i, { run, passage }] of found.entries()) {
    const last = found[i - 1];
    const goesOn = last !== undefined && last.passage === passage && areItems(passage.text, last.run, run);
    if (!goesOn) {
      addList(listed, list);
      list = [];
    }
    list.push(run);
  }
  addList(listed, list);
  return listed;
}

function areItems(text: string, a: NumberRun, b: NumberRun): boolean {
  const isNear = b.start >= a.end && b.start - a.end <= MAX_BETWEEN_CHARS;
  return isNear && a.value.length === b.value.length && !/\p{L}|\d{3}/u.test(text.slice(a.end, b.start));
}

function addList(listed: Set<NumberRun>, list: readonly NumberRun[]): void {
  if (list.length < MIN_ITEMS || new Set(list.map(({ value }) => value)).size < MIN_ITEMS) return;
  for (const run of list) listed.add(run);
}
