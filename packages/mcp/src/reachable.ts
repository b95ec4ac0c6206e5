import type { SmtpAddress } from 'mayfly-protocol';

/** Host names that mean every address of the service's machine. */
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** Returns the address at which a client that uses `base` over HTTP can reach the SMTP listener. */
export function reachable({ host, port }: SmtpAddress, base: URL): SmtpAddress {
  return { host: EVERY_ADDRESS.includes(host) ? base.hostname.replace(/^\[|\]$/g, '') : host, port };
}
