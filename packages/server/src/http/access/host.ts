import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import { httpErrors } from '../../errors.js';
import { isLocalOnly, MAX_HOST_LENGTH, withoutPort } from '../../limits/client-address.js';
import { RequestError } from '../answer/request-error.js';

/** A name (RFC 3986 section 3.2.2). Excludes percent-encoding, which browsers decode and other clients never send. */
const REG_NAME = /^[\w.~!$&'()*+,;=-]+$/;

/** The host and port of a request, or empty. An absolute target overrides the Host header (RFC 9112 section 3.2.2). */
export function hostOf({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  if (url.startsWith('/') || url === '*') return headers.host ?? '';
  return AUTHORITY.exec(url)?.[1] ?? '';
}

/** The authority of an absolute target (RFC 3986 section 3.2). */
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** The path of a request target. An absolute target (RFC 9112 section 3.2.2) may omit the slash. Others have no route. */
export function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]+/i, '').split('?', 1)[0] || '/';
}

/** The name or address in `host:port` (RFC 9110 section 7.2) without brackets, or empty. */
export function hostIn(header: string): string {
  const host = withoutPort(header) ?? '';
  const isHost = header.startsWith('[') ? isIPv6(host) && !host.includes('%') : REG_NAME.test(host);
  return isHost ? host : '';
}

/** Domains without public names: RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`, and Kubernetes' `svc`. */
const PRIVATE_DOMAINS = ['localhost', 'local', 'internal', 'test', 'home.arpa', 'svc'];

/** The last label of a public name (RFC 3696 section 2, RFC 5890 section 2.3.2.1). */
const TOP_LEVEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** Whether no web page can have this host, because it is an address, a single label or in a private domain. */
export function isNetworkName(host: string): boolean {
  if (host.length > MAX_HOST_LENGTH || host === '') return false;
  const name = host.toLowerCase().replace(/\.$/, '');
  if (isIP(host) !== 0 || !name.includes('.')) return true;
  return PRIVATE_DOMAINS.some((domain) => name.endsWith(`.${domain}`)) || !TOP_LEVEL.test(name.split('.').at(-1) ?? '');
}

/** Refuses other hosts, such as a web page's name that resolves here (DNS rebinding, D17). Throws 400. */
export function checkHost(host: string, peer?: string): void {
  if (isLocalOnly(hostIn(host))) return;
  if (peer === undefined) throw new RequestError(httpErrors.foreignHost);
  throw new RequestError(httpErrors.foreignHostOfProxy, { proxy: peer.replace(/^::ffff:/, '') });
}

/** Maximum number of header lines. 4,000 empty ones fit Node's byte limit, and take 150 KB of each open request. */
const MAX_HEADER_LINES = 200;

/**
 * Refuses requests that HTTP/1.1 forbids but Node's parser accepts. Throws 400 unless there is exactly one Host header
 * (HTTP/1.0: at most one) that is valid or empty: with two, a proxy may obey the other (RFC 9112 section 3.2). Throws
 * 501 for transfer codings that Node does not decode (all but `chunked`, section 6.1), and 431 for too many headers.
 */
export function checkHead({ httpVersion, rawHeaders, headers }: IncomingMessage): void {
  const { host, 'transfer-encoding': coding } = headers;
  if (rawHeaders.length > 2 * MAX_HEADER_LINES)
    throw new RequestError(httpErrors.headersTooLarge, {}, { connection: 'close' });
  if (isThereTwice(rawHeaders, 'host')) throw new RequestError(httpErrors.severalHosts);
  const isValid = host === undefined ? httpVersion === '1.0' : host === '' || hostIn(host) !== '';
  if (!isValid) throw new RequestError(httpErrors.noHost);
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new RequestError(httpErrors.unknownTransferCoding, {}, { connection: 'close' });
  }
}

/** Whether a request must end its connection, because it is HTTP/1.0 but has chunks (RFC 9112 section 6.1). */
export function isChunkedTooEarly({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}

/** `header` is in lower case. */
export function isThereTwice(rawHeaders: readonly string[], header: string): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    // Compares the lengths first, because every request is searched.
    if (name?.length === header.length && name.toLowerCase() === header) count += 1;
  }
  return count > 1;
}
