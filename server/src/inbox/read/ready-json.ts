import type { Clock } from '../../base/clock.js';
import type { ContentKey } from '../../store/store.js';
import type { ByteText } from './email-json.js';

/** How much is kept: some 500 emails of 14 KB. */
const MAX_BYTES = 8 * 1024 * 1024;

/** How long: nobody is shown what is deleted, but neither should it lie about in memory. */
const KEPT_MS = 1_000;

/** How many messages are remembered that were read once. */
const MAX_READ_ONCE = 256;

/**
 * The JSON of the messages that were read last, for whoever reads them again: all streams that wait for the same mail, and clients
 * that ask again and again. What was not read for longest goes first. A text is kept when it is made for the second time in a
 * while: most mail is read once, and what is kept outlives two collections, which made it the dearest part of such a read.
 */
export class ReadyJson {
  readonly #clock: Clock;
  readonly #texts = new Map<ContentKey, ByteText>();
  readonly #readOnce = new Set<ContentKey>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: ContentKey): ByteText | undefined {
    const text = this.#texts.get(key);
    if (text === undefined) return;
    this.#texts.delete(key);
    this.#texts.set(key, text);
    return text;
  }

  /** Keeps a text that was made before. Two who read the same message at once both made it: it is kept, and counts, once. */
  keep(key: ContentKey, text: ByteText): void {
    if (this.#texts.size + this.#readOnce.size === 0) this.#clock.after(KEPT_MS, () => this.#clear());
    if (!this.#readOnce.delete(key) && !this.#texts.has(key)) {
      this.#noteRead(key);
      return;
    }
    this.#bytes += text.length - (this.#texts.get(key)?.length ?? 0);
    this.#texts.delete(key);
    this.#texts.set(key, text);
    for (const [oldest, { length }] of this.#texts) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#texts.delete(oldest);
      this.#bytes -= length;
    }
  }

  #noteRead(key: ContentKey): void {
    this.#readOnce.add(key);
    const [oldest] = this.#readOnce;
    if (this.#readOnce.size > MAX_READ_ONCE && oldest !== undefined) this.#readOnce.delete(oldest);
  }

  #clear(): void {
    this.#texts.clear();
    this.#readOnce.clear();
    this.#bytes = 0;
  }
}
