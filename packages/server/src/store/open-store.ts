import { arch, platform } from 'node:os';
import type { SharedCounts } from '../limits/limits.js';
import { type Opening, type OpenMode, type Store, type StoreLimits, UnusableStoreError } from './store.js';

export interface OpenedStore {
  readonly store: Store;
  /** The counts that all nodes of the store share; unusable once it is closed. Null for the store of one machine. */
  readonly sharedCounts: SharedCounts | null;
}

interface StoreScheme {
  readonly form: string;
  readonly pattern: RegExp;
  readonly hasReplicas: boolean;
  open(rest: string, limits: StoreLimits, mode: OpenMode, opening: Opening): Promise<OpenedStore>;
}

/** An engine is loaded only when it is used. */
export const STORE_SCHEMES: readonly StoreScheme[] = [
  {
    form: 'lmdb:DIR',
    pattern: /^lmdb:(.+)$/,
    hasReplicas: false,
    open: async (directory, limits, mode, { warn }) => {
      const { openLmdbStore } = await loadLmdb();
      return { store: await openLmdbStore(directory, limits, mode, warn), sharedCounts: null };
    },
  },
  {
    form: 'redis://HOST:PORT or redis+cluster://HOST:PORT,HOST:PORT',
    pattern: /^(rediss?(?:\+cluster)?:\/\/.+)$/,
    hasReplicas: true,
    open: async (url, limits, mode, opening) => {
      const { openRedisStore } = await import('mayfly-store-redis');
      return openRedisStore(url, limits, mode, opening);
    },
  },
  {
    form: 'memory:',
    pattern: /^memory:()$/,
    hasReplicas: false,
    open: async (_rest, limits) => {
      const { openMemoryStore } = await import('./memory.js');
      return { store: openMemoryStore(limits), sharedCounts: null };
    },
  },
];

const loadLmdb = () => import('./lmdb/open-lmdb.js').catch(refuseLmdb);

/** Throws if this system cannot load LMDB. */
export async function checkLmdb(): Promise<void> {
  await loadLmdb();
}

/** Explains a failed load of LMDB: package managers may omit its native part, an optional package per platform. */
function refuseLmdb(error: NodeJS.ErrnoException): never {
  const { code = '', message } = error;
  if (error instanceof UnusableStoreError) throw error;
  if (code === 'EMFILE' || code === 'ENFILE') throw error;
  const system = `${platform()}-${arch()}`;
  throw new UnusableStoreError(
    `--store: the native part of LMDB for ${system} cannot be loaded (${message.split('\n', 1)[0]}). ` +
      `Install again with optional packages, which include @lmdb/lmdb-${system}, or use --store memory:, which loses all mail when the service stops.`,
    { cause: error },
  );
}

/** Opens a store by URL, such as `lmdb:./data`. Creates it in mode `create`. Rejects with an error for the operator. */
export async function openStore(
  url: string,
  limits: StoreLimits,
  mode: OpenMode = 'create',
  opening: Opening = { warn: () => {}, replicas: 0 },
): Promise<OpenedStore> {
  for (const { pattern, open } of STORE_SCHEMES) {
    const rest = pattern.exec(url)?.[1];
    if (rest !== undefined) return open(rest, limits, mode, opening);
  }
  const forms = STORE_SCHEMES.map(({ form }) => form).join(' or ');
  throw new Error(`Unknown store "${url}". Use ${forms}.`);
}
