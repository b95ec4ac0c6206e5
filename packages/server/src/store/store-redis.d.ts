import type { OpenedStore } from './open-store.js';
import type { Opening, OpenMode, StoreLimits } from './store.js';

/** What this package uses of `mayfly-store-redis`. That package is compiled later, because it imports `seam.ts`. */
export function openRedisStore(
  url: string,
  limits: StoreLimits,
  mode: OpenMode,
  opening: Opening,
): Promise<OpenedStore>;
