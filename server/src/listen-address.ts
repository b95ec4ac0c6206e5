/** Addresses that stand for all that a machine has, each with the one by which it reaches itself. */
const REACHED_AT: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Whether an address stands for all that the machine has. */
export function isEveryAddress(host: string): boolean {
  return REACHED_AT.has(host);
}

/** Where this machine reaches what listens at an address. */
export function reachedAt(host: string): string {
  return REACHED_AT.get(host) ?? host;
}

/** An address or a name with its port, as in a URL: an IPv6 address stands in brackets (RFC 3986 section 3.2.2). */
export function withPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
