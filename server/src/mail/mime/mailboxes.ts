import { firstChars } from '../first-chars.js';
import type { Listed } from '../listed.js';
import type { ByteString } from './byte-string.js';
import { decodeToken, splitWords } from './encoded-words.js';
import { FieldScanner } from './field-scanner.js';
import { oneLine } from './header-list.js';
import { isAddress, readAddress, readWord } from './mailbox.js';

/** So much of an address field is read, and so many of its mailboxes are listed. */
const MAX_FIELD_BYTES = 32 * 1024;
const MAX_MAILBOXES = 500;

/** A display name is given up to here. */
const MAX_NAME_CHARS = 320;

/**
 * Characters for private use (Unicode, section 23.5), of which one stands for each encoded word while a field is taken apart. A
 * field of the length that is read has fewer words.
 */
const FIRST_MARK = 0xe000;
const MARKS = /([\ue000-\uf8ff])/;
const ALL_MARKS = /[\ue000-\uf8ff]/g;

/** Somebody in an address field. */
export interface Mailbox {
  /** Decoded display name, `""` without one. */
  readonly name: string;
  readonly address: string;
}

/**
 * The mailboxes of an address field (RFC 5322 section 3.4), groups taken apart. What has no address is passed over. `isWhole` is false
 * where the field has more than is read of it.
 */
export function listMailboxes(field: ByteString): Listed<Mailbox> {
  const reader = new MailboxReader(field.slice(0, MAX_FIELD_BYTES));
  const mailboxes: Mailbox[] = [];
  let isWhole = field.length <= MAX_FIELD_BYTES;
  for (let mailbox = reader.next(); mailbox !== 'end'; mailbox = reader.next()) {
    if (mailbox === null) continue;
    if (mailboxes.length === MAX_MAILBOXES) {
      isWhole = false;
      break;
    }
    mailboxes.push(mailbox);
  }
  return { items: mailboxes, isWhole };
}

/**
 * Reads a field mailbox by mailbox. An encoded word stands for a name and never for what parts names and addresses (RFC 2047
 * section 5), so a character stands for each while the field is taken apart.
 */
class MailboxReader {
  readonly #words: string[] = [];
  readonly #scanner: FieldScanner;

  constructor(field: ByteString) {
    const marked = splitWords(field).map((token) => {
      const text = decodeToken(token);
      if (token.kind === 'literal') return text.replace(ALL_MARKS, '\ufffd');
      return String.fromCharCode(FIRST_MARK + this.#words.push(text) - 1);
    });
    this.#scanner = new FieldScanner(marked.join(''));
  }

  /** The next mailbox; null where what stands between two commas is none. */
  next(): Mailbox | null | 'end' {
    const scanner = this.#scanner;
    if (scanner.done) return 'end';
    const mailbox = this.#mailbox();
    // Whatever ended it: a comma, or the semicolon behind a group.
    scanner.position++;
    return mailbox;
  }

  #mailbox(): Mailbox | null {
    const scanner = this.#scanner;
    let phrase: string[] = [];
    for (;;) {
      scanner.skipBlanks();
      const { next } = scanner;
      if (scanner.done || next === ',' || next === ';') return this.#bare(phrase);
      if (next === '<') return this.#inBrackets(phrase);
      if (next === ':' || next === '>') {
        // A group's name, or a bracket that nothing has opened.
        if (next === ':') phrase = [];
        scanner.position++;
      } else {
        phrase.push(readWord(scanner));
      }
    }
  }

  #bare(phrase: readonly string[]): Mailbox | null {
    const address = phrase.find(isAddress) ?? phrase.map((word) => this.#decoded(word)).find(isAddress);
    return address === undefined ? null : { name: '', address };
  }

  #inBrackets(phrase: readonly string[]): Mailbox | null {
    const scanner = this.#scanner;
    scanner.position++;
    const written = readAddress(scanner, '<>');
    while (!scanner.done && scanner.next !== ',' && scanner.next !== ';') {
      if (scanner.quotedString() === null) scanner.character();
    }
    if (written === null) return this.#bare(phrase);
    const name = phrase.map((word) => this.#decoded(unquoted(word))).join(' ');
    return { name: firstChars(oneLine(name), MAX_NAME_CHARS), address: written };
  }

  /** A text with the words that its marks stand for. */
  #decoded(text: string): string {
    if (this.#words.length === 0) return text;
    const pieces = text.split(MARKS);
    return pieces.map((piece, at) => (at % 2 === 0 ? piece : this.#words[piece.charCodeAt(0) - FIRST_MARK])).join('');
  }
}

function unquoted(word: string): string {
  const isQuoted = word.length > 1 && word.startsWith('"') && word.endsWith('"');
  return isQuoted ? word.slice(1, -1).replace(/\\(.)/gs, '$1') : word;
}
