import { Addressing, type AddressingOptions } from '../src/inbox/addressing.js';

/** The inboxes of a service that takes mail for these domains, the first of which is that of bare names. */
export function addressingOf(
  domains: readonly string[] = ['inbox.example.com'],
  by: AddressingOptions['by'] = 'address',
) {
  return new Addressing({ domains, firstDomain: domains.find((domain) => domain !== '*') ?? 'inbox.example.com', by });
}
