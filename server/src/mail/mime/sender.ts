import type { ByteString } from './byte-string.js';
import { decodeField } from './charset.js';
import { decodeToken, decodeWords, holdsWords, splitWords } from './encoded-words.js';
import { displayName, firstMailbox } from './mailbox.js';

/** Who a From field says that a message is from. */
export interface Sender {
  readonly address: string;
  /** Decoded display name, in one line; `""` when there is none. */
  readonly name: string;
}

/** What stands for the encoded word of that number while the field is taken apart: in a comment, and in a phrase. */
const WORD_IN_COMMENT = /\(\0(\d{1,6})\0\)/g;
const WORD_IN_PHRASE = /\0(\d{1,6})\0/g;

/**
 * The first mailbox of a From field that has an address; null when none has. An encoded word stands for a name and never for an
 * address (RFC 2047 section 5), so names like `a@b, inc.` cannot disturb: it is passed over as a comment is. Only if that leaves
 * no address, the sender may have encoded the whole field.
 */
export function readSender(field: ByteString): Sender | null {
  if (!holdsWords(field)) return senderIn(decodeField(field));
  const words: string[] = [];
  const withoutWords = splitWords(field)
    .map((token) => (token.kind === 'literal' ? token.text : `(\0${words.push(decodeToken(token)) - 1}\0)`))
    .join('');
  return senderIn(decodeField(withoutWords), words) ?? senderIn(decodeWords(field));
}

function senderIn(field: string, words: readonly string[] = []): Sender | null {
  const mailbox = firstMailbox(field);
  if (mailbox === null) return null;
  const { address, phrase } = mailbox;
  if (words.length === 0) return { address, name: oneLine(displayName(phrase)) };
  const name = displayName(phrase.replace(WORD_IN_COMMENT, '\0$1\0'));
  return { address, name: oneLine(name.replace(WORD_IN_PHRASE, (_, word) => words[word] ?? '')) };
}

/** Control characters, and what stands among them, become one space. */
function oneLine(name: string): string {
  return isOneLine(name) ? name : name.replace(/[\p{Cc} ]+/gu, ' ').trim();
}

/** Whether a name has only letters, and single spaces between them. Nearly every one has, and to see that costs little. */
function isOneLine(name: string): boolean {
  let isBlank = true;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || (code === 0x20 && isBlank)) return false;
    isBlank = code === 0x20;
  }
  return name === '' || !isBlank;
}
