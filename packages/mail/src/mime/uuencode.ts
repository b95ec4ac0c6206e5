/** A uuencoded character encodes six bits, counted from the space. A grave accent and a space both mean zero. */
const FIRST = 0x20;
const LAST = 0x60;
const SIX_BITS = 0x3f;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The first line of a file (POSIX uuencode): its mode and name. */
const BEGIN = /^begin [0-7]{3,4} \S/;
const BEGIN_WORD = 'begin ';

/** Whether a line is uuencoded data. Its first character encodes the byte count. Trailing blanks may be missing. */
function isDataLine(line: string): boolean {
  if (line === '' || !/^[ -`]+$/.test(line)) return false;
  const bytes = (line.charCodeAt(0) - FIRST) & SIX_BITS;
  const chars = 4 * Math.ceil(bytes / 3);
  return line.length - 1 <= chars + 1 && (bytes === 0 || line.length > 1);
}

/** Removes uuencoded files (`begin 644 name` to `end`) from a text with LF line ends. Linear time. */
export function withoutUuencodedFiles(text: string): string {
  if (!text.includes(BEGIN_WORD)) return text;
  const lines = text.split('\n');
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const end = BEGIN.test(lines[at] as string) ? fileEnd(lines, at + 1) : null;
    if (end === null) kept.push(lines[at] as string);
    else at = end;
  }
  return kept.join('\n');
}

/** The index of a file's last line: `end`, or the last line of a truncated text. Null if the lines are not a file. */
function fileEnd(lines: readonly string[], first: number): number | null {
  let at = first;
  while (at < lines.length && lines[at] !== 'end' && isDataLine(lines[at] as string)) at++;
  if (at === first) return null;
  if (lines[at] === 'end') return at;
  return at >= lines.length - 1 ? lines.length - 1 : null;
}

/** Decodes up to the buffer's size and returns the number of bytes. Skips `begin` and `end`. */
export function decodeUuencode(content: Buffer, decoded: Uint8Array): number {
  let length = 0;
  for (let start = 0; start < content.length; ) {
    const feed = content.indexOf(LINE_FEED, start);
    const next = feed < 0 ? content.length : feed + 1;
    const end = feed > start && content[feed - 1] === CARRIAGE_RETURN ? feed - 1 : feed < 0 ? content.length : feed;
    const line = content.subarray(start, end);
    if (!line.toString('latin1', 0, BEGIN_WORD.length).startsWith(BEGIN_WORD) && line.toString('latin1') !== 'end')
      length += decodeLine(line, decoded.subarray(length));
    start = next;
  }
  return length;
}

function decodeLine(line: Buffer, decoded: Uint8Array): number {
  const first = line[0] ?? LAST;
  if (first < FIRST || first > LAST) return 0;
  const bytes = Math.min((first - FIRST) & SIX_BITS, decoded.length);
  let length = 0;
  for (let at = 1; length < bytes; at += 4) {
    const [a, b, c, d] = [sextet(line[at]), sextet(line[at + 1]), sextet(line[at + 2]), sextet(line[at + 3])];
    const group = [(a << 2) | (b >> 4), ((b & 0xf) << 4) | (c >> 2), ((c & 0x3) << 6) | d];
    for (const byte of group) if (length < bytes) decoded[length++] = byte;
  }
  return length;
}

/** Blanks at the end of a line, which mean zero, may be missing. */
function sextet(char: number | undefined): number {
  return char === undefined ? 0 : (char - FIRST) & SIX_BITS;
}
