import { decoderOf } from './charset.js';

/** So much of a message is looked through for its header, and so much of the field is read. */
const MAX_HEADER_LENGTH = 2 ** 16;
const MAX_FIELD_LENGTH = 2_000;

/** What stands before the address in brackets (RFC 5322 section 3.4): words, and quoted strings, which may hold a bracket. */
const PHRASE = /^((?:"(?:[^"\\]|\\.)*"|[^"<])*)</s;

/** An encoded word (RFC 2047 section 2): charset, perhaps with a language, encoding, text. */
const ENCODED_WORD = /=\?([^?\s*]+)[^?\s]*\?([bq])\?([^?]*)\?=/gi;

/** A decoded one: its charset, and its bytes as characters. */
const BYTES = /\0([^\0]+)\0([^\0]*)\0/g;

/** Two of one charset beside each other: many senders cut a character in two. */
const CUT_BYTES = /\0([^\0]+)\0([^\0]*)\0\0\1\0/g;

/**
 * Display name in the From header of a message, decoded, in one line; `""` when it has none. The server reads it for its
 * summaries, but an email itself travels without it.
 */
export function fromName(message: string): string {
  const [header = ''] = message.slice(0, MAX_HEADER_LENGTH).split(/\r?\n\r?\n/, 1);
  const [, field = ''] = /^from[ \t]*:(.*)$/im.exec(header.replace(/\r?\n(?=[ \t])/g, '')) ?? [];
  const [, phrase = ''] = PHRASE.exec(field.slice(0, MAX_FIELD_LENGTH)) ?? [];
  const name = phrase.replace(/"((?:[^"\\]|\\.)*)"/gs, (_, quoted: string) => quoted.replace(/\\(.)/gs, '$1'));
  // Encoded words may carry control characters.
  return decoded(name)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Blanks between two encoded words vanish (section 6.2). */
function decoded(text: string): string {
  return text
    .replace(/\?=\s+(?==\?)/g, '?=')
    .replace(
      ENCODED_WORD,
      (_, charset: string, encoding: string, content: string) =>
        `\0${charset.toLowerCase()}\0${bytesOf(content, encoding)}\0`,
    )
    .replace(CUT_BYTES, '\0$1\0$2')
    .replace(BYTES, (_, charset: string, bytes: string) =>
      decoderOf(charset).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))),
    );
}

/** Undoes the B encoding, which is base64, and the Q encoding, which writes a space as `_` and bytes as `=E9` (section 4). */
function bytesOf(content: string, encoding: string): string {
  if (/q/i.test(encoding)) {
    const spaced = content.replaceAll('_', ' ');
    return spaced.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  try {
    return atob(content);
  } catch {
    return content;
  }
}
