import { randomBytes } from 'node:crypto';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { FullDiskLines, isWithin } from '../seam.js';
import { StoreFullDiskError } from '../store.js';
import { DATA_FILE } from './data-file.js';

/** A file of random bytes next to the data, deleted when the disk is full, because deleting mail first has to write. */
export const RESERVE_FILE = 'reserve.bin';

/** Room for two purge steps. A step touches about a hundred rows, and may write a page for each. */
const RESERVE_BYTES = 4 * 1024 * 1024;

const LEAST_BYTES = 256 * 1024;

const PIECE_BYTES = 128 * 1024;

/** No room on the disk, in the user's disk quota, or in a file of bounded size. */
const NO_ROOM_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'] as const;

/** The system's numbers for these codes, and LMDB's own for a full map. */
const NO_ROOM_NUMBERS: readonly number[] = [...NO_ROOM_CODES.map((code) => constants.errno[code]), -30_792];

const LOOKED_EVERY_MS = 1_000;

const MAX_STEPS = 50;

const ADVICE = 'Free space on the disk or delete mail. Mayfly still deletes expired mail.';

/** Whether the store's disk has room for mail. While it has no room, deletions use a reserve (D46). */
export class DiskRoom {
  readonly #directory: string;
  readonly #reserve: string;
  readonly #lines: FullDiskLines;
  readonly #tryRoom: () => Promise<void>;
  #isFull = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<boolean> | null = null;

  /** `tryRoom` writes the largest rows of a usual message. It rejects with `StoreFullDiskError` if there is no room. */
  constructor(directory: string, warn: (sentence: string) => void, tryRoom: () => Promise<void>) {
    this.#directory = directory;
    this.#reserve = join(directory, RESERVE_FILE);
    this.#tryRoom = tryRoom;
    this.#lines = new FullDiskLines(`in ${directory}`, warn);
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  async begin(): Promise<void> {
    this.#isFull = !(await this.#fillReserve()) || (await freeBytes(this.#directory)) < LEAST_BYTES;
  }

  /** Why a write failed. If the disk was full, no mail is accepted from now on. */
  async whyUnwritten(cause: unknown): Promise<Error> {
    const says = `The store in ${this.#directory} cannot be written: ${String(cause)}. Check the space on its disk.`;
    if (!(await this.#isForLackOfRoom(cause))) return new Error(says, { cause });
    this.#isFull = true;
    return new StoreFullDiskError(says, { cause });
  }

  /** Throws while the disk is full, because mail would take the room that deletions need. */
  mustHaveRoom(): void {
    if (this.#isFull) throw new StoreFullDiskError(`The disk of the store in ${this.#directory} is full.`);
  }

  /** Runs work that is small or eventually frees space. If the disk is full, deletes the reserve and runs it again. */
  async withReserve<T>(job: () => Promise<T>): Promise<T> {
    try {
      return await job();
    } catch (error) {
      if (!(error instanceof StoreFullDiskError)) throw error;
      await rm(this.#reserve, { force: true }).catch(() => {});
      return await job();
    }
  }

  /**
   * Makes room on a full disk; resolves to whether there is room now. For mail, checks at most once a second.
   * `purgeStep` deletes a bounded number of cleared or expired emails, and resolves to whether there were any.
   */
  async make(now: number, isForMail: boolean, purgeStep: () => Promise<boolean>): Promise<boolean> {
    if (isForMail) {
      this.#lines.refused(now, ADVICE);
      if (this.#looking === null && isWithin(LOOKED_EVERY_MS, this.#lookedAt, now)) return false;
    }
    // After a deletion, the next mail need not wait, because LMDB reuses the freed space only two transactions later.
    this.#lookedAt = isForMail ? now : Number.NEGATIVE_INFINITY;
    this.#looking ??= this.#look(purgeStep).finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(purgeStep: () => Promise<boolean>): Promise<boolean> {
    try {
      for (let steps = 0; steps < MAX_STEPS && (await this.withReserve(purgeStep)); ) steps += 1;
      if (!(await this.#fillReserve())) return false;
      await this.#tryRoom();
    } catch (error) {
      if (!(error instanceof StoreFullDiskError)) throw error;
      return false;
    }
    this.#isFull = false;
    this.#lines.hasRoom();
    return true;
  }

  /** Resolves to whether the reserve is large enough. Errors other than a full disk are left for writes to report. */
  async #fillReserve(): Promise<boolean> {
    try {
      // Appends only the missing bytes, because on most disks overwriting the others would reserve no further room.
      const file = await open(this.#reserve, 'a', 0o600);
      try {
        let { size } = await file.stat();
        // Random bytes, because compressible bytes or a hole would take less room.
        const piece = randomBytes(PIECE_BYTES);
        while (size < RESERVE_BYTES) {
          const missing = Math.ceil((RESERVE_BYTES - size) / PIECE_BYTES);
          // A full disk may accept part of a write, and then reports an error at the next write.
          size += (await file.writev(Array(missing).fill(piece))).bytesWritten;
        }
      } finally {
        await file.close();
      }
      return true;
    } catch (error) {
      if (!isNoRoom(error)) return true;
      const { size } = await stat(this.#reserve).catch(() => ({ size: 0 }));
      return size >= LEAST_BYTES;
    }
  }

  async #isForLackOfRoom(cause: unknown): Promise<boolean> {
    const { code } = (cause ?? {}) as { code?: unknown };
    if (NO_ROOM_NUMBERS.includes(code as number)) return true;
    // LMDB also reports an I/O error if the disk had room for only part of a write.
    return code === constants.errno.EIO && !(await this.#takesAPiece());
  }

  /** Whether a trial file can become larger than the data file. If so, the write did not fail for lack of room. */
  async #takesAPiece(): Promise<boolean> {
    const trial = `${this.#reserve}.trial`;
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

export async function freeBytes(directory: string): Promise<number> {
  const unknown = { blocks: 0, bavail: 0, bsize: 0 };
  const { blocks, bavail, bsize } = await statfs(directory).catch(() => unknown);
  // A file system without a fixed size, such as ramfs, reports no free space. Only writes reveal whether there is room.
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}
