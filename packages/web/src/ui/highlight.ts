import { nameOf, UNSEEN } from './visible.js';

/** A text as the page shows it: with invisible characters written out and, for HTML, in indented lines. */
export interface Shown {
  readonly original: string;
  readonly text: string;
  /** Pairs of positions, in `text` and in `original`. From each pair to the next, both have the same characters. */
  readonly map: readonly number[];
  /** Three numbers for each token of HTML: its beginning and its end in `text`, and its index in `KINDS`. */
  readonly tokens: readonly number[];
}

/** The names of the CSS highlights of tokens. */
export const KINDS = ['tag', 'value', 'comment'];

const [TAG, VALUE, COMMENT] = [0, 1, 2] as const;

/** Elements that are nested more deeply are not indented further. Otherwise, the text could become far longer. */
const MAX_DEPTH = 20;

/** Deeper elements are not closed. The HTML of a long newsletter is nested 50 deep. */
const MAX_OPEN = 200;

/** The rest of HTML with more tokens is shown as it is. The HTML of a long newsletter has 10,000. */
const MAX_TOKENS = 50_000;

/** The rest of HTML with more lines is not indented. Otherwise, short lines of text could become 20 times as long. */
const MAX_LINES = 20_000;

/** Elements that do not begin a line, and elements that have no content. */
const INLINE = /^(?:[abisu]|br|code|em|font|img|label|small|span|strong|su[bp])$/;
const VOID = /^(?:area|base|[bh]r|col|img|input|link|meta|source|wbr)$/;

/** A comment, or a tag up to the end of its name. */
const MARKUP = /<!--[\s\S]*?(?:-->|$)|<(?:[!?]|\/(?![a-z]))[^>]*>?|<(\/?)([a-z][^\s/>]*)/gi;

/** The end of a tag, or an attribute with its value. */
const ATTRIBUTE = /[\s/]*(?:(>|$)|[^\s/>][^\s/>=]*(?:\s*=\s*("[^"]*"?|'[^']*'?|[^\s>]*))?)/gy;

/** White space, and the rest of its line. */
const WORDS = /([ \t\n]*)([^\n]*[^ \t\n])?/y;

/** Writes the parts of an original in order. */
class Writer implements Shown {
  readonly map = [0, 0];
  readonly tokens: number[] = [];
  text = '';
  /** The end of what is written, in the original. */
  at = 0;
  readonly original: string;
  readonly #unseen: number[] = [];

  constructor(original: string) {
    this.original = original;
    original.replace(UNSEEN, (_, unseen, at) => {
      this.#unseen.push(at);
      return unseen;
    });
    this.#unseen.reverse();
  }

  write(to: number, kind?: number): this {
    const from = this.text.length;
    for (let at = this.#unseen.at(-1) ?? to; at < to; at = this.#unseen.at(-1) ?? to) {
      this.#unseen.pop();
      this.#copy(at);
      const unseen = String.fromCodePoint(this.original.codePointAt(at) ?? 0);
      this.text += `[${nameOf(unseen)}]`;
      this.at += unseen.length;
    }
    this.#copy(to);
    if (kind !== undefined) this.tokens.push(from, this.text.length, kind);
    return this;
  }

  #copy(to: number): void {
    if (to <= this.at) return;
    this.map.push(this.text.length, this.at);
    this.text += this.original.slice(this.at, to);
    this.at = to;
  }
}

export function plain(original: string): Shown {
  return new Writer(original).write(original.length);
}

/** HTML with its tokens. With `isIndented`, each element begins a line, except inline elements. Takes linear time. */
export function html(original: string, isIndented: boolean): Shown {
  const out = new Writer(original);
  /** The names of the open elements, and the lines on which they began. */
  const open: string[] = [];
  const lines: number[] = [];
  let line = 0;
  /** Whether the next content begins a line. */
  let isOver = false;
  const isFree = () => isIndented && line < MAX_LINES && !open.includes('pre');
  const begin = () => {
    if (isOver && isFree() && out.text !== '') {
      out.text += `\n${'\t'.repeat(Math.min(open.length, MAX_DEPTH))}`;
      line += 1;
    }
    isOver = false;
  };
  const writeText = (to: number) => {
    while (isFree() && out.at < to) {
      WORDS.lastIndex = 0;
      const [, space = '', words = ''] = WORDS.exec(original.slice(out.at, to)) ?? [];
      isOver ||= space.includes('\n');
      if (isOver) out.at += space.length;
      else out.write(out.at + space.length);
      if (words !== '') begin();
      out.write(out.at + words.length);
    }
    out.write(to);
  };
  /** The closing tag of an element that has several lines begins a line. */
  const close = (name: string) => {
    const at = open.lastIndexOf(name);
    if (at < 0) return;
    isOver = lines[at] !== line;
    open.length = at;
    lines.length = at;
  };
  for (;;) {
    MARKUP.lastIndex = out.at;
    const found = MARKUP.exec(original);
    if (out.tokens.length >= 3 * MAX_TOKENS) return out.write(original.length);
    writeText(found?.index ?? original.length);
    if (found === null) return out;
    const [whole, slash, written = ''] = found;
    const name = written.toLowerCase();
    const isInline = INLINE.test(name);
    if (slash) close(name);
    else isOver ||= !isInline;
    begin();
    out.write(out.at + whole.length, name === '' ? COMMENT : TAG);
    const isEmpty = name === '' || writeAttributes(out) || VOID.test(name);
    if (slash || isEmpty || open.length >= MAX_OPEN) isOver = !isInline || name === 'br';
    else {
      open.push(name);
      lines.push(line);
    }
  }
}

/** Writes the rest of a tag. Returns whether the tag ends with a slash. */
function writeAttributes(out: Writer): boolean {
  for (;;) {
    ATTRIBUTE.lastIndex = out.at;
    const [whole = '', end, value = ''] = ATTRIBUTE.exec(out.original) ?? [];
    const to = out.at + whole.length;
    out.write(to - (end ?? value).length).write(to, end === undefined ? VALUE : TAG);
    if (end !== undefined) return whole.includes('/');
  }
}

/** Converts a position in the original to one in the shown text. */
export function shownAt(map: readonly number[], place: number): number {
  const at = pairBefore(map, 1, place);
  return (map[at] ?? 0) + place - (map[at + 1] ?? 0);
}

/** Converts a position in the shown text to one in the original; within what the page adds, to the text after it. */
export function originalAt({ map, original }: Shown, place: number): number {
  const at = pairBefore(map, 0, place);
  return Math.min((map[at + 1] ?? 0) + place - (map[at] ?? 0), map[at + 3] ?? original.length);
}

/** The index of the last pair whose first or second position is not after a place. */
function pairBefore(map: readonly number[], side: 0 | 1, place: number): number {
  let at = 0;
  for (let next = 0; (map[next + side] ?? Number.POSITIVE_INFINITY) <= place; next += 2) at = next;
  return at;
}
