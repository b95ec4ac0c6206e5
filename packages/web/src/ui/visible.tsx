import { type AllHTMLAttributes, Fragment, h } from 'preact';

/** Matches invisible characters and changes of direction, which could deceive. Line ends and joiners are harmless. */
export const UNSEEN = /((?!\r\n|[\u200c\n\t]|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])/gu;

interface VisibleProps extends AllHTMLAttributes {
  readonly text: string;
  /** The words of a search, which are marked. */
  readonly words?: readonly string[];
  /** The element that holds the text, with the other properties; by default none. */
  readonly as?: 'a' | 'h2' | 'li' | 'p' | 'pre' | 'span' | 'strong' | 'summary' | 'td' | 'th';
}

/** A stranger's text, with invisible characters written out and its direction isolated. */
export function Visible({ text, words = [], as, ...rest }: VisibleProps) {
  // `split` puts the invisible characters, and the words, at odd positions.
  const written = (part: string) =>
    part.split(UNSEEN).map((piece, at) => (at % 2 === 0 ? piece : <span class="control">{nameOf(piece)}</span>));
  const pattern = patternOf(words);
  const parts = pattern === '' ? [text] : text.split(new RegExp(`(${pattern})`, 'giu'));
  const pieces = parts.map((part, at) => (at % 2 === 0 ? written(part) : <mark>{written(part)}</mark>));
  return h((as ?? Fragment) as 'p', rest, <bdi>{pieces}</bdi>);
}

/** The source of a regular expression for any of some words; empty without words. A space matches all white space. */
export function patternOf(words: readonly string[]): string {
  return words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\s+/g, '\\s+')).join('|');
}

/** Hebrew, Arabic, Syriac, Thaana, NKo and their neighbors. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Direction of the first letter. `Line` sets it, because `dir=auto` ignores `bdi` and may cut a text at its start. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const [first = ''] = /\p{L}/u.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(first) ? 'rtl' : 'ltr';
}

/** A stranger's text in one line, which is truncated at its end. */
export function Line({ class: style, text, words = [] }: { class: string; text: string; words?: readonly string[] }) {
  return <Visible as="span" class={`cut ${style}`} dir={directionOf(text)} {...{ text, words }} />;
}

/** Like `Visible`, but returns a string: in a long text, an element per character would freeze the browser. */
export function writtenOut(text: string): string {
  return text.replace(UNSEEN, (character) => `[${nameOf(character)}]`);
}

export function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
