import { FullDiskLines, isWithin } from '../full-disk-lines.js';
import { StoreFullDiskError } from '../store.js';
import type { Reserve } from './reserve.js';

const LOOKED_EVERY_MS = 1_000;

const MAX_STEPS = 50;

/** So much has to be free beside the reserve before it is tried whether mail has room. */
const WORTH_TRYING_BYTES = 512 * 1024;

/** How often it is tried after something was deleted: LMDB goes on without its room while somebody reads what was there. */
const TRIES = 5;

const ADVICE = 'Free space on the disk or delete mail; expired mail is still deleted.';

export type Reason = 'mail' | 'deleted' | 'time';

export interface MakingRoom {
  isPurgeDue(now: number): boolean;
  purgeStep(now: number): Promise<boolean>;
  /** Writes as much as a usual mail takes, and removes it. Rejects where that has no room. */
  tryRoom(): Promise<void>;
}

/** Whether the disk of a store has room for mail. While it has none, the reserve is there for what deletes. Times are arguments. */
export class DiskRoom {
  readonly #directory: string;
  readonly #reserve: Reserve;
  readonly #lines: FullDiskLines;
  #isFull = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #triesLeft = 0;
  #looking: Promise<boolean> | null = null;

  constructor(directory: string, reserve: Reserve, warn: (sentence: string) => void) {
    this.#directory = directory;
    this.#reserve = reserve;
    this.#lines = new FullDiskLines(`in ${directory}`, warn);
  }

  async begin(): Promise<void> {
    if (!(await this.#reserve.fill())) this.#isFull = true;
  }

  /** Why something could not be written, for whoever wanted to: where there was no room, no mail is taken from now on. */
  async whyUnwritten(cause: unknown): Promise<Error> {
    const says = `The store in ${this.#directory} cannot be written: ${String(cause)}. Check the space on its disk.`;
    if (!(await this.#reserve.isFull(cause))) return new Error(says, { cause });
    this.#isFull = true;
    return new StoreFullDiskError(says, { cause });
  }

  /** Throws while there is no room for mail, which would take what deleting needs. */
  mustHaveRoom(): void {
    if (this.#isFull) throw new StoreFullDiskError(`The disk of the store in ${this.#directory} is full.`);
  }

  /** Does what makes room in the end, or is small: where the disk is full, the reserve is given up for it. */
  async withReserve<T>(job: () => Promise<T>): Promise<T> {
    try {
      return await job();
    } catch (error) {
      if (!(error instanceof StoreFullDiskError)) throw error;
      await this.#reserve.release();
      return await job();
    }
  }

  /** Makes room where there is none, and resolves to whether there is room now. For mail it looks at most once a second. */
  async make(now: number, making: MakingRoom, reason: Reason): Promise<boolean> {
    if (!this.#isFull) return true;
    if (reason === 'mail') {
      this.#lines.refused(now, ADVICE);
      const isSoon = this.#looking === null && isWithin(LOOKED_EVERY_MS, this.#lookedAt, now);
      if (isSoon && !making.isPurgeDue(now)) return false;
      this.#lookedAt = now;
    }
    if (reason === 'deleted') this.#triesLeft = TRIES;
    this.#looking ??= this.#look(now, making).finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(now: number, making: MakingRoom): Promise<boolean> {
    let steps = 0;
    try {
      while (steps < MAX_STEPS && (await this.withReserve(() => making.purgeStep(now)))) steps += 1;
      const hasReserve = await this.#reserve.fill();
      if (steps > 0 || (await this.#reserve.freeBytes()) >= WORTH_TRYING_BYTES) this.#triesLeft = TRIES;
      if (!hasReserve || this.#triesLeft === 0) return false;
      this.#triesLeft -= 1;
      await making.tryRoom();
    } catch (error) {
      if (!(error instanceof StoreFullDiskError)) throw error;
      return false;
    }
    this.#isFull = false;
    this.#lines.hasRoom();
    return true;
  }
}
