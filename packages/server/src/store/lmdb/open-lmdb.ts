import { type Database, open, type RootDatabase } from 'lmdb';
import { JOINED_BYTES } from '../chunks.js';
import { type Opening, type OpenMode, type Store, type StoreLimits, UnusableStoreError } from '../store.js';
import { DiskRoom, Reserve } from './disk-room.js';
import { prepareDirectory, watchDataFile } from './folder.js';
import { LmdbStore } from './lmdb-store.js';
import { FORMAT, LAST_FORMAT, type Tables, type Tally } from './tables.js';

const OWN_TABLE = 'mayfly';

const OPTIONS = {
  // Otherwise a path with a dot in it would be taken for a file.
  noSubdir: false,
  // Otherwise a commit could be read before its fdatasync; the binding promises a sync only for its `flushed` (D14).
  overlappingSync: false,
  // See `writeIfUnchanged`.
  eventTurnBatching: false,
  encoding: 'json',
  // Mail is private.
  permissionsMode: 0o600,
} as const;

/** Directories open in this process. A second LMDB writer would wait for the event loop, which waits for it. */
const openDirectories = new Set<string>();

/** Rejects with a sentence if the directory is unusable, damaged, open in this process, or holds something else. */
export async function openLmdbStore(
  directory: string,
  limits: StoreLimits,
  mode: OpenMode = 'create',
  warn: Opening['warn'] = () => {},
): Promise<Store> {
  const path = await prepareDirectory(directory, mode);
  if (openDirectories.has(path)) throw new Error(`The store in ${directory} is already open in this process.`);
  const root = openRoot(path);
  openDirectories.add(path);
  const close = async () => {
    await root.close();
    openDirectories.delete(path);
  };
  try {
    const mustBeInPlace = watchDataFile(path);
    const tables = openTables(root, directory, mode);
    const { tally } = tables;
    const room = new DiskRoom(directory, new Reserve(path), warn);
    // Mode `existing` leaves the folder as it is.
    if (mode === 'create') await room.begin();
    const failed = async (error: unknown) => {
      throw await reasonOf(error, room);
    };
    const environment = {
      writeIfUnchanged: async (version: number, write: () => void) => {
        const isWritten = await writeIfUnchanged(root, tally, version, write).catch(failed);
        // Nothing is reported as stored that lies in an unnamed file.
        mustBeInPlace();
        return isWritten;
      },
      transaction: async <T>(job: () => T) => {
        const result = await transaction(root, job).catch(failed);
        mustBeInPlace();
        return result;
      },
      tryRoom: () => tryRoom(root, tables.mayfly).catch(failed),
      resetReadTxn: () => root.resetReadTxn(),
      close,
    };
    return new LmdbStore({ environment, tables, limits, room });
  } catch (error) {
    await close();
    throw error;
  }
}

function openRoot(path: string): RootDatabase {
  try {
    return open({ path, ...OPTIONS });
  } catch (error) {
    throw new Error(`The store in ${path} cannot be opened: ${String(error)}. Check its permissions.`, {
      cause: error,
    });
  }
}

type TallyTable = Database<Tally, 'tally'>;

function openTables(root: RootDatabase, directory: string, mode: OpenMode): Tables & { readonly tally: TallyTable } {
  const names = [...root.getKeys()];
  if (names.length > 0 && !names.includes(OWN_TABLE)) {
    throw new UnusableStoreError(
      `--store: the LMDB data in ${directory} is not Mayfly's. Use an empty or a new folder.`,
    );
  }
  // In one transaction, which is written to the disk once.
  return root.transactionSync(() => {
    const mayfly = root.openDB<number | string, 'format' | 'room'>({ name: OWN_TABLE });
    checkFormat(mayfly, directory, mode);
    const tally: TallyTable = root.openDB({ name: 'tally', useVersions: true });
    if (!tally.doesExist('tally')) tally.put('tally', { bytes: 0, messages: 0 }, 1);
    const bytes = { encoding: 'binary', keyEncoding: 'binary' } as const;
    return {
      mayfly,
      tally,
      emails: root.openDB<Buffer, Buffer>({ name: 'emails', ...bytes }),
      deadlines: root.openDB<Buffer, Buffer>({ name: 'deadlines', ...bytes }),
      messages: root.openDB<Buffer, Buffer>({ name: 'messages', ...bytes }),
      shares: root.openDB<Buffer, Buffer>({ name: 'shares', ...bytes }),
      news: root.openDB<Buffer, Buffer>({ name: 'news', ...bytes }),
      clearings: root.openDB({ name: 'clearings' }),
      waitlist: root.openDB({ name: 'waitlist' }),
      waitlistAddresses: root.openDB({ name: 'waitlistAddresses' }),
    };
  });
}

/** Throws a sentence for tables of another format; new ones and those of the last format get ours. */
function checkFormat(mayfly: Tables['mayfly'], directory: string, mode: OpenMode): void {
  const format = mayfly.get('format');
  // Mode `existing` only reads: the version that wrote the folder may still be its service.
  if (format === undefined || (format === LAST_FORMAT && mode === 'create')) mayfly.put('format', FORMAT);
  else if (format !== FORMAT && format !== LAST_FORMAT) {
    throw new UnusableStoreError(
      `--store: the store in ${directory} has format ${format}, but this version of Mayfly reads formats ${LAST_FORMAT} and ${FORMAT}. ` +
        'Use an empty folder. The version that wrote the store can still read it and list its waitlist: see "Upgrading" in docs/configuration.md.',
    );
  }
}

/**
 * One batch is one transaction, on the condition that the tally has this version. Left alone, the binding batches each
 * turn of the event loop; a failed commit then rejects a promise without a handler, which ends the process.
 */
async function writeIfUnchanged(
  root: RootDatabase,
  tally: TallyTable,
  version: number,
  write: () => void,
): Promise<boolean> {
  const written = tally.ifVersion('tally', version, write);
  // The binding starts its thread only in a later turn of the event loop, or at once when another batch follows.
  const next = root.batch(() => {});
  const [isWritten] = await Promise.all([written, next]);
  return isWritten;
}

async function transaction<T>(root: RootDatabase, job: () => T): Promise<T> {
  let outcome: (() => T) | undefined;
  await root.batch(() => {
    // Within a batch this promise settles at once; the batch's own settles with the commit.
    root.transaction(() => {
      outcome = attempt(job);
    });
  });
  if (outcome === undefined) throw new Error('A transaction was committed without its job.');
  return outcome();
}

function attempt<T>(job: () => T): () => T {
  try {
    const result = job();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Writes what a usual mail's row takes at most, and removes it. LMDB reuses deleted space two transactions later. */
async function tryRoom(root: RootDatabase, table: Tables['mayfly']): Promise<void> {
  for (const bytes of [1, 1, JOINED_BYTES]) await root.batch(() => table.put('room', 'x'.repeat(bytes)));
  await root.batch(() => table.remove('room'));
}

/** LMDB's binding reports only that a commit failed, and keeps the reason in a promise of its own. */
async function reasonOf(error: unknown, room: DiskRoom): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error;
  return room.whyUnwritten(await Promise.resolve(error.commitError).catch((reason: unknown) => reason));
}
