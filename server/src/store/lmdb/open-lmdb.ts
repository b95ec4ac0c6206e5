import { open, type RootDatabase } from 'lmdb';
import { type OpenMode, type Store, type StoreLimits, UnusableStoreError } from '../store.js';
import { prepareDirectory, watchDataFile } from './folder.js';
import { LmdbStore } from './lmdb-store.js';
import { FORMAT, type Tables } from './tables.js';

/** The table that tells Mayfly's data from others'. */
const OWN_TABLE = 'mayfly';

const OPTIONS = {
  // Without this a name with a dot in it would be taken for a file's.
  noSubdir: false,
  // With this a commit would be reported before its fdatasync (D14).
  overlappingSync: false,
  // See `transaction`.
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
    const environment = {
      transaction: async <T>(job: () => T, ahead?: () => void) => {
        const result = await transaction(root, job, ahead).catch((error) => rethrow(error, directory));
        // Nothing is said to be stored that lies in a file without a name.
        mustBeInPlace();
        return result;
      },
      resetReadTxn: () => root.resetReadTxn(),
      close,
    };
    return new LmdbStore(environment, openTables(root, directory), limits);
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

function openTables(root: RootDatabase, directory: string): Tables {
  const names = [...root.getKeys()];
  if (names.length > 0 && !names.includes(OWN_TABLE)) {
    throw new UnusableStoreError(
      `--store: the LMDB data in ${directory} is not Mayfly's. Name an empty folder, or a new one.`,
    );
  }
  const mayfly = root.openDB<number, 'format' | 'bytes'>({ name: OWN_TABLE });
  const format = root.transactionSync(() => {
    if (!mayfly.doesExist('format')) mayfly.put('format', FORMAT);
    return mayfly.get('format');
  });
  if (format !== FORMAT) {
    throw new UnusableStoreError(
      `--store: the store in ${directory} has format ${format}, and this version of Mayfly reads format ${FORMAT}. ` +
        'Name an empty folder. The version that wrote it can still read it, and list its waitlist.',
    );
  }
  return {
    mayfly,
    emails: root.openDB({ name: 'emails' }),
    deadlines: root.openDB({ name: 'deadlines' }),
    clearings: root.openDB({ name: 'clearings' }),
    inboxes: root.openDB({ name: 'inboxes' }),
    messages: root.openDB({ name: 'messages' }),
    chunks: root.openDB({ name: 'chunks', encoding: 'binary' }),
    waitlist: root.openDB({ name: 'waitlist' }),
    waitlistAddresses: root.openDB({ name: 'waitlistAddresses' }),
  };
}

/**
 * What is in one batch is in one transaction. By itself the binding would make a batch of each turn of the event loop,
 * but then a commit that fails (the disk is full) rejects a promise that nobody has, and that ends the process.
 */
async function transaction<T>(root: RootDatabase, job: () => T, ahead: () => void = () => {}): Promise<T> {
  let outcome: (() => T) | undefined;
  await root.batch(() => {
    ahead();
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
