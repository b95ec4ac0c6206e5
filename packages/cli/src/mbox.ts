/** Maximum size of a message, so that a file without line ends fits into memory. */
const MAX_MESSAGE_BYTES = 128 * 2 ** 20;

const LF = 10;
const FROM = 'From ';

/** A separator of mbox: sender and date. Some programs leave the text `From ` at the start of a line unquoted. */
const SEPARATOR = /^From \S.*\d\d:\d\d.*\d{4}/;

/** A line of a message that mboxrd quotes: `From ` after any number of `>`. */
const QUOTED = /^>+From /;

/** Yields the messages of a file, byte for byte: one, or those of an mbox without its separators and quoting (mboxrd). */
export async function* messagesIn(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isMbox: boolean | undefined;
  let lines: Buffer[] = [];
  let bytes = 0;
  // A separator follows an empty line, which is no part of the message.
  let isAfterBlank = true;
  const message = () => Buffer.concat(isMbox && lines.length > 1 && isAfterBlank ? lines.slice(0, -1) : lines);
  for await (const line of linesOf(file)) {
    const start = beginningOf(line);
    isMbox ??= start.startsWith(FROM);
    if (isMbox && isAfterBlank && (lines.length === 0 || SEPARATOR.test(start)) && start.startsWith(FROM)) {
      if (bytes > 0) yield message();
      [lines, bytes, isAfterBlank] = [[], 0, false];
      continue;
    }
    bytes += line.length;
    if (bytes > MAX_MESSAGE_BYTES) throw new Error(`a message has more than ${MAX_MESSAGE_BYTES} bytes`);
    lines.push(isMbox && QUOTED.test(start) ? line.subarray(1) : line);
    isAfterBlank = start === '\n' || start === '\r\n';
  }
  if (bytes > 0) yield message();
}

/** The beginning of a line, which is enough to recognize a separator. */
function beginningOf(line: Buffer): string {
  return line.toString('latin1', 0, 300);
}

async function* linesOf(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file) {
    let from = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, at + 1)]);
      [begun, bytes, from] = [[], 0, at + 1];
    }
    begun.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > MAX_MESSAGE_BYTES) throw new Error(`a line has more than ${MAX_MESSAGE_BYTES} bytes`);
  }
  if (bytes > 0) yield Buffer.concat(begun);
}
