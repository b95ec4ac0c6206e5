/** Maximum number of changed lines in each text, because the time grows with the product of the two numbers. */
const MAX_LINES = 1_000;

/** Number of equal lines that are kept before and after a change. */
const CONTEXT_LINES = 3;

const LINE_END = /\r?\n/;

/** A line in both texts, only in the later text, or only in the earlier text; or the number of omitted equal lines. */
export interface ChangedLine {
  readonly sign: ' ' | '+' | '−' | '…';
  readonly text: string;
}

/** The changes between two texts, with a few equal lines around them; null if too many lines changed. */
export function lineChanges(before: string, after: string): ChangedLine[] | null {
  const [old, fresh] = [before.split(LINE_END), after.split(LINE_END)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const [was, is] = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)];
  if (was.length > MAX_LINES || is.length > MAX_LINES) return null;
  const same = (lines: readonly string[]) => lines.map((text): ChangedLine => ({ sign: ' ', text }));
  return folded([...same(fresh.slice(0, start)), ...changes(was, is), ...same(fresh.slice(fresh.length - end))]);
}

/** `longest[i][j]` is the length of the longest common subsequence of `was.slice(i)` and `is.slice(j)`. */
function changes(was: readonly string[], is: readonly string[]): ChangedLine[] {
  // Numbers compare faster than long lines.
  const numbers = new Map([...was, ...is].map((line, at) => [line, at]));
  const [old, fresh] = [was, is].map((lines) => lines.map((line) => numbers.get(line)));
  const isSame = (i: number, j: number) => old?.[i] === fresh?.[j];
  const longest = Array.from({ length: was.length + 1 }, () => new Uint16Array(is.length + 1));
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0;
  for (let i = was.length - 1; i >= 0; i--) {
    const row = longest[i] as Uint16Array;
    for (let j = is.length - 1; j >= 0; j--) {
      row[j] = isSame(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: ChangedLine[] = [];
  let [i, j] = [0, 0];
  while (i < was.length || j < is.length) {
    if (i < was.length && j < is.length && isSame(i, j)) {
      lines.push({ sign: ' ', text: is[j] as string });
      i++;
      j++;
    } else if (i < was.length && (j === is.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '−', text: was[i++] as string });
    } else lines.push({ sign: '+', text: is[j++] as string });
  }
  return lines;
}

/** Omits equal lines that are far from a change. */
function folded(lines: readonly ChangedLine[]): ChangedLine[] {
  const isNear = new Uint8Array(lines.length);
  for (const [at, { sign }] of lines.entries())
    if (sign !== ' ') isNear.fill(1, Math.max(at - CONTEXT_LINES, 0), at + CONTEXT_LINES + 1);
  const shown: ChangedLine[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as ChangedLine;
    const next = isNear[at] ? at : isNear.indexOf(1, at);
    const omitted = (next < 0 ? lines.length : next) - at;
    // The line that says how many are omitted takes the place of one.
    if (omitted <= 1) shown.push(line);
    else {
      shown.push({ sign: '…', text: `${omitted} equal lines` });
      at += omitted - 1;
    }
  }
  return shown;
}
