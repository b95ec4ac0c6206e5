import type { OpenedStore } from './open-store.js';
import type { Opening, OpenMode, StoreLimits } from './store.js';

/** What is used of `mayfly-store-redis`. It is compiled after this package, because it imports `seam.ts`. */
export function openRedisStore(
  url: string,
  limits: StoreLimits,
  mode: OpenMode,
  opening: Opening,
): Promise<OpenedStore>;
