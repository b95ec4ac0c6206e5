/** Maximum size of a message, so that a file without line ends fits into memory. */
const MAX_MESSAGE_BYTES = 128 * 2 ** 20;

const LF = 10;
const FROM = 'From ';

/** A separator of mbox: sender and date. Some programs leave the text `From ` at the start of a line unquoted. */
const SEPARATOR = /^From \S.*\d\d:\d\d(?::\d\d)?(?: [^ ]{1,9}){0,2} \d{4}/;

/** A line of a message that mboxrd quotes: `From ` after any number of `>`. */
const QUOTED = /^>+From /;

/** The byte order mark, which some editors write before an mbox. */
const MARK = '\u00ef\u00bb\u00bf';

/** What to do about files that are not mail, and their beginnings. They would be imported as one unreadable message. */
const OTHER_FILES: readonly (readonly [remedy: string, beginnings: readonly string[]])[] = [
  [
    'it is compressed. Decompress it first',
    ['\u001f\u008b', 'PK\u0003\u0004', 'BZh', '\u00fd7zXZ', '(\u00b5/\u00fd', '7z\u00bc\u00af'],
  ],
  ['it is in UTF-16. Save it in ASCII or UTF-8', ['\u00ff\u00fe', '\u00fe\u00ff']],
];

/** A separator at the end of a line that only CR ends, as in files of old Macs. */
const CR_ALONE = /^(?:\u00ef\u00bb\u00bf)?From [^\r\n]{1,200}\r[^\n]/;

/** Yields the messages of a file, byte for byte: one, or those of an mbox without its separators and quoting (mboxrd). */
export async function* messagesIn(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isMbox: boolean | undefined;
  const message = new Message();
  // A separator follows an empty line, which is no part of the message.
  let isAfterBlank = true;
  for await (const block of mailIn(wholeLines(file))) {
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

/** Yields the blocks of a file, without a byte order mark before a separator. Throws if the file cannot be mail. */
async function* mailIn(blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const block of blocks) {
    const start = isFirst ? beginningOf(block) : '';
    const [remedy] = OTHER_FILES.find(([, beginnings]) => beginnings.some((one) => start.startsWith(one))) ?? [];
    if (remedy !== undefined) throw new Error(remedy);
    if (CR_ALONE.test(start)) throw new Error('its lines end in CR. Convert them to LF');
    yield start.startsWith(MARK + FROM) ? block.subarray(MARK.length) : block;
    isFirst = false;
  }
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
