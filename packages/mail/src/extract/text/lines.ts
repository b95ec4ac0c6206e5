export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The index of the first range that begins at or after a position. The ranges must be in order. */
export function firstAt(ranges: readonly Range[], start: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle] as Range).start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The range that contains a position. The ranges must be in order. */
export function rangeAt<T extends Range>(ranges: readonly T[], at: number): T | undefined {
  const last = ranges[firstAt(ranges, at + 1) - 1];
  return last !== undefined && at < last.end ? last : undefined;
}

/** Maximum length of a line on each side of a position. More distant text is ignored. */
const MAX_LINE_CHARS = 240;

export function lineStart(text: string, from: number): number {
  const lowest = Math.max(0, from - MAX_LINE_CHARS);
  return lowest + text.slice(lowest, from).lastIndexOf('\n') + 1;
}

export function lineEnd(text: string, from: number): number {
  const highest = Math.min(text.length, from + MAX_LINE_CHARS);
  const length = text.slice(from, highest).indexOf('\n');
  return length < 0 ? highest : from + length;
}

/** The line around a range, without its line break. */
export function lineAround(text: string, { start, end }: Range): Range {
  return { start: lineStart(text, start), end: lineEnd(text, end) };
}

/** The nearest line above that is not blank, or null. */
export function lineAbove(text: string, line: Range): Range | null {
  const lowest = Math.max(0, line.start - MAX_LINE_CHARS);
  let end = line.start;
  while (end > lowest && text.charCodeAt(end - 1) <= 0x20) end--;
  return end === lowest ? null : { start: lineStart(text, end), end };
}

/** The nearest line below that is not blank, or null. */
export function lineBelow(text: string, line: Range): Range | null {
  const highest = Math.min(text.length, line.end + MAX_LINE_CHARS);
  let start = line.end;
  while (start < highest && text.charCodeAt(start) <= 0x20) start++;
  return start === highest ? null : { start, end: lineEnd(text, start) };
}

const MAX_BARE_CHARS = 40;

/** Whether a short part of a text has no letter or digit. */
export function isBare(text: string, start: number, end: number): boolean {
  return end - start <= MAX_BARE_CHARS && !/[\p{L}\p{N}]/u.test(text.slice(start, end));
}

/** Whether the line has no letter or digit before or after a part of it. */
export function isAlone(text: string, part: Range, line: Range): boolean {
  return isBare(text, line.start, part.start) && isBare(text, part.end, line.end);
}
