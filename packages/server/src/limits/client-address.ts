import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

export type AddressRange = readonly [Address, number];

/** IPv6 clients get at least a /64 each, so each /64 counts as one client (D12). */
const IPV6_CLIENT_PREFIX_BITS = 64;

/** Maximum number of addresses read from X-Forwarded-For. No request passes more proxies of one operator. */
const MAX_HOPS = 32;

/**
 * A request's client behind trusted proxies (D12): the address from which it entered the trusted proxies. `peer` is the
 * other end of the connection, and each proxy appends its client's address to X-Forwarded-For. An entry that is no
 * address (nothing, `unknown`, an obfuscated identifier of RFC 7239 section 6.3) counts as the proxy that wrote it.
 * Otherwise a client could seem new at each request, and no limit would hold.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  trusted: readonly AddressRange[],
): string {
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

/** The address in an element of X-Forwarded-For, without quotes, brackets, zone and port; null if there is none. */
function hopAddress(element: string): string | null {
  const text = element.trim();
  const written = text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
  const bare = isIP(written) === 0 ? withoutPort(written) : written;
  const address = withoutZone(bare ?? '');
  return isIP(address) === 0 ? null : address;
}

/** A URL's host (RFC 3986 section 3.2.2) without port and brackets; null if what follows the host is no port. */
export function withoutPort(text: string): string | null {
  const isBracketed = text.startsWith('[');
  const end = text.indexOf(isBracketed ? ']' : ':');
  if (end < 0) return isBracketed ? null : text;
  const port = text.slice(isBracketed ? end + 1 : end);
  return port.length <= ':65535'.length && /^(?::\d*)?$/.test(port) ? text.slice(isBracketed ? 1 : 0, end) : null;
}

/** A link-local address's zone (RFC 4007 section 11) names an interface of one machine and identifies no client. */
function withoutZone(address: string): string {
  return address.split('%', 1)[0] ?? '';
}

/** Clients are counted by IPv4 address, even if IPv4-mapped, or by IPv6 /64. Any other text is its own key. */
export function clientKey(address: string): string {
  const bare = withoutZone(address);
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_CLIENT_PREFIX_BITS}`);
  return `${network.toString()}/${IPV6_CLIENT_PREFIX_BITS}`;
}

/** Reads `10.0.0.0/8`, `::1` and the like. Null for anything else. */
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
  const bare = withoutZone(address);
  if (ranges.length === 0 || !ipaddr.isValid(bare)) return false;
  const parsed = ipaddr.process(bare);
  return ranges.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
}

export function isLoopback(address: string): boolean {
  if (isIPv4(address)) return address.startsWith('127.');
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** A domain name has 253 characters at most (RFC 1035 section 2.3.4), and an address fewer. */
export const MAX_HOST_LENGTH = 260;

/** Whether an address or a name means only this machine (RFC 6761 section 6.3 for names). */
export function isLocalOnly(host: string): boolean {
  if (host.length > MAX_HOST_LENGTH) return false;
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(host);
}
