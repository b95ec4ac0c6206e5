import type { OpenedStore } from './open-store.js';
import type { Opening, OpenMode, StoreLimits } from './store.js';

/** What we use of `mayfly-store-redis`, declared here because that package imports `seam.ts` and is compiled later. */
export function openRedisStore(
  url: string,
  limits: StoreLimits,
  mode: OpenMode,
  opening: Opening,
): Promise<OpenedStore>;
