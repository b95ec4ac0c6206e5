/**
 * An empty line ends an event; an LF that comes after its CR, with the next bytes, is one more empty line, which ends
 * nothing.
 */
const EVENT_END = /(?:\r\n|\r(?!\n)|\n){2}/;
const LINE_END = /\r\n|[\r\n]/;
const DATA = /^data(?:: ?|$)/;

/**
 * Reads the data of server-sent events out of bytes, however these are split (WHATWG HTML, section 9.2.6). Comments and
 * all fields but `data` are passed over.
 */
export class EventParser {
  readonly #decoder = new TextDecoder();
  /** The pieces so far of an event: a large event is one line, and its pieces are joined once. */
  #begun: string[] = [];

  /** The data of the events that end in these bytes. */
  push(bytes: Uint8Array): string[] {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#begun.push(text);
    if (!LINE_END.test(text)) return [];
    const events = this.#begun.join('').split(EVENT_END);
    this.#begun = events.splice(-1);
    return events.flatMap(dataOf);
  }
}

function dataOf(event: string): string[] {
  const lines = event.split(LINE_END).filter((line) => DATA.test(line));
  return lines.length === 0 ? [] : [lines.map((line) => line.replace(DATA, '')).join('\n')];
}
