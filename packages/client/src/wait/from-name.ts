import { MAX_HEADER_LENGTH } from './bounds.js';

/** The first From field of a header, folded lines included (RFC 5322 section 2.2.3); the empty line ends a header. */
const FROM = /^(?:.+\r?\n)*?from[ \t]*:(.*(?:\r?\n[ \t].*)*)/i;

/** An encoded word (RFC 2047 section 2), with the blanks between it and another. Its charset may have a language. */
const ENCODED_WORD = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi;

/** What stands before the address in brackets (RFC 5322 section 3.4); a quoted string may hold a bracket, too. */
const BEFORE_BRACKET = /^((?:\\.|"(?:\\.|[^"\\])*"|[^"<\\])*)</;

/**
 * Display name in the From header of a message, decoded, in one line; `""` when it has none. The server reads it for
 * its summaries, but an email itself travels without it.
 */
export function fromName(message: string): string {
  const [, field = ''] = FROM.exec(message.slice(0, MAX_HEADER_LENGTH)) ?? [];
  const [, name = ''] = BEFORE_BRACKET.exec(field) ?? [];
  // Many senders cut a character in two: what one word leaves over begins the next one of its charset.
  let last = '';
  let decoder = new TextDecoder();
  const decode = (word: string, charset: string, encoding: string, content: string): string => {
    try {
      if (charset !== last) decoder = new TextDecoder(charset);
      last = charset;
      const bytes = /b/i.test(encoding) ? atob(content) : unquoted(content);
      return decoder.decode(
        Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
        { stream: true },
      );
    } catch {
      return word;
    }
  };
  return name
    .replace(/"|\\(.)/g, '$1')
    .replace(ENCODED_WORD, decode)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Undoes the Q encoding (section 4.2). */
function unquoted(content: string): string {
  return content.replace(/_|=([0-9a-f]{2})/gi, (_, hex = '20') => String.fromCharCode(Number(`0x${hex}`)));
}
