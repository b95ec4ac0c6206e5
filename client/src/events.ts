/** Most characters that one event may have: several times what the largest email of the default settings has. */
const MAX_EVENT_LENGTH = 2 ** 27;

const LINE_END = /\r\n|[\r\n]/g;

/**
 * Reads the data of server-sent events out of bytes, however these are split (WHATWG HTML, section 9.2.6). Comments and all
 * fields but `data` are passed over. Each byte is looked at once.
 */
export class EventParser {
  readonly #maxLength: number;
  readonly #decoder = new TextDecoder();
  /** The line that has begun, in pieces. */
  #line: string[] = [];
  /** The data lines of the event that has begun. */
  #data: string[] = [];
  #length = 0;
  /** Whether the last character was a CR, so that an LF after it ends no second line. */
  #endedInCr = false;

  constructor(maxLength = MAX_EVENT_LENGTH) {
    this.#maxLength = maxLength;
  }

  /** The data of the events that end in these bytes. Throws when an event has more characters than it may. */
  push(bytes: Uint8Array): string[] {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === '') return [];
    if (this.#endedInCr && text.startsWith('\n')) text = text.slice(1);
    this.#endedInCr = text === '' ? false : text.endsWith('\r');

    const events: string[] = [];
    let start = 0;
    for (const { 0: end, index } of text.matchAll(LINE_END)) {
      this.#hold(text.slice(start, index));
      start = index + end.length;
      const event = this.#endLine();
      if (event !== null) events.push(event);
    }
    this.#hold(text.slice(start));
    return events;
  }

  #hold(piece: string): void {
    this.#length += piece.length;
    // A server that never ends a line must not fill the memory of the test.
    if (this.#length > this.#maxLength) throw new Error(`an event is longer than ${this.#maxLength} characters`);
    this.#line.push(piece);
  }

  /** The data of the event that this line ends, or null when it ends none. */
  #endLine(): string | null {
    const line = this.#line.join('');
    this.#line = [];
    if (line !== '') {
      const field = /^data(?:: ?|$)/.exec(line);
      if (field !== null) this.#data.push(line.slice(field[0].length));
      else this.#length -= line.length;
      return null;
    }
    const event = this.#data.length === 0 ? null : this.#data.join('\n');
    this.#data = [];
    this.#length = 0;
    return event;
  }
}
