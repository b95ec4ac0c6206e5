import { FieldScanner } from './field-scanner.js';

/** Maximum length: local part 64, `@`, domain 255 (RFC 5321 section 4.5.3.1). */
const MAX_ADDRESS_CHARS = 320;

/** Matches a local part (quoted or not), `@`, and a domain or literal. Allows Unicode (RFC 6532), and dots anywhere. */
const ADDRESS =
  /^(?:"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"|[^\s"(),:;<>@[\]\\\p{Cc}]+)@(?:\[[^\s[\]\\\p{Cc}]+\]|[^\s"(),:;<>@[\]\\\p{Cc}]+)$/u;

/** Characters that separate words, as blanks do. They occur in source routes, groups and lists. */
const SEPARATORS = '<>,;:';

/** A plain part of a phrase ends at one of these or at a blank. */
const PHRASE_SPECIALS = ':"(';

const COMMENT = /\(([^()\\]*)\)/;

/** A plain part of a word ends at one of these or a blank: a separator, or the start of a quote, comment or literal. */
const SPECIALS = `${SEPARATORS}"([`;

export interface Mailbox {
  /** Without display name, comments and source route. A quoted local part keeps its quotes. */
  readonly address: string;
  /** The text before the address in brackets, or the comment after a bare address, unchanged (see `displayName`). */
  readonly phrase: string;
}

/** The next mailbox with an address (RFC 5322 sections 3.4 and 4.4), or null. */
export function nextMailbox(scanner: FieldScanner): Mailbox | null {
  while (!scanner.done) {
    const mailbox = readMailbox(scanner);
    // Skips the character that ended this mailbox: a comma, a semicolon, or the bracket after an address.
    scanner.position++;
    if (mailbox !== null) return mailbox;
  }
  return null;
}

/** Parses `a@b.example` or `Display Name <a@b.example>`. The address in brackets takes precedence. */
function readMailbox(scanner: FieldScanner): Mailbox | null {
  const start = scanner.position;
  const bare = readAddress(scanner, '<,;');
  const before = scanner.text.slice(start, scanner.position);
  // A bare address can have a name only in a comment, as in `anna@app.test (Anna)` (RFC 5322 section 3.4).
  if (scanner.next !== '<') return bare === null ? null : { address: bare, phrase: COMMENT.exec(before)?.[1] ?? '' };
  scanner.position++;
  const address = readAddress(scanner, '<>') ?? bare;
  return address === null ? null : { address, phrase: before };
}

/** The name in a phrase (RFC 5322 section 3.2.5) without quotes, comments or group name; runs of spaces become one. */
export function displayName(phrase: string): string {
  const scanner = new FieldScanner(phrase);
  const pieces: string[] = [];
  for (;;) {
    const isApart = scanner.skipBlanks() && pieces.length > 0;
    if (scanner.done) return pieces.join('');
    const quoted = scanner.quotedString();
    const piece = quoted === null ? scanner.token(PHRASE_SPECIALS) || scanner.character() : unquoted(quoted);
    if (quoted === null && piece === ':') pieces.length = 0;
    else pieces.push(isApart ? ` ${piece}` : piece);
  }
}

function unquoted(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/gs, '$1');
}

/** Reads up to a character of `stops`, and returns the first word that is an address, or null. */
function readAddress(scanner: FieldScanner, stops: string): string | null {
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

/** Reads a word, which ends at a separator or blank. Skips blanks around a dot or at sign (RFC 5322 section 4.4). */
function readWord(scanner: FieldScanner): string {
  let word = '';
  for (;;) {
    const piece = scanner.quotedString() ?? scanner.domainLiteral() ?? (scanner.token(SPECIALS) || scanner.character());
    // Stops collecting a word that is too long for an address, but reads to the end of the word.
    if (word.length <= MAX_ADDRESS_CHARS) word += piece;
    const blank = scanner.skipBlanks();
    if (scanner.done || SEPARATORS.includes(scanner.next)) return word;
    if (blank && !isJoint(piece.slice(-1)) && !isJoint(scanner.next)) return word;
  }
}

function isJoint(char: string): boolean {
  return char === '.' || char === '@';
}

function isAddress(word: string): boolean {
  return word.length <= MAX_ADDRESS_CHARS && ADDRESS.test(word);
}
