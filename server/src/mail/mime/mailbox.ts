import { FieldScanner } from './field-scanner.js';

/** The longest address that is taken for one: local part 64, `@`, domain 255 (RFC 5321 section 4.5.3.1). */
const MAX_ADDRESS_CHARS = 320;

/**
 * Local part, a quoted string or not, and domain or domain literal. More lenient than RFC 5322 section 3.4.1 about dots
 * and, with RFC 6532, about characters beyond ASCII.
 */
const ADDRESS =
  /^(?:"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"|[^\s"(),:;<>@[\]\\\p{Cc}]+)@(?:\[[^\s[\]\\\p{Cc}]+\]|[^\s"(),:;<>@[\]\\\p{Cc}]+)$/u;

/** What parts words besides blanks. A source route, a group and a list need no more than that to be read. */
export const SEPARATORS = '<>,;:';

/** What ends a run of plain characters within a word besides blanks: a separator, or what may open a piece of another kind. */
const SPECIALS = `${SEPARATORS}"([`;

/**
 * The address of the first mailbox in a From field that has one, without display name, comments and source route (RFC 5322
 * sections 3.4 and 4.4); null when none has. A quoted local part keeps its quotes.
 */
export function firstAddress(field: string): string | null {
  const scanner = new FieldScanner(field);
  while (!scanner.done) {
    const address = readMailbox(scanner);
    if (address !== null) return address;
    // Whatever ended this mailbox: a comma, a semicolon, or the bracket after an address that was none.
    scanner.position++;
  }
  return null;
}

/** `a@b.example` or `Display Name <a@b.example>`; the address in brackets wins over anything that looks like one before it. */
function readMailbox(scanner: FieldScanner): string | null {
  const bare = readAddress(scanner, '<,;');
  if (scanner.next !== '<') return bare;
  scanner.position++;
  return readAddress(scanner, '<>') ?? bare;
}

/** The first of the words up to one of `stops` that is an address; the position is then at the stop. */
export function readAddress(scanner: FieldScanner, stops: string): string | null {
  let address: string | null = null;
  for (;;) {
    scanner.skipBlanks();
    if (scanner.done || stops.includes(scanner.next)) return address;
    if (SEPARATORS.includes(scanner.next)) {
      scanner.position++;
      continue;
    }
    const word = readWord(scanner);
    if (address === null && isAddress(word)) address = word;
  }
}

/** A word ends at a separator or a blank, but blanks around a dot or an at sign are passed over (RFC 5322 section 4.4). */
export function readWord(scanner: FieldScanner): string {
  let word = '';
  for (;;) {
    const piece = scanner.quotedString() ?? scanner.domainLiteral() ?? (scanner.token(SPECIALS) || scanner.character());
    // What is too long to be an address need not grow any further.
    if (word.length <= MAX_ADDRESS_CHARS) word += piece;
    const blank = scanner.skipBlanks();
    if (scanner.done || SEPARATORS.includes(scanner.next)) return word;
    if (blank && !isJoint(piece.slice(-1)) && !isJoint(scanner.next)) return word;
  }
}

function isJoint(char: string): boolean {
  return char === '.' || char === '@';
}

export function isAddress(word: string): boolean {
  return word.length <= MAX_ADDRESS_CHARS && ADDRESS.test(word);
}
