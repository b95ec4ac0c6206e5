/** Bytes read as ISO 8859-1, such as a header in an unknown charset. Never use `trim` or `\s`: both match 0xA0. */
export type ByteString = string;

export function bytesOf(text: ByteString): Buffer {
  return Buffer.from(text, 'latin1');
}

export function octetOf(hex: string): ByteString {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

export function trimBlanks(text: ByteString): ByteString {
  let start = 0;
  while (start < text.length && isBlank(text, start)) start++;
  return trimBlanksEnd(start === 0 ? text : text.slice(start));
}

/** Uses a loop, because `/[ \t]+$/` takes quadratic time if there are blanks elsewhere. */
export function trimBlanksEnd(text: ByteString): ByteString {
  let end = text.length;
  while (end > 0 && isBlank(text, end - 1)) end--;
  return text.slice(0, end);
}

export function isBlank(text: ByteString, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 0x20 || code === 0x09;
}
