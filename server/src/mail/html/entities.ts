import { windows1252 } from '../mime/charset.js';
import { NAMED, UNTERMINATED } from '../words/words.js';

/** `&#39;`, `&#x27;`, `&amp;`, `&amp`: the bounds keep the search short at every `&`. */
const REFERENCE = /&(?:#([0-9]{1,8}|[xX][0-9a-fA-F]{1,8});?|([A-Za-z][A-Za-z0-9]{1,31})(;?))/g;

const MAX_CODE_POINT = 0x10ffff;

/** No name that counts without a semicolon is longer: server/src/mail/words/entity-names.txt is checked for that. */
const MAX_UNTERMINATED_CHARS = 6;

function numbered(written: string): string {
  const isHex = written[0] === 'x' || written[0] === 'X';
  const code = isHex ? Number.parseInt(written.slice(1), 16) : Number.parseInt(written, 10);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  if (code === 0 || code > MAX_CODE_POINT || isSurrogate) return '\ufffd';
  // Old mail programs write these numbers (HTML standard, 13.2.5.84).
  return String.fromCodePoint(windows1252(code));
}

/** The longest name that counts without a semicolon and begins `written`, decoded, and the rest: `&notit` is `¬it`. */
function unterminated(written: string): string | null {
  for (let length = Math.min(written.length, MAX_UNTERMINATED_CHARS); length >= 2; length--) {
    const character = UNTERMINATED.get(written.slice(0, length));
    if (character !== undefined) return character + written.slice(length);
  }
  return null;
}

/** Decodes the character references of text between tags. */
export function decodeText(html: string): string {
  if (!html.includes('&')) return html;
  return html.replace(REFERENCE, (whole, number?: string, name?: string, semicolon?: string) => {
    if (number !== undefined) return numbered(number);
    const named = semicolon === ';' ? NAMED.get(name as string) : undefined;
    if (named !== undefined) return named;
    const rest = unterminated(name as string);
    return rest === null ? whole : rest + semicolon;
  });
}

/** Without a semicolon a reference counts only when neither `=` nor a letter or digit follows (HTML standard, 13.2.5.73): `?a=1&copy=2` stays. */
export function decodeAttribute(value: string): string {
  if (!value.includes('&')) return value;
  return value.replace(REFERENCE, (whole, number?: string, name?: string, semicolon?: string, at = 0) => {
    if (number !== undefined) return numbered(number);
    if (semicolon === ';') return NAMED.get(name as string) ?? whole;
    if (value[at + whole.length] === '=') return whole;
    return UNTERMINATED.get(name as string) ?? whole;
  });
}
