import { accessSync, constants, statSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { docsUrl } from 'mayfly-protocol/docs';
import { makeFolder, whyUnusable } from '../../base/make-folder.js';
import { JOINED_BYTES } from '../admission.js';
import { type Opening, type OpenMode, type Store, type StoreLimits, UnusableStoreError } from '../store.js';
import { DATA_FILE, damageOf } from './data-file.js';
import { DiskRoom, RESERVE_FILE } from './disk-room.js';
import { FORMAT, LAST_FORMAT, type Tables, type Tally } from './layout.js';
import { TableStore } from './table-store.js';

/** The files of a store. The last two remain if only the data file was deleted. */
const OWN_FILES: readonly string[] = [DATA_FILE, 'lock.mdb', RESERVE_FILE];

const OWN_TABLE = 'mayfly';

const OPTIONS = {
  // Otherwise a path that contains a dot would be treated as a file.
  noSubdir: false,
  // Otherwise readers could see a commit before its fdatasync: only the binding's promise `flushed` waits for it (D14).
  overlappingSync: false,
  // Otherwise a failed commit rejects a promise without a handler, which ends the process.
  eventTurnBatching: false,
  encoding: 'json',
  // Mail is private.
  permissionsMode: 0o600,
} as const;

/** Row sizes of a trial, one transaction each. The third is large: LMDB reuses deleted space after two transactions. */
const TRIAL_BYTES: readonly number[] = [1, 1, JOINED_BYTES, 1];

/** Directories open in this process. A second writer would block the event loop, which the first needs to finish. */
const openDirectories = new Set<string>();

/** Rejects with an error for the operator if the directory is unusable, damaged, not a store, or already open here. */
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
    const { mayfly, ...tables } = openTables(root, directory, mode);
    const room = new DiskRoom(directory, warn, async () => {
      for (const bytes of TRIAL_BYTES) await transaction(() => mayfly.putSync('room', 'x'.repeat(bytes)));
    });
    // Mode `existing` changes nothing in the folder.
    if (mode === 'create') await room.begin();
    const transaction = async (changes: () => void) => {
      await root.transaction(changes).catch(async (error) => {
        // LMDB's binding reports only that a commit failed, and keeps the reason in a separate promise.
        if (!('commitError' in error)) throw error;
        throw await room.whyUnwritten(await Promise.resolve(error.commitError).catch((reason: unknown) => reason));
      });
      // Mail that LMDB wrote into a deleted file must not be reported as stored.
      mustBeInPlace();
    };
    return new TableStore({
      tables,
      limits,
      room,
      transaction,
      refresh: () => root.resetReadTxn(),
      // LMDB's next read overwrites the bytes of the previous one.
      keep: (bytes) => Buffer.from(bytes),
      close,
    });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Resolves to the real path. Rejects with an error for the operator if the directory is unusable or damaged. */
async function prepareDirectory(directory: string, mode: OpenMode): Promise<string> {
  const problem = await problemOf(directory, mode).catch((error: NodeJS.ErrnoException) => {
    if (mode === 'existing' && error.code === 'ENOENT') return noStoreIn(directory);
    throw new UnusableStoreError(`--store: ${directory} cannot be used: ${whyUnusable(error)}`, { cause: error });
  });
  if (problem !== null) throw new UnusableStoreError(`--store: ${problem}`);
  return realpath(directory);
}

async function problemOf(directory: string, mode: OpenMode): Promise<string | null> {
  if (mode === 'create') await makeFolder(directory);
  const files = await readdir(directory);
  const hasStore = files.includes(DATA_FILE);
  if (!hasStore && mode === 'existing') return noStoreIn(directory);
  if (!hasStore && !files.every((name) => OWN_FILES.includes(name)))
    return `the folder ${directory} contains other files but no store. Use an empty or a new folder.`;
  for (const name of OWN_FILES.filter((own) => files.includes(own))) {
    const file = join(directory, name);
    // Opening a pipe would wait for a writer, and LMDB's binding crashes if it cannot open the lock file.
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      return `${name} in ${directory} is not a regular file. Use an empty or a new folder.`;
    accessSync(file, constants.R_OK | constants.W_OK);
  }
  const damage = hasStore ? damageOf(join(directory, DATA_FILE)) : null;
  if (damage === null) return null;
  return `the data file in ${directory} is damaged: ${damage}. Restore it from a copy, or use an empty folder.`;
}

function noStoreIn(directory: string): string {
  return `there is no store in ${directory}. Use the folder that the service was started with.`;
}

/** A check that throws once the directory's data file was replaced, because LMDB would still write into the old one. */
function watchDataFile(directory: string): () => void {
  const file = join(directory, DATA_FILE);
  const opened = statSync(file);
  return () => {
    const { dev, ino } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (dev === opened.dev && ino === opened.ino) return;
    throw new Error(
      `The data file of the store in ${directory} was deleted or replaced while it was open. Restart the service.`,
    );
  };
}

function openRoot(path: string): RootDatabase {
  try {
    return open({ path, ...OPTIONS });
  } catch (cause) {
    throw new Error(`The store in ${path} cannot be opened: ${String(cause)}. Check its permissions.`, { cause });
  }
}

/** `format`: the version of the layout. `room`: written to test whether the disk has room. */
type OwnTable = Database<number | string, 'format' | 'room'>;

function openTables(root: RootDatabase, directory: string, mode: OpenMode): Tables & { readonly mayfly: OwnTable } {
  const names = [...root.getKeys()];
  if (names.length > 0 && !names.includes(OWN_TABLE)) {
    throw new UnusableStoreError(
      `--store: the LMDB data in ${directory} is not Mayfly's. Use an empty or a new folder.`,
    );
  }
  // Opens all tables in one transaction, so that the disk is written only once.
  return root.transactionSync(() => {
    const mayfly: OwnTable = root.openDB({ name: OWN_TABLE });
    checkFormat(mayfly, directory, mode);
    const tally: Database<Tally, 'tally'> = root.openDB({ name: 'tally', useVersions: true });
    if (!tally.doesExist('tally')) tally.putSync('tally', { bytes: 0, messages: 0 }, 1);
    const bytes = { encoding: 'binary', keyEncoding: 'binary' } as const;
    return {
      mayfly,
      tally,
      emails: root.openDB({ name: 'emails', ...bytes }),
      deadlines: root.openDB({ name: 'deadlines', ...bytes }),
      messages: root.openDB({ name: 'messages', ...bytes }),
      shares: root.openDB({ name: 'shares', ...bytes }),
      news: root.openDB({ name: 'news', ...bytes }),
      clearings: root.openDB({ name: 'clearings' }),
      waitlist: root.openDB({ name: 'waitlist' }),
      waitlistAddresses: root.openDB({ name: 'waitlistAddresses' }),
    };
  });
}

/** Throws if the tables have another format. Writes `FORMAT` into new tables, and into those of the last format. */
function checkFormat(mayfly: OwnTable, directory: string, mode: OpenMode): void {
  const format = mayfly.get('format');
  // Mode `existing` only reads, because an older version may still run the service on this folder.
  if (format === undefined || (format === LAST_FORMAT && mode === 'create')) mayfly.putSync('format', FORMAT);
  else if (format !== FORMAT && format !== LAST_FORMAT) {
    throw new UnusableStoreError(
      `--store: the store in ${directory} has format ${format}, but this version of Mayfly reads formats ${LAST_FORMAT} and ${FORMAT}. ` +
        `Use an empty folder. To read this store's mail and waitlist, run the version of Mayfly that wrote it (${docsUrl('configuration#upgrading')}).`,
    );
  }
}
