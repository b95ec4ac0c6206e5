import { lineAbove, type Range } from '../text/lines.js';

const MAX_ROWS = 8;
const MAX_CELLS = 24;

/** Separates cells: a tab in the text of an HTML page, or a bar or several spaces in a plain-text table. */
const BETWEEN_CELLS = /\t|\||\u2502| {2,}/;
const CELLS_APART = /(\t|\||\u2502| {2,})/;
/** Matches a line between rows, such as `---|---`. */
const RULE = /^[\s|+:=_─│┼-]*$/;

/** The header row of a table, and the cell above a number. */
export interface Header {
  readonly row: Range;
  readonly cell: Range;
}

/**
 * The header above a number in a table: the nearest row above that contains no number and has as many cells as the
 * number's row. Null without such a row, or if the number's own cell has words. Searches `MAX_ROWS` lines.
 */
export function headerOf(text: string, part: Range, line: Range): Header | null {
  const row = text.slice(line.start, line.end);
  if (!BETWEEN_CELLS.test(row)) return null;
  const cells = cellsOf(text, line);
  const column = cells.findIndex(({ start, end }) => start <= part.start && part.end <= end);
  const own = cells[column];
  if (own === undefined || cells.length < 2 || /\p{L}/u.test(text.slice(own.start, own.end))) return null;
  let above = lineAbove(text, line);
  for (let rows = 0; above !== null && rows < MAX_ROWS; rows++, above = lineAbove(text, above)) {
    const written = text.slice(above.start, above.end);
    if (RULE.test(written)) continue;
    const names = cellsOf(text, above);
    if (names.length !== cells.length) return null;
    if (!/\d{3}/.test(written)) return { row: above, cell: names[column] as Range };
  }
  return null;
}

function cellsOf(text: string, { start, end }: Range): Range[] {
  const cells: Range[] = [];
  let at = start;
  for (const written of text.slice(start, end).split(CELLS_APART, 2 * MAX_CELLS)) {
    if (!BETWEEN_CELLS.test(written) && written.trim() !== '') cells.push({ start: at, end: at + written.length });
    at += written.length;
  }
  return cells;
}
