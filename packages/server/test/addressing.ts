import { Addressing, type AddressingOptions } from '../src/inbox/addressing.js';

/** Returns the addressing of a service that accepts mail for these domains. A bare name is in the first domain. */
export function addressingOf(
  domains: readonly string[] = ['inbox.example.com'],
  by: AddressingOptions['by'] = 'address',
) {
  return new Addressing({ domains, firstDomain: domains.find((domain) => domain !== '*') ?? 'inbox.example.com', by });
}
