/** A text with its lines ending in LF, whether they ended in CRLF, CR or LF. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text;
}
