import { httpErrors } from '../../errors.js';
import { RequestError } from '../answer/request-error.js';
import type { Request } from '../framework.js';
import { hostOf } from './host.js';

/** Browsers set both headers, and no page can change them; other clients send neither. */
interface Initiator {
  /** `Sec-Fetch-Site` (Fetch Metadata Request Headers section 2.4). */
  readonly site: string | undefined;
  /** `Origin` (RFC 6454 section 7). */
  readonly origin: string | undefined;
  readonly host: string;
}

/** Our page asked, or the user typed the address. */
const OWN_SITES = ['same-origin', 'none'];

/**
 * Refuses a page of another origin. It could not read the answer (D17), but it would write, and use up the limits of the
 * developer who has it open. Throws 403 unless `allowed` has the origin.
 */
export function checkSite(request: Pick<Request, 'url' | 'headers'>, allowed: readonly string[]): void {
  const { origin, 'sec-fetch-site': named } = request.headers;
  const initiator = { site: Array.isArray(named) ? named[0] : named, origin, host: hostOf(request) };
  if (allowed.includes('*') || (origin !== undefined && allowed.includes(origin)) || isOwn(initiator)) return;
  throw new RequestError(httpErrors.crossSite);
}

/**
 * `Sec-Fetch-Site` goes first: `Origin` is `null` for our page's forms (no referrer), and the proxy's behind a development
 * server. `same-site` is another port of this machine.
 */
function isOwn({ site, origin, host }: Initiator): boolean {
  if (site !== undefined) return OWN_SITES.includes(site.toLowerCase());
  if (origin === undefined) return true;
  const own = host.toLowerCase();
  return [`http://${own}`, `https://${own}`].includes(origin.toLowerCase());
}
