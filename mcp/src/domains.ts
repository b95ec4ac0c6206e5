import { ToolError } from './mailboxes.js';

/** Throws where mail for an address goes elsewhere, or nowhere. */
export function checkDomain(address: string, domains: readonly string[]): void {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  if (domains.includes('*') || domains.includes(domain)) return;
  throw new ToolError(`This Mayfly accepts mail only for ${domains.join(', ')}, not for ${domain}.`);
}
