import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import { httpErrors } from '../../errors.js';
import { isLocalOnly, MAX_HOST_LENGTH, withoutPort } from '../../limits/client-address.js';
import { RequestError } from '../answer/request-error.js';

/** A name (RFC 3986 section 3.2.2) without percent-encoding, which browsers decode and other clients do not send. */
const REG_NAME = /^[\w.~!$&'()*+,;=-]+$/;

/** The host and port of a request, or empty. An absolute target overrides the Host header (RFC 9112 section 3.2.2). */
export function hostOf({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  if (url.startsWith('/') || url === '*') return headers.host ?? '';
  return AUTHORITY.exec(url)?.[1] ?? '';
}

/** The authority of an absolute target (RFC 3986 section 3.2). */
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

const HTTP_ORIGIN = /^https?:\/\/[^/?#]+/i;

/** The path of a request target, of an absolute one too (RFC 9112 section 3.2.2); that may leave out the slash. */
export function pathOf(url: string): string {
  return url.replace(HTTP_ORIGIN, '').split('?', 1)[0] || '/';
}

/** The name or address in `host:port` (RFC 9110 section 7.2) without brackets; empty where it is neither. */
export function hostIn(header: string): string {
  const host = withoutPort(header) ?? '';
  const isHost = header.startsWith('[') ? isIPv6(host) && !host.includes('%') : REG_NAME.test(host);
  return isHost ? host : '';
}

/** Domains that no public name is in (RFC 6761, RFC 6762, RFC 8375, and by ICANN), and Kubernetes' for services. */
const PRIVATE_DOMAINS = ['localhost', 'local', 'internal', 'test', 'home.arpa', 'svc'];

/** The last label of a public name (RFC 3696 section 2, RFC 5890 section 2.3.2.1). */
const TOP_LEVEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/**
 * Whether a host is an address or a name without public meaning, of which no web page can have one: of this machine, of
 * a single label as containers have, or in a private domain.
 */
export function isNetworkName(host: string): boolean {
  if (host.length > MAX_HOST_LENGTH || host === '') return false;
  const name = host.toLowerCase().replace(/\.$/, '');
  if (isIP(host) !== 0 || !name.includes('.')) return true;
  return PRIVATE_DOMAINS.some((domain) => name.endsWith(`.${domain}`)) || !TOP_LEVEL.test(name.split('.').at(-1) ?? '');
}

/** Refuses a host other than this machine, such as a page's that resolves here (DNS rebinding, D17). Throws 400. */
export function checkHost(host: string): void {
  if (host === lastLocal) return;
  if (!isLocalOnly(hostIn(host))) throw new RequestError(httpErrors.foreignHost);
  lastLocal = host;
}

/** Refuses several Host headers (RFC 9112 section 3.2), of which two programs might obey different ones. Throws 400. */
export function checkOneHost({ rawHeaders }: IncomingMessage): void {
  if (isThereTwice(rawHeaders, 'host')) throw new RequestError(httpErrors.severalHosts);
}

/** `header` is in lower case. */
export function isThereTwice(rawHeaders: readonly string[], header: string): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    // Few names have the length, and every request is searched.
    if (name?.length === header.length && name.toLowerCase() === header) count += 1;
  }
  return count > 1;
}

/** A cache of one: nearly all requests have the same host. */
let lastLocal = 'localhost';
