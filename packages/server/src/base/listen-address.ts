/** Wildcard addresses, each with the address by which the machine reaches itself. */
const REACHED_AT: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

export function isEveryAddress(host: string): boolean {
  return REACHED_AT.has(host);
}

export function reachedAt(host: string): string {
  return REACHED_AT.get(host) ?? host;
}

/** A host with its port, as in a URL: with an IPv6 address in brackets (RFC 3986 section 3.2.2). */
export function withPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Maximum number of connections that wait for `accept`: Linux's `somaxconn`. Further clients have to retry. */
export const BACKLOG = 4_096;
