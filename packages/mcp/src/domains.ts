import { ToolError } from './mailboxes.js';

/** The default domain of a service and its clients. */
export const STANDARD_DOMAIN = 'inbox.example.com';

/** Throws if the service does not accept mail for the address's domain. */
export function checkDomain(address: string, domains: readonly string[]): void {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  if (domains.includes('*') || domains.includes(domain)) return;
  throw new ToolError(`This Mayfly accepts mail only for ${domains.join(', ')}, not for ${domain}.`);
}

/** Returns the domain of inboxes that are given without a domain. */
export function firstDomain(domains: readonly string[]): string {
  return domains.find((domain) => domain !== '*') ?? STANDARD_DOMAIN;
}
