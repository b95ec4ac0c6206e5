/** Most characters that one event may have: several times what the largest email of the default settings has. */
const MAX_EVENT_LENGTH = 2 ** 27;

const LINE_END = /\r\n|[\r\n]/;

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
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text === '') return [];
    const [begun = '', ...others] = (this.#endedInCr ? text.replace(/^\n/, '') : text).split(LINE_END);
    this.#endedInCr = text.endsWith('\r');
    this.#hold(begun);
    return others.flatMap((line) => {
      const ended = this.#endLine();
      this.#hold(line);
      return ended;
    });
  }

  #hold(piece: string): void {
    this.#length += piece.length;
    // A server that never ends a line must not fill the memory of the test.
    if (this.#length > this.#maxLength) throw new Error(`an event is longer than ${this.#maxLength} characters`);
    this.#line.push(piece);
  }

  /** The data of the event that this line ends, if it ends one. */
  #endLine(): string[] {
    const line = this.#line.join('');
    this.#line = [];
    if (line !== '') {
      const [name] = /^data(?:: ?|$)/.exec(line) ?? [];
      if (name === undefined) this.#length -= line.length;
      else this.#data.push(line.slice(name.length));
      return [];
    }
    const data = this.#data;
    this.#data = [];
    this.#length = 0;
    return data.length === 0 ? [] : [data.join('\n')];
  }
}
