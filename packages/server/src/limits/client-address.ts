import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

export type AddressRange = readonly [Address, number];

/** IPv6 clients get at least a /64 each, so each /64 counts as one client (D12). */
const IPV6_CLIENT_PREFIX_BITS = 64;

/** Maximum number of addresses read from X-Forwarded-For. No request passes through more proxies of one operator. */
const MAX_HOPS = 32;

/**
 * The client of a request (D12): the address from which the request reached the trusted proxies. `peer` is the other
 * end of the connection, and each proxy appends its client's address to X-Forwarded-For. If an entry is no address
 * (nothing, `unknown`, an obfuscated identifier of RFC 7239 section 6.3), the proxy that wrote the entry is the client.
 * Otherwise a client could evade all limits with a new text in each request.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: readonly AddressRange[]) {
  let client = peer;
  let rest = forwardedFor;
  for (let hop = 0; hop < MAX_HOPS && rest !== undefined && isInRanges(client, trusted); hop++) {
    const comma = rest.lastIndexOf(',');
    const address = hopAddress(rest.slice(comma + 1));
    if (address === null) return client;
    client = address;
    rest = comma < 0 ? undefined : rest.slice(0, comma);
  }
  return client;
}

/** The address in an element of X-Forwarded-For, without quotes, brackets, zone and port; null if missing. */
function hopAddress(element: string): string | null {
  const text = element.trim();
  const written = text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
  const bare = isIP(written) === 0 ? withoutPort(written) : written;
  const address = withoutZone(bare ?? '');
  return isIP(address) === 0 ? null : address;
}

/** A URL's host (RFC 3986 section 3.2.2) without port and brackets; null if the rest is no port. */
export function withoutPort(text: string): string | null {
  const isBracketed = text.startsWith('[');
  const end = text.indexOf(isBracketed ? ']' : ':');
  if (end < 0) return isBracketed ? null : text;
  const port = text.slice(isBracketed ? end + 1 : end);
  return port.length <= ':65535'.length && /^(?::\d*)?$/.test(port) ? text.slice(isBracketed ? 1 : 0, end) : null;
}

/** Removes a zone (RFC 4007 section 11), because it names a network interface of one machine and not a client. */
function withoutZone(address: string): string {
  return address.split('%', 1)[0] ?? '';
}

/** The key by which limits count a client: an IPv4 address (also for IPv4-mapped ones), an IPv6 /64, or other text. */
export function clientKey(address: string): string {
  if (isIPv4(address)) return address;
  const bare = withoutZone(address);
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_CLIENT_PREFIX_BITS}`);
  return `${network.toString()}/${IPV6_CLIENT_PREFIX_BITS}`;
}

/** Parses an address, such as `::1`, or a CIDR range, such as `10.0.0.0/8`. Returns null for anything else. */
export function parseRange(text: string): AddressRange | null {
  if (ipaddr.isValidCIDR(text)) return unmapped(ipaddr.parseCIDR(text));
  if (!ipaddr.isValid(text)) return null;
  const address = ipaddr.process(text);
  return [address, address instanceof ipaddr.IPv4 ? 32 : 128];
}

/** Bits before the IPv4 address in an IPv4-mapped address (RFC 4291 section 2.5.5.2). */
const MAPPED_PREFIX_BITS = 96;

/** Turns a range of IPv4-mapped addresses into the range of their IPv4 addresses. */
function unmapped([network, bits]: AddressRange): AddressRange {
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_PREFIX_BITS;
  return isMapped ? [network.toIPv4Address(), bits - MAPPED_PREFIX_BITS] : [network, bits];
}

export function shownRange([network, bits]: AddressRange): string {
  const isOne = bits === (network.kind() === 'ipv4' ? 32 : 128);
  return isOne ? network.toString() : `${network.toString()}/${bits}`;
}

export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  if (ranges.length === 0 || !ipaddr.isValid(withoutZone(address))) return false;
  const parsed = ipaddr.process(withoutZone(address));
  return ranges.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
}

export function isLoopback(address: string): boolean {
  if (isIPv4(address)) return address.startsWith('127.');
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** Any longer text is neither a domain name (at most 253 characters, RFC 1035 section 2.3.4) nor an IP address. */
export const MAX_HOST_LENGTH = 260;

/** Whether an address, or a name (RFC 6761 section 6.3), can refer only to this machine. */
export function isLocalOnly(host: string): boolean {
  if (host.length > MAX_HOST_LENGTH) return false;
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(host);
}
