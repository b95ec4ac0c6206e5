import { httpErrors } from '../errors.js';
import { RequestError } from './request-error.js';

/** What tells where a request was made. Browsers set both themselves, and no page can change them; other clients send neither. */
export interface Initiator {
  /** `Sec-Fetch-Site` (Fetch Metadata Request Headers section 2.4). */
  readonly site: string | undefined;
  /** `Origin` (RFC 6454 section 7). */
  readonly origin: string | undefined;
  /** `Host`. */
  readonly host: string;
}

/** Relations of a request to its target that are the user's own doing: our page asked, or the user typed the address. */
const OWN_SITES = ['same-origin', 'none'];

/**
 * Refuses what a page of another origin asks for, where the service listens on this machine alone. Such a page could not read the
 * answer (D17), but it would write, and it would use up the limits of the developer who has it open. `allowed` are the
 * origins whose pages may. Throws 403.
 */
export function checkInitiator(initiator: Initiator, allowed: readonly string[]): void {
  const { origin } = initiator;
  if (allowed.includes('*') || (origin !== undefined && allowed.includes(origin)) || isOwn(initiator)) return;
  throw new RequestError(httpErrors.crossSite);
}

/**
 * `Sec-Fetch-Site` goes first. Our own page sends no referrer, and so the `Origin` of its forms is `null`, as that of any sandboxed
 * frame; and behind a development server's proxy the `Origin` is the proxy's. `same-site` is another port of this machine.
 */
function isOwn({ site, origin, host }: Initiator): boolean {
  if (site !== undefined) return OWN_SITES.includes(site.toLowerCase());
  if (origin === undefined) return true;
  const own = host.toLowerCase();
  return [`http://${own}`, `https://${own}`].includes(origin.toLowerCase());
}
