/** Joins lines with CRLF into a message; `latin1` writes one byte per character. */
export function message(lines: readonly string[], encoding: 'utf8' | 'latin1' = 'utf8'): Buffer {
  return Buffer.from(lines.join('\r\n'), encoding);
}
