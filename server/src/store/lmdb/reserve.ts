import { randomBytes } from 'node:crypto';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { DATA_FILE } from './data-file.js';

/** A file of nothing, in the folder of the store, which is deleted when its disk is full: deleting mail writes first. */
export const RESERVE_FILE = 'reserve.bin';

/** How large it is: a step of deleting writes a page for each row that it touches, which may be some hundred, and the next does, too. */
const RESERVE_BYTES = 4 * 1024 * 1024;

const LEAST_BYTES = 256 * 1024;

const PIECE_BYTES = 128 * 1024;

/** What the system says where there is no room: on the disk, for the user, or in a file that may not grow. */
const NO_ROOM_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'] as const;

const NO_ROOM_NUMBERS: readonly number[] = NO_ROOM_CODES.map((code) => constants.errno[code]);

const MAP_FULL = -30_792;

/** What LMDB says, too, when only a part of what it writes has room. */
const PART_WRITTEN = constants.errno.EIO;

export class Reserve {
  readonly #file: string;
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.#file = join(directory, RESERVE_FILE);
  }

  /** Sets room aside; resolves to whether it is enough. Where the folder takes no files, the first write reports that. */
  async fill(): Promise<boolean> {
    try {
      // What is written over keeps its place on most disks, so only what is missing is added.
      const file = await open(this.#file, 'a', 0o600);
      try {
        let { size } = await file.stat();
        // Bytes that cannot be compressed, and no hole, which would take no room.
        for (const piece = randomBytes(PIECE_BYTES); size < RESERVE_BYTES; size += piece.length) {
          await file.writeFile(piece);
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
    const { bavail, bsize } = await statfs(this.#directory);
    return bavail * bsize;
  }

  /** Whether what kept LMDB from writing is that there is no room: it does not say so where some of it had. */
  async isFull(cause: unknown): Promise<boolean> {
    const { code } = (cause ?? {}) as { code?: unknown };
    if (code === MAP_FULL || NO_ROOM_NUMBERS.includes(code as number)) return true;
    return code === PART_WRITTEN && !(await this.#takesAPiece());
  }

  /** Whether another file may grow, as on a broken disk. It writes where the data file would, so a limit on file size is met, too. */
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
