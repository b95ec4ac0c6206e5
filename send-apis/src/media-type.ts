import { httpErrors, type Request, RequestError } from '../../server/dist/extension/extension.js';

export type MediaType = 'application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data';

/** Rejects formats that are not read, as web pages may send some to other sites without asking. Throws 415. */
export function checkMediaType({ headers }: Request, allowed: readonly MediaType[]): void {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (allowed.some((one) => one === type)) return;
  throw new RequestError(httpErrors.unsupportedMediaType);
}
