import type { Request } from '../../server/dist/extension/extension.js';

import { refuse } from './problem.js';

export type MediaType = 'application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data';

/** Throws `media-type` for formats that are not read: web pages may send some to other sites without asking. */
export function checkMediaType({ headers }: Request, allowed: readonly MediaType[]): void {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (allowed.some((one) => one === type)) return;
  refuse('media-type', { detail: allowed.join(' or ') });
}
