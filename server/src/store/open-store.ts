import type { Opening, OpenMode, Store, StoreLimits } from './store.js';

const PLAIN: Opening = { warn: () => {}, replicas: 0 };

/** A kind of store, and how an operator names one. */
interface StoreScheme {
  /** How it is written, for people. */
  readonly form: string;
  /** What it looks like; the first group is the part after the scheme. */
  readonly pattern: RegExp;
  /** Whether it may have replicas that a mail waits for. */
  readonly hasReplicas: boolean;
  open(rest: string, limits: StoreLimits, mode: OpenMode, opening: Opening): Promise<Store>;
}

/** Every kind of store that there is. An engine is loaded only when it is asked for. */
export const STORE_SCHEMES: readonly StoreScheme[] = [
  {
    form: 'lmdb:DIR',
    pattern: /^lmdb:(.+)$/,
    hasReplicas: false,
    open: async (directory, limits, mode) =>
      (await import('./lmdb/open-lmdb.js')).openLmdbStore(directory, limits, mode),
  },
  {
    form: 'redis://HOST:PORT or redis+cluster://HOST:PORT,HOST:PORT',
    pattern: /^(rediss?(?:\+cluster)?:\/\/.+)$/,
    hasReplicas: true,
    open: async (url, limits, mode, opening) =>
      (await import('./redis/open-redis.js')).openRedisStore(url, limits, mode, opening),
  },
  {
    form: 'memory:',
    pattern: /^memory:()$/,
    hasReplicas: false,
    open: async (_rest, limits) => (await import('./memory.js')).openMemoryStore(limits),
  },
];

/**
 * Opens a store by its url, such as `lmdb:./mayfly-data`, and makes it if it is not there, unless it must be.
 * Rejects with a sentence when there is no such kind of store, or when it cannot be opened.
 */
export async function openStore(
  url: string,
  limits: StoreLimits,
  mode: OpenMode = 'create',
  opening: Opening = PLAIN,
): Promise<Store> {
  for (const { pattern, open } of STORE_SCHEMES) {
    const rest = pattern.exec(url)?.[1];
    if (rest !== undefined) return open(rest, limits, mode, opening);
  }
  const forms = STORE_SCHEMES.map(({ form }) => form).join(' or ');
  throw new Error(`There is no store "${url}". Write ${forms}.`);
}
