import { httpErrors } from '../errors.js';
import { isLoopback, withoutPort } from '../limits/client-address.js';
import { RequestError } from './request-error.js';

/** A domain name has 253 characters at most (RFC 1035 section 2.3.4), and an address fewer. */
const MAX_HOST_LENGTH = 260;

/** Whether a listening address or a host name is this machine alone (RFC 6761 section 6.3 for the names). */
export function isLocalOnly(host: string): boolean {
  if (host.length > MAX_HOST_LENGTH) return false;
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(host);
}

/**
 * Refuses a Host (RFC 9110 section 7.2) that does not name this machine, where the service listens on this machine alone: a web
 * page whose name was made to point here (DNS rebinding) could otherwise read the inboxes of whoever opens it (D17).
 * Throws 400.
 */
export function checkHost(host: string): void {
  if (host === lastLocal) return;
  if (!isLocalOnly(withoutPort(host) ?? '')) throw new RequestError(httpErrors.foreignHost);
  lastLocal = host;
}

/** The last Host that was found to be this machine: nearly all requests have the same. */
let lastLocal = 'localhost';
