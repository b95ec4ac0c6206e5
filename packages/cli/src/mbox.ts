/** Maximum size of a message, so that a file without line ends fits into memory. */
const MAX_MESSAGE_BYTES = 128 * 2 ** 20;

const LF = 10;
const FROM = 'From ';

/** A separator of mbox: sender and date. Some programs leave the text `From ` at the start of a line unquoted. */
const SEPARATOR = /^From \S.*\d\d:\d\d(?::\d\d)?(?: [^ ]{1,9}){0,2} \d{4}/;

/** A line of a message that mboxrd quotes: `From ` after any number of `>`. */
const QUOTED = /^>+From /;

/** Yields the messages of a file, byte for byte: one, or those of an mbox without its separators and quoting (mboxrd). */
export async function* messagesIn(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isMbox: boolean | undefined;
  const message = new Message();
  // A separator follows an empty line, which is no part of the message.
  let isAfterBlank = true;
  for await (const block of wholeLines(file)) {
    for (const line of linesOf(block)) {
      const start = beginningOf(line);
      isMbox ??= start.startsWith(FROM);
      if (isMbox && isAfterBlank && (message.isEmpty || SEPARATOR.test(start)) && start.startsWith(FROM)) {
        if (!message.isEmpty) yield message.take(true);
        isAfterBlank = false;
        continue;
      }
      message.append(isMbox && QUOTED.test(start) ? line.subarray(1) : line);
      isAfterBlank = start === '\n' || start === '\r\n';
    }
  }
  if (!message.isEmpty) yield message.take(isMbox === true && isAfterBlank);
}

/** The lines of a message in one buffer, because an object for each line needs far more memory than a short line. */
class Message {
  #written = Buffer.alloc(2 ** 16);
  #bytes = 0;
  #lastLine = 0;

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  append(line: Buffer): void {
    const bytes = this.#bytes + line.length;
    if (bytes > MAX_MESSAGE_BYTES) throw new Error(`a message has more than ${MAX_MESSAGE_BYTES} bytes`);
    if (bytes > this.#written.length) this.#written = Buffer.concat([this.#written], 2 * bytes);
    line.copy(this.#written, this.#bytes);
    [this.#bytes, this.#lastLine] = [bytes, line.length];
  }

  /** Returns the message, on request without its last line unless that is all, and begins another. */
  take(withoutLast: boolean): Buffer {
    const isShorter = withoutLast && this.#bytes > this.#lastLine;
    const end = isShorter ? this.#bytes - this.#lastLine : this.#bytes;
    this.#bytes = 0;
    return Buffer.from(this.#written.subarray(0, end));
  }
}

/** The beginning of a line, which is enough to recognize a separator. */
function beginningOf(line: Buffer): string {
  return line.toString('latin1', 0, 300);
}

/** Yields the bytes of a file in blocks that end where a line ends. */
async function* wholeLines(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file) {
    const end = chunk.lastIndexOf(LF) + 1;
    if (end > 0) {
      yield Buffer.concat([...begun, chunk.subarray(0, end)]);
      [begun, bytes] = [[], 0];
    }
    begun.push(chunk.subarray(end));
    bytes += chunk.length - end;
    if (bytes > MAX_MESSAGE_BYTES) throw new Error(`a line has more than ${MAX_MESSAGE_BYTES} bytes`);
  }
  if (bytes > 0) yield Buffer.concat(begun);
}

function* linesOf(block: Buffer): Generator<Buffer> {
  for (let from = 0; from < block.length; ) {
    const end = block.indexOf(LF, from) + 1 || block.length;
    yield block.subarray(from, end);
    from = end;
  }
}
