import { SHARED_UNITS, TIME_UNITS } from '../../words/words.js';

interface TimeUnit {
  readonly letters: string;
  readonly isShared: boolean;
  readonly isBeginning: boolean;
}

/** By first letter, made on first use: V8 took 30 ms of the first mail to compile an expression of them. */
let byFirstLetter: ReadonlyMap<string, readonly TimeUnit[]> | null = null;

/** What joins a unit to its number. */
const JOINTS = ' \u00a0-';

/** Whether a text that follows a number makes it a duration: `minutes`, ` Std.`, `-day`. In any case. */
export function beginsWithTimeUnit(after: string): boolean {
  return unitBehind(after) !== null;
}

/** The same for units that are common words of another language: Turkish `saat` (hours), Indonesian `saat` (when). */
export function beginsWithSharedUnit(after: string): boolean {
  return unitBehind(after)?.isShared ?? false;
}

function unitBehind(after: string): TimeUnit | null {
  const start = JOINTS.includes(after.charAt(0)) ? 1 : 0;
  const first = after.charAt(start);
  if (!mayBeLetter(first)) return null;
  byFirstLetter ??= unitsByFirstLetter();
  const units = byFirstLetter.get(folded(first));
  return units?.find((unit) => beginsWith(after, start, unit)) ?? null;
}

function mayBeLetter(character: string): boolean {
  return character >= 'A' && (character > '\u007f' || /[A-Za-z]/.test(character));
}

function beginsWith(after: string, start: number, { letters, isBeginning }: TimeUnit): boolean {
  for (let i = 1; i < letters.length; i++) if (folded(after.charAt(start + i)) !== letters[i]) return false;
  const end = start + letters.length;
  return isBeginning || !/^[\p{L}\p{M}]/u.test(after.slice(end, end + 2));
}

function unitsByFirstLetter(): Map<string, TimeUnit[]> {
  const units = new Map<string, TimeUnit[]>();
  for (const entry of [...TIME_UNITS, ...SHARED_UNITS]) {
    const isBeginning = entry.endsWith('*');
    const letters = Array.from(isBeginning ? entry.slice(0, -1) : entry, folded).join('');
    const first = letters.charAt(0);
    units.set(first, [...(units.get(first) ?? []), { letters, isBeginning, isShared: SHARED_UNITS.includes(entry) }]);
  }
  return units;
}

/** Unicode's simple case folding of a character, as the flags `iu`: of the same length; the dotless i stays apart. */
export function folded(character: string): string {
  const capital = character.toUpperCase();
  const small = capital.toLowerCase();
  return character !== 'ı' && capital.length === 1 && small.length === 1 ? small : character;
}
