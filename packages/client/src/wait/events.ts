/**
 * An empty line ends an event; an LF that comes after its CR, with the next bytes, is one more empty line, which ends
 * nothing.
 */
const EVENT_END = /(?:\r\n|\r(?!\n)|\n){2}/;
const LINE_END = /\r\n?|\n/;
const DATA = /^data(?:: ?|$)/;

/**
 * Reads the data of server-sent events out of bytes, however these are split (WHATWG HTML, section 9.2.6). Comments and
 * all fields but `data` are passed over.
 */
export class EventParser {
  readonly #decoder = new TextDecoder();
  /** The pieces so far of an event, none of them empty. They are joined once: an event may have many pieces. */
  #begun: string[] = [];

  /** The data of the events that end in these bytes. */
  push(bytes: Uint8Array): string[] {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text) this.#begun.push(text);
    // Four characters at most end an event, so its end is in the last four pieces.
    if (!EVENT_END.test(this.#begun.slice(-4).join(''))) return [];
    const events = this.#begun.join('').split(EVENT_END);
    this.#begun = events.splice(-1);
    return events.flatMap(dataOf);
  }
}

function dataOf(event: string): string[] {
  const lines = event.split(LINE_END).filter((line) => DATA.test(line));
  return lines.length > 0 ? [lines.map((line) => line.replace(DATA, '')).join('\n')] : [];
}
