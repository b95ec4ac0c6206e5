import type { Noted } from './attempt.js';

/** What one client holds of the book. */
export interface Holder {
  readonly client: string;
  /** The oldest first. */
  readonly attempts: Set<Noted>;
  bytes: number;
  level: number;
}

/** More levels than a bound in bytes has bits. */
const LEVELS = 32;

/**
 * Who holds how much of the book. Clients are sorted by the power of two that they are at, so that neither many clients
 * nor many attempts make it dear to tell who holds most, to a factor of two.
 */
export class Holders {
  readonly #byClient = new Map<string, Holder>();
  readonly #levels = Array.from({ length: LEVELS }, () => new Set<Holder>());

  of(client: string): Holder | undefined {
    return this.#byClient.get(client);
  }

  add(noted: Noted, bytes: number): void {
    let holder = this.#byClient.get(noted.client);
    if (holder === undefined) {
      holder = { client: noted.client, attempts: new Set(), bytes: 0, level: 0 };
      this.#byClient.set(noted.client, holder);
    }
    holder.attempts.add(noted);
    this.#weigh(holder, bytes);
  }

  remove(noted: Noted, bytes: number): void {
    const holder = this.#byClient.get(noted.client);
    if (holder?.attempts.delete(noted)) this.#weigh(holder, -bytes);
  }

  /** The oldest attempt of a client that holds at least half as much as any. */
  oldestOfHeaviest(): Noted | undefined {
    for (let level = LEVELS - 1; level >= 0; level -= 1) {
      for (const { attempts } of this.#levels[level] ?? []) for (const oldest of attempts) return oldest;
    }
    return undefined;
  }

  #weigh(holder: Holder, bytes: number): void {
    holder.bytes += bytes;
    const level = LEVELS - 1 - Math.clz32(holder.bytes);
    if (level === holder.level && holder.bytes > 0) return;
    this.#levels[holder.level]?.delete(holder);
    holder.level = Math.max(0, level);
    if (holder.attempts.size > 0) this.#levels[holder.level]?.add(holder);
    else this.#byClient.delete(holder.client);
  }
}
