import { decoderOf } from './charset.js';

/** So much of a message is looked through for its header, and so much of the field is read. */
const MAX_HEADER_LENGTH = 2 ** 16;
const MAX_FIELD_LENGTH = 2_000;

/** A piece of an address field: an encoded word, a quoted string, a comment, what parts mailboxes, a word, a blank. */
const PIECE =
  /(=\?[^?\s]+\?[BQbq]\?[^?]*\?=)|"((?:[^"\\]|\\.)*)"|\(((?:[^()\\]|\\.)*)\)|([<,;:])|([^\s"(<,;:=]+|\S)|\s+/gs;

/** An encoded word (RFC 2047 section 2): charset, perhaps with a language, encoding, text. */
const ENCODED_WORD = /=\?([^?\s*]+)[^?\s]*\?([BQbq])\?([^?]*)\?=/g;

/**
 * Display name of the first mailbox in the From header of a message (RFC 5322 section 3.4), decoded, in one line; `""` when it has
 * none. The server reads the same for its summaries, but an email itself travels without it.
 */
export function fromName(message: string): string {
  const [header = ''] = message.slice(0, MAX_HEADER_LENGTH).split(/\r?\n\r?\n/, 1);
  const [, field = ''] = /^from[ \t]*:(.*)$/im.exec(header.replace(/\r?\n(?=[ \t])/g, '')) ?? [];
  return decoded(writtenName(field.slice(0, MAX_FIELD_LENGTH)))
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** The name as it is written. Beside an address without brackets it is the comment. */
function writtenName(field: string): string {
  let name = '';
  let comment = '';
  let blank = '';
  for (const [piece, encoded, quoted, remark, mark, word = ''] of field.matchAll(PIECE)) {
    if (mark === '<') return name;
    if (mark !== undefined) {
      // What has no address is passed over; before a colon stands the name of a group.
      if (mark !== ':' && name.includes('@')) return comment;
      name = '';
    } else if (remark !== undefined) {
      comment ||= unescaped(remark);
    } else {
      name = joined(name, encoded ?? (quoted === undefined ? word : unescaped(quoted)), blank);
    }
    blank = piece.trim() === '' ? ' ' : '';
  }
  return name.includes('@') ? comment : '';
}

/** A blank stands between words, and not before the first or for itself. */
function joined(name: string, word: string, blank: string): string {
  return name === '' || word === '' ? name + word : name + blank + word;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}

/** Blanks between two encoded words vanish, and bytes of one charset are joined: many senders cut a character in two. */
function decoded(text: string): string {
  let result = '';
  let position = 0;
  let charset = '';
  let decoder = new TextDecoder();
  const until = (end: number) => {
    const between = text.slice(position, end);
    if (charset === '' || between.trim() !== '') result += decoder.decode() + between;
  };
  for (const { 0: word, 1: name = '', 2: encoding, 3: content = '', index } of text.matchAll(ENCODED_WORD)) {
    const isApart = text.slice(position, index).trim() !== '';
    until(index);
    if (isApart || name.toLowerCase() !== charset) {
      if (!isApart) result += decoder.decode();
      decoder = decoderOf(name);
      charset = name.toLowerCase();
    }
    result += decoder.decode(bytesOf(content, encoding), { stream: true });
    position = index + word.length;
  }
  charset = '';
  until(text.length);
  return result;
}

/** Undoes the B encoding, which is base64, and the Q encoding, which writes a space as `_` and bytes as `=E9` (section 4). */
function bytesOf(content: string, encoding = ''): Uint8Array<ArrayBuffer> {
  const text = /b/i.test(encoding)
    ? fromBase64(content)
    : content
        .replaceAll('_', ' ')
        .replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function fromBase64(content: string): string {
  try {
    return atob(content);
  } catch {
    return '';
  }
}
