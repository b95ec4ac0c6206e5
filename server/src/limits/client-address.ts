import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A set of addresses, written as CIDR ranges. */
export type AddressRange = readonly [Address, number];

/** IPv6 clients get at least a /64 each, so that is what is counted (design D12). */
const IPV6_CLIENT_PREFIX_BITS = 64;

/**
 * What stands for a client where clients are counted: an IPv4 address, the /64 of an IPv6 address, and the IPv4 address
 * inside an IPv4-mapped one. A text that is no address stands for itself.
 */
export function clientKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_CLIENT_PREFIX_BITS}`);
  return `${network.toString()}/${IPV6_CLIENT_PREFIX_BITS}`;
}

/** Reads `10.0.0.0/8`, `::1` and the like. Null when the text is neither an address nor a range. */
export function parseRange(text: string): AddressRange | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) return null;
  const address = ipaddr.process(text);
  return [address, address instanceof ipaddr.IPv4 ? 32 : 128];
}

/** Whether an address lies in one of the ranges. An IPv4-mapped IPv6 address is its IPv4 address. */
export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
}

/** Whether an address is one of this machine's own loopback addresses. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
