import { isUneven } from './white-space.js';

/** What a character of text is to who writes it on a line, in bits. */
const INK = 1;
const SPACE = 2;
const AMPERSAND = 4;
const LESS = 8;
/** White space other than the space, control characters, and what has no width. */
const UNEVEN = 16;

/** The kind of each UTF-16 code unit: one look at a table costs less than the comparisons that would find it out. */
const KINDS = new Uint8Array(0x10000).fill(INK);
for (let unit = 0; unit < KINDS.length; unit++) {
  if (unit < 0x20 || (unit > 0x7e && isUneven(String.fromCharCode(unit)))) KINDS[unit] = UNEVEN;
}
KINDS[0x20] = SPACE;
KINDS[0x26] = AMPERSAND;
KINDS[0x3c] = LESS;

const BANG = 0x21;
const SLASH = 0x2f;
const QUESTION = 0x3f;

/** Text between two tags, as it is written. */
export class TextRun {
  start = 0;
  end = 0;
  /** There is an ampersand in it, which may begin a character reference. */
  hasAmpersand = false;
  /** It holds white space other than single spaces, a control character, or something without any width. */
  isUneven = false;

  /**
   * Reads text from a place up to the next `<` that begins markup, or to the end. Most of a page is gone through here: the
   * one look that an ordinary character costs is all that the loop does with it.
   */
  read(units: Uint16Array, start: number, length: number): void {
    let kinds = 0;
    let at = start;
    for (; ; at++) {
      const kind = KINDS[units[at] as number] as number;
      if (kind === INK) continue;
      if (kind === SPACE) {
        if (units[at + 1] === units[at]) kinds |= UNEVEN;
      } else if (kind !== LESS) {
        // The zeros behind the end are uneven.
        if (at >= length) break;
        kinds |= kind;
      } else if (beginsMarkup(units[at + 1] as number)) break;
    }
    this.start = start;
    this.end = at;
    this.hasAmpersand = (kinds & AMPERSAND) !== 0;
    this.isUneven = (kinds & UNEVEN) !== 0;
  }
}

/** All of a part of a text is white space or control characters. */
export function isBlank(units: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((units[at] as number) > 0x20) return false;
  return true;
}

/** Whether a `<` before this character begins markup; any other `<` is text. */
export function beginsMarkup(code: number): boolean {
  return isLetter(code) || code === BANG || code === QUESTION || code === SLASH;
}

export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
