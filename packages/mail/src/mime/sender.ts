import type { Listed } from '../message-reading.js';
import { firstCharacters } from '../text.js';
import type { ByteString } from './byte-string.js';
import { decodeField } from './charset.js';
import { decodeToken, decodeWords, holdsWords, splitWords } from './encoded-words.js';
import { FieldScanner } from './field-scanner.js';
import { displayName, nextMailbox } from './mailbox.js';

export interface NamedAddress {
  readonly address: string;
  /** Decoded display name in one line; `""` if missing. */
  readonly name: string;
}

/** Limits for a list of mailboxes: number of bytes read from the field, and number of mailboxes. */
const MAX_LISTED_BYTES = 32 * 1024;
const MAX_LISTED = 500;

const MAX_NAME_CHARS = 320;

/** Match the numbered placeholders that replace encoded words during parsing: in a comment, and in a phrase. */
const WORD_IN_COMMENT = /\(\0(\d{1,6})\0\)/g;
const WORD_IN_PHRASE = /\0(\d{1,6})\0/g;

/** The first mailbox with an address in a From field, or null. */
export function readSender(field: ByteString): NamedAddress | null {
  return readMailboxes(field, 1)[0] ?? null;
}

/** The mailboxes of an address field (RFC 5322 section 3.4), also in groups. Skips mailboxes without an address. */
export function listMailboxes(field: ByteString): Listed<NamedAddress> {
  const found = readMailboxes(field.slice(0, MAX_LISTED_BYTES), MAX_LISTED + 1);
  const items = found.slice(0, MAX_LISTED).map(({ name, address }) => ({
    name: firstCharacters(name, MAX_NAME_CHARS),
    address,
  }));
  return { items, isWhole: field.length <= MAX_LISTED_BYTES && found.length <= MAX_LISTED };
}

/**
 * Reads at most `max` mailboxes that have an address. Skips encoded words as if they were comments, because they are
 * names and never addresses (RFC 2047 section 5): a name may be `a@b, inc.`. If that leaves no address, decodes the
 * whole field, because the sender may have encoded the address.
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

/** Replaces each run of control characters and spaces with one space. */
function oneLine(name: string): string {
  return isOneLine(name) ? name : name.replace(/[\p{Cc} ]+/gu, ' ').trim();
}

/** A cheap check for the usual case: no control characters and only single spaces. */
function isOneLine(name: string): boolean {
  let isBlank = true;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || (code === 0x20 && isBlank)) return false;
    isBlank = code === 0x20;
  }
  return name === '' || !isBlank;
}
