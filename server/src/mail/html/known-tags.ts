import type { Source } from './tag.js';

/** How many tags are remembered at once. A real mail writes fewer than 100 in all its ways. */
const SLOTS = 256;

/**
 * Tags up to this length are looked through unit by unit, and compared so. Of longer ones the end is looked for and the text
 * compared by native calls, each of which costs as much as to go through so many units.
 */
const SHORT_TAG_CHARS = 8;

const GREATER = 0x3e;

interface KnownTag<Value> {
  readonly start: number;
  readonly length: number;
  /** The tag itself, if it is a long one. */
  readonly written: string;
  readonly value: Value;
}

/**
 * What was read of the tags of a page that were written last. A tag has one slot, and one that needs the same slot takes it
 * over: to look a tag up costs one comparison.
 */
export class KnownTags<Value> {
  /** Where the tag that was looked up last ends at the earliest: behind the first `>`; 0 if there is none. */
  end = 0;

  readonly #source: Source;
  readonly #slots: (KnownTag<Value> | undefined)[] = new Array(SLOTS);
  #slot = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** What was read of the tag at a place, if the same was written before and ended at its first `>`. */
  find(start: number): Value | undefined {
    const { html, units } = this.#source;
    let hash = 0;
    let at = start + 1;
    for (; at < start + SHORT_TAG_CHARS; at++) {
      const unit = units[at] as number;
      if (unit === GREATER) break;
      hash = (hash * 31 + unit) | 0;
    }
    const isShort = at < start + SHORT_TAG_CHARS;
    this.end = (isShort ? at : html.indexOf('>', at)) + 1;
    const length = this.end - start;
    if (!isShort) hash += length + (units[start + (length >> 1)] as number) * 31;
    this.#slot = hash & (SLOTS - 1);
    const known = this.#slots[this.#slot];
    if (known === undefined || known.length !== length) return undefined;
    const isSame = isShort ? this.#isSame(start, known) : html.slice(start, this.end) === known.written;
    return isSame ? known.value : undefined;
  }

  /** Remembers what was read of the tag that was looked up last, which ends at its first `>`. */
  keep(start: number, value: Value): void {
    const written = this.#source.html.slice(start, this.end);
    this.#slots[this.#slot] = { start, length: this.end - start, written, value };
  }

  #isSame(start: number, known: KnownTag<Value>): boolean {
    const { units } = this.#source;
    const distance = start - known.start;
    for (let at = start + 1; at < this.end; at++) if (units[at] !== units[at - distance]) return false;
    return true;
  }
}
