import { randomBytes } from 'node:crypto';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { FullDiskLines, isWithin } from '../full-disk-lines.js';
import { StoreFullDiskError } from '../store.js';
import { DATA_FILE } from './data-file.js';

/** A file of random bytes beside the data, deleted when the disk is full: deleting mail must write first. */
export const RESERVE_FILE = 'reserve.bin';

/** A purge step may write a page for each row it touches, some hundred, and so may the next. */
const RESERVE_BYTES = 4 * 1024 * 1024;

const LEAST_BYTES = 256 * 1024;

const PIECE_BYTES = 128 * 1024;

/** No room on the disk, in the user's quota, or in a file of bounded size. */
const NO_ROOM_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'] as const;

const NO_ROOM_NUMBERS: readonly number[] = NO_ROOM_CODES.map((code) => constants.errno[code]);

const MAP_FULL = -30_792;

/** LMDB reports this, too, when only part of a write has room. */
const PART_WRITTEN = constants.errno.EIO;

export class Reserve {
  readonly #file: string;
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.#file = join(directory, RESERVE_FILE);
  }

  /** Reserves room; resolves to whether it is enough. If the folder takes no files, the first write reports that. */
  async fill(): Promise<boolean> {
    try {
      // Overwritten bytes keep their place on most disks, so only the missing ones are added.
      const file = await open(this.#file, 'a', 0o600);
      try {
        let { size } = await file.stat();
        // Random bytes: neither compressed nor a hole, which would take no room.
        const piece = randomBytes(PIECE_BYTES);
        while (size < RESERVE_BYTES) {
          const pieces = Array<Buffer>(Math.ceil((RESERVE_BYTES - size) / piece.length)).fill(piece);
          // A full disk may take a part, and says so with the next.
          size += (await file.writev(pieces)).bytesWritten;
        }
      } finally {
        await file.close();
      }
      return true;
    } catch (error) {
      if (!isNoRoom(error)) return true;
      const { size } = await stat(this.#file).catch(() => ({ size: 0 }));
      return size >= LEAST_BYTES;
    }
  }

  async release(): Promise<void> {
    await rm(this.#file, { force: true }).catch(() => {});
  }

  async freeBytes(): Promise<number> {
    const unknown = { blocks: 0, bavail: 0, bsize: 0 };
    const { blocks, bavail, bsize } = await statfs(this.#directory).catch(() => unknown);
    // A file system without a size of its own, such as ramfs, counts none as free. Writes tell whether there is room.
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  }

  /** Whether LMDB could not write for lack of room. It does not say so if part of the write had room. */
  async isFull(cause: unknown): Promise<boolean> {
    const { code } = (cause ?? {}) as { code?: unknown };
    if (code === MAP_FULL || NO_ROOM_NUMBERS.includes(code as number)) return true;
    return code === PART_WRITTEN && !(await this.#takesAPiece());
  }

  /** Whether another file can grow, at the data file's length, to tell a full disk or size limit from a broken disk. */
  async #takesAPiece(): Promise<boolean> {
    const trial = `${this.#file}.trial`;
    try {
      const { size } = await stat(join(this.#directory, DATA_FILE));
      const file = await open(trial, 'w', 0o600);
      const write = file.write(randomBytes(PIECE_BYTES), 0, PIECE_BYTES, size);
      const { bytesWritten } = await write.finally(() => file.close());
      return bytesWritten === PIECE_BYTES;
    } catch (error) {
      return !isNoRoom(error);
    } finally {
      await rm(trial, { force: true }).catch(() => {});
    }
  }
}

function isNoRoom(error: unknown): boolean {
  return NO_ROOM_CODES.some((code) => code === (error as NodeJS.ErrnoException).code);
}

const LOOKED_EVERY_MS = 1_000;

const MAX_STEPS = 50;

/** Free bytes beside the reserve from which mail is tried. */
const WORTH_TRYING_BYTES = 512 * 1024;

/** Tries after a deletion: LMDB cannot reuse the space while a reader still uses it. */
const TRIES = 5;

const ADVICE = 'Free space on the disk or delete mail; expired mail is still deleted.';

export type Reason = 'mail' | 'deleted' | 'time';

export interface MakingRoom {
  isPurgeDue(now: number): boolean;
  purgeStep(now: number): Promise<boolean>;
  /** Writes as much as a usual mail takes, and removes it. Rejects where that has no room. */
  tryRoom(): Promise<void>;
}

/** Whether the store's disk has room for mail. While it has none, the reserve serves deletions. Times are arguments. */
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
    if ((await this.#reserve.fill()) && (await this.#reserve.freeBytes()) >= LEAST_BYTES) return;
    this.#isFull = true;
    // The data file may have room that deleted mail left.
    this.#triesLeft = TRIES;
  }

  /** Why a write failed. If the disk was full, no mail is accepted from now on. */
  async whyUnwritten(cause: unknown): Promise<Error> {
    const says = `The store in ${this.#directory} cannot be written: ${String(cause)}. Check the space on its disk.`;
    if (!(await this.#reserve.isFull(cause))) return new Error(says, { cause });
    this.#isFull = true;
    return new StoreFullDiskError(says, { cause });
  }

  /** Mail would take the room that deleting needs. */
  mustHaveRoom(): void {
    if (this.#isFull) throw new StoreFullDiskError(`The disk of the store in ${this.#directory} is full.`);
  }

  /** Runs work that is small or makes room in the end: on a full disk, the reserve is given up for it. */
  async withReserve<T>(job: () => Promise<T>): Promise<T> {
    try {
      return await job();
    } catch (error) {
      if (!(error instanceof StoreFullDiskError)) throw error;
      await this.#reserve.release();
      return await job();
    }
  }

  /** Makes room if there is none; resolves to whether there is room now. For mail it looks at most once a second. */
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
