import { ToolError } from './mailboxes.js';

/** The domain that a service and its clients take where none is chosen. */
export const STANDARD_DOMAIN = 'inbox.example.com';

/** Throws where mail for an address goes elsewhere, or nowhere. */
export function checkDomain(address: string, domains: readonly string[]): void {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  if (domains.includes('*') || domains.includes(domain)) return;
  throw new ToolError(`This Mayfly accepts mail only for ${domains.join(', ')}, not for ${domain}.`);
}

/** The domain of inboxes that are named without one. */
export function firstDomain(domains: readonly string[]): string {
  return domains.find((domain) => domain !== '*') ?? STANDARD_DOMAIN;
}
