import type { Listed } from '../message-reading.js';
import { firstCharacters } from '../text.js';
import type { ByteString } from './byte-string.js';
import { decodeField } from './charset.js';
import { decodeToken, decodeWords, holdsWords, splitWords } from './encoded-words.js';
import { FieldScanner } from './field-scanner.js';
import { displayName, nextMailbox } from './mailbox.js';

export interface NamedAddress {
  readonly address: string;
  /** Decoded display name, in one line; `""` when there is none. */
  readonly name: string;
}

/** Bytes of an address field read for a list, and mailboxes listed. */
const MAX_LISTED_BYTES = 32 * 1024;
const MAX_LISTED = 500;

const MAX_NAME_CHARS = 320;

/** Stands for the encoded word of that number while the field is parsed: in a comment, and in a phrase. */
const WORD_IN_COMMENT = /\(\0(\d{1,6})\0\)/g;
const WORD_IN_PHRASE = /\0(\d{1,6})\0/g;

/** The first mailbox of a From field that has an address; null when none has. */
export function readSender(field: ByteString): NamedAddress | null {
  return readMailboxes(field, 1)[0] ?? null;
}

/** The mailboxes of an address field (RFC 5322 section 3.4), groups taken apart. What has no address is passed over. */
export function listMailboxes(field: ByteString): Listed<NamedAddress> {
  const found = readMailboxes(field.slice(0, MAX_LISTED_BYTES), MAX_LISTED + 1);
  const items = found.slice(0, MAX_LISTED).map(({ name, address }) => ({
    name: firstCharacters(name, MAX_NAME_CHARS),
    address,
  }));
  return { items, isWhole: field.length <= MAX_LISTED_BYTES && found.length <= MAX_LISTED };
}

/**
 * The first mailboxes of a field that have an address, `max` at most. An encoded word is a name and never an address
 * (RFC 2047 section 5), so that names like `a@b, inc.` do no harm: it is skipped like a comment. Only if that leaves no
 * address, the sender may have encoded the whole field.
 */
function readMailboxes(field: ByteString, max: number): NamedAddress[] {
  if (!holdsWords(field)) return mailboxesIn(decodeField(field), max);
  const words: string[] = [];
  const withoutWords = splitWords(field)
    .map((token) => (token.kind === 'literal' ? token.text : `(\0${words.push(decodeToken(token)) - 1}\0)`))
    .join('');
  const found = mailboxesIn(decodeField(withoutWords), max, words);
  return found.length > 0 ? found : mailboxesIn(decodeWords(field), max);
}

function mailboxesIn(field: string, max: number, words: readonly string[] = []): NamedAddress[] {
  const scanner = new FieldScanner(field);
  const found: NamedAddress[] = [];
  while (found.length < max) {
    const mailbox = nextMailbox(scanner);
    if (mailbox === null) break;
    found.push({ address: mailbox.address, name: oneLine(nameOf(mailbox.phrase, words)) });
  }
  return found;
}

function nameOf(phrase: string, words: readonly string[]): string {
  if (words.length === 0) return displayName(phrase);
  const name = displayName(phrase.replace(WORD_IN_COMMENT, '\0$1\0'));
  return name.replace(WORD_IN_PHRASE, (_, word) => words[word] ?? '');
}

/** Control characters, and spaces among them, become one space. */
function oneLine(name: string): string {
  return isOneLine(name) ? name : name.replace(/[\p{Cc} ]+/gu, ' ').trim();
}

/** Nearly every name has only letters and single spaces, and this check costs little. */
function isOneLine(name: string): boolean {
  let isBlank = true;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || (code === 0x20 && isBlank)) return false;
    isBlank = code === 0x20;
  }
  return name === '' || !isBlank;
}
