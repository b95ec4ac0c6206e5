import { SHARED_UNITS, TIME_UNITS } from '../../words/words.js';

const UNITS = new Set([...TIME_UNITS, ...SHARED_UNITS]);
const MAX_UNIT_CHARS = Math.max(...[...UNITS].map((unit) => unit.length));

/** The unit of time that follows a number and makes it a duration (`minutes`, ` std.`, `-day`), or null. */
export function unitBehind(after: string): string | null {
  const word = /^[ \u00a0-]?([\p{L}\p{M}]+)/u.exec(after)?.[1] ?? '';
  if (UNITS.has(word)) return word;
  for (let end = Math.min(word.length, MAX_UNIT_CHARS); end > 0; end--) {
    const beginning = `${word.slice(0, end)}*`;
    if (UNITS.has(beginning)) return beginning;
  }
  return null;
}

/** A common word of another language as well: Turkish `saat` (hours), Indonesian `saat` (when). */
export function isShared(unit: string | null): boolean {
  return unit !== null && SHARED_UNITS.includes(unit);
}
