/**
 * Joins the lines of a format=flowed text (RFC 3676 section 4), so that a wrapped code or link is whole again: a line that ends in a space
 * goes on in the next of its quote depth. A stuffed space goes, and with `delSp` of `yes` the one that marks a soft break. In LF.
 */
export function joinFlowed(text: string, delSp: string | null): string {
  const dropsMarker = delSp?.toLowerCase() === 'yes';
  const pieces: string[] = [];
  /** Quote depth of the paragraph that the last line left open; null when it closed it. */
  let openDepth: number | null = null;
  for (const line of text.split('\n')) {
    const depth = quoteDepth(line);
    const content = line.slice(line.charAt(depth) === ' ' ? depth + 1 : depth);
    // The line before a signature ends in a space and is not flowed (section 4.3).
    const isSignature = content === '-- ';
    const flows = content.endsWith(' ') && !isSignature;
    if (openDepth !== depth || isSignature) {
      const quote = depth === 0 ? '' : line.slice(0, line.length - content.length);
      pieces.push(pieces.length === 0 ? '' : '\n', quote);
    }
    pieces.push(flows && dropsMarker ? content.slice(0, -1) : content);
    openDepth = flows ? depth : null;
  }
  return pieces.join('');
}

function quoteDepth(line: string): number {
  let depth = 0;
  while (line.charAt(depth) === '>') depth++;
  return depth;
}
