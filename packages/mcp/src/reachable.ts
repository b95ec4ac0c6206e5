import type { SmtpAddress } from 'mayfly-protocol';

/** Hosts that stand for every address of the machine that a service runs on. */
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** Where a client that reached a service by its HTTP address reaches its SMTP. */
export function reachable({ host, port }: SmtpAddress, base: URL): SmtpAddress {
  return { host: EVERY_ADDRESS.includes(host) ? base.hostname.replace(/^\[|\]$/g, '') : host, port };
}
