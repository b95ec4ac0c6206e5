import type { Clock } from '../../base/clock.js';
import type { ContentKey } from '../../store/store.js';
import type { ByteText } from './email-json.js';

/** How much is kept: some 500 emails of 14 KB. */
const MAX_BYTES = 8 * 1024 * 1024;

/** How long: nobody is shown what is deleted, but neither should it lie about in memory. */
const KEPT_MS = 1_000;

/**
 * The JSON of the messages that were read last, for whoever reads them again: all streams that wait for the same mail, and clients
 * that ask again and again. What was not read for longest goes first.
 */
export class ReadyJson {
  readonly #clock: Clock;
  readonly #texts = new Map<ContentKey, ByteText>();
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

  /** Keeps a text. Two who read the same message at once both made it: it is kept, and counts, once. */
  keep(key: ContentKey, text: ByteText): void {
    if (this.#texts.size === 0) this.#clock.after(KEPT_MS, () => this.#clear());
    this.#bytes += text.length - (this.#texts.get(key)?.length ?? 0);
    this.#texts.delete(key);
    this.#texts.set(key, text);
    for (const [oldest, { length }] of this.#texts) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#texts.delete(oldest);
      this.#bytes -= length;
    }
  }

  #clear(): void {
    this.#texts.clear();
    this.#bytes = 0;
  }
}
