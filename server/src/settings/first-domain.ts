import { STANDARD_DOMAIN } from './table.js';

/** The domain of addresses that are made up: the first that mail is accepted for; the usual one where it is for any. */
export function firstDomain(domains: readonly string[]): string {
  return domains.find((domain) => domain !== '*') ?? STANDARD_DOMAIN;
}
