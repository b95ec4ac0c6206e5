import { type Database, open, type RootDatabase } from 'lmdb';
import { type OpenMode, type Store, type StoreLimits, UnusableStoreError } from '../store.js';
import { prepareDirectory, watchDataFile } from './folder.js';
import { LmdbStore } from './lmdb-store.js';
import { FORMAT, type Tables, type Tally } from './tables.js';

/** The table that tells Mayfly's data from others'. */
const OWN_TABLE = 'mayfly';

const OPTIONS = {
  // Without this a name with a dot in it would be taken for a file's.
  noSubdir: false,
  // With this a commit could be read before its fdatasync, and the binding promises only for its `flushed` that it was synced (D14).
  overlappingSync: false,
  // See `writeIfUnchanged`.
  eventTurnBatching: false,
  encoding: 'json',
  // Mail is nobody else's business.
  permissionsMode: 0o600,
} as const;

/**
 * The directories that this process has open. LMDB has one writer at a time, and opening writes: a second opening in
 * this process would wait for a transaction that in turn waits for the event loop, for ever.
 */
const openDirectories = new Set<string>();

/**
 * Opens the store in a directory, which is created if it is not there and may be. Other processes may have it open meanwhile.
 * Rejects with a sentence when the directory cannot be used, holds something else or a damaged store, or is open in this
 * process.
 */
export async function openLmdbStore(directory: string, limits: StoreLimits, mode: OpenMode = 'create'): Promise<Store> {
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
    const tables = openTables(root, directory);
    const { tally } = tables;
    const environment = {
      writeIfUnchanged: async (version: number, write: () => void) => {
        const isWritten = await writeIfUnchanged(root, tally, version, write).catch((error) =>
          rethrow(error, directory),
        );
        // Nothing is said to be stored that lies in a file without a name.
        mustBeInPlace();
        return isWritten;
      },
      transaction: async <T>(job: () => T) => {
        const result = await transaction(root, job).catch((error) => rethrow(error, directory));
        mustBeInPlace();
        return result;
      },
      resetReadTxn: () => root.resetReadTxn(),
      close,
    };
    return new LmdbStore(environment, tables, limits);
  } catch (error) {
    await close();
    throw error;
  }
}

function openRoot(path: string): RootDatabase {
  try {
    return open({ path, ...OPTIONS });
  } catch (error) {
    throw new Error(`The store in ${path} cannot be opened: ${String(error)}. Check who may read and write it.`, {
      cause: error,
    });
  }
}

/** The tally as LMDB's binding has it, which can also make writes depend on its version. */
type TallyTable = Database<Tally, 'tally'>;

function openTables(root: RootDatabase, directory: string): Tables & { readonly tally: TallyTable } {
  const names = [...root.getKeys()];
  if (names.length > 0 && !names.includes(OWN_TABLE)) {
    throw new UnusableStoreError(
      `--store: the LMDB data in ${directory} is not Mayfly's. Name an empty folder, or a new one.`,
    );
  }
  const mayfly = root.openDB<number, 'format'>({ name: OWN_TABLE });
  const format = root.transactionSync(() => {
    if (!mayfly.doesExist('format')) mayfly.put('format', FORMAT);
    return mayfly.get('format');
  });
  if (format !== FORMAT) {
    throw new UnusableStoreError(
      `--store: the store in ${directory} has format ${format}, and this version of Mayfly reads format ${FORMAT}. ` +
        'Name an empty folder. The version that wrote it can still read it, and list its waitlist: see "Upgrading" in docs/configuration.md.',
    );
  }
  const tally: TallyTable = root.openDB({ name: 'tally', useVersions: true });
  root.transactionSync(() => {
    if (!tally.doesExist('tally')) tally.put('tally', { bytes: 0, messages: 0 }, 1);
  });
  const bytes = { encoding: 'binary', keyEncoding: 'binary' } as const;
  return {
    mayfly,
    tally,
    emails: root.openDB<Buffer, Buffer>({ name: 'emails', ...bytes }),
    deadlines: root.openDB<Buffer, Buffer>({ name: 'deadlines', ...bytes }),
    messages: root.openDB<Buffer, Buffer>({ name: 'messages', ...bytes }),
    shares: root.openDB<Buffer, Buffer>({ name: 'shares', ...bytes }),
    clearings: root.openDB({ name: 'clearings' }),
    waitlist: root.openDB({ name: 'waitlist' }),
    waitlistAddresses: root.openDB({ name: 'waitlistAddresses' }),
  };
}

/**
 * What is in one batch is in one transaction, here on the condition that the tally has this version. By itself the binding would
 * make a batch of each turn of the event loop, but then a commit that fails (the disk is full) rejects a promise that nobody has,
 * and that ends the process.
 */
async function writeIfUnchanged(
  root: RootDatabase,
  tally: TallyTable,
  version: number,
  write: () => void,
): Promise<boolean> {
  const written = tally.ifVersion('tally', version, write);
  // The binding lets its thread begin only in a later turn of the event loop, or at once when another batch follows.
  const next = root.batch(() => {});
  const [isWritten] = await Promise.all([written, next]);
  return isWritten;
}

/** A transaction whose job reads and writes while LMDB's thread waits for it. */
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

/** Runs a job now; what is returned gives its result, or throws what it threw. */
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

/** LMDB's binding says only that a commit failed, and keeps the reason in a promise of its own. */
async function rethrow(error: unknown, directory: string): Promise<never> {
  if (!(error instanceof Error && 'commitError' in error)) throw error;
  const cause = await Promise.resolve(error.commitError).catch((reason: unknown) => reason);
  throw new Error(`The store in ${directory} cannot be written: ${String(cause)}. Check the space on its disk.`, {
    cause,
  });
}
