import { Addressing, type AddressingOptions } from '../src/inbox/addressing.js';

/** The inboxes of a service that accepts mail for these domains. Bare names are inboxes in the first domain. */
export function addressingOf(
  domains: readonly string[] = ['inbox.example.com'],
  by: AddressingOptions['by'] = 'address',
) {
  return new Addressing({ domains, firstDomain: domains.find((domain) => domain !== '*') ?? 'inbox.example.com', by });
}
