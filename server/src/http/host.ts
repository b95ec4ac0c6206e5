import { httpErrors } from '../errors.js';
import { type AddressRange, isInRanges, isLoopback } from '../limits/client-address.js';
import type { Request } from './framework.js';
import { RequestError } from './request-error.js';

/** Names by which a browser reaches this machine (RFC 6761 section 6.3). */
const LOCAL_NAME = /^(?:[a-z0-9-]+\.)*localhost\.?$/i;

/**
 * Whether a listening address is reachable from this machine alone.
 */
export function isLocalOnly(host: string): boolean {
  return LOCAL_NAME.test(host) || isLoopback(host);
}

/**
 * Refuses a Host that does not name this machine, where the service listens on this machine alone: a web page whose name
 * was made to point here (DNS rebinding) could otherwise read the inboxes of whoever opens it (design D17).
 * A trusted proxy may pass on the Host that it was asked for. Throws 400.
 */
export function checkHost(request: Request, trusted: readonly AddressRange[]): void {
  const name = hostName(request.headers.host ?? '');
  if (isLocalOnly(name) || isInRanges(request.socket.remoteAddress ?? '', trusted)) return;
  throw new RequestError(httpErrors.foreignHost);
}

/** The host of a Host header (RFC 9110 section 7.2), without the port and the brackets of an IPv6 address. */
function hostName(header: string): string {
  return /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*))(?::\d*)?$/.exec(header)?.slice(1).find(Boolean) ?? '';
}
