import { inboxName } from 'mayfly-client/inbox-name';
import type { Recipient } from '../../store/store.js';

/** Domains that mail is accepted for; null stands for any (D2). In lower case. */
export type AcceptedDomains = ReadonlySet<string> | null;

export interface Addressee extends Recipient {
  /** The address as the sender wrote it, where that differs from `to`. */
  readonly written?: string;
}

/** Why an address is no recipient here. */
export type RefusedRecipient = 'bad-name' | 'bad-rehearsal' | 'rehearsals-off' | 'foreign-domain';

/** Longest domain name, in octets (RFC 5321 section 4.5.3.1.2). */
const MAX_DOMAIN_BYTES = 255;

/**
 * Who an SMTP recipient address (without its angle brackets) is. The whole local part counts, `+` included, and a
 * quoted local part is the name inside the quotes (RFC 5321 section 4.1.2 makes both the same mailbox).
 */
export function recipientOf(address: string, domains: AcceptedDomains): Addressee | RefusedRecipient {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  if (at < 0 || domain === '' || Buffer.byteLength(domain) > MAX_DOMAIN_BYTES) return 'foreign-domain';
  if (domains !== null && !domains.has(domain)) return 'foreign-domain';
  const inbox = inboxName(unquoted(address.slice(0, at)));
  if (inbox === null) return 'bad-name';
  const to = `${inbox}@${domain}`;
  return to === address ? { inbox, to } : { inbox, to, written: address };
}

/** Whom an address stands for that was accepted once. */
export function acceptedRecipient(address: string): Addressee {
  const recipient = recipientOf(address, null);
  // None of those that was stored; it leads to no inbox.
  return typeof recipient === 'string' ? { inbox: '', to: address } : recipient;
}

/** The inbox that an address names in whatever domain; null where it names none. */
export function namedInbox(address: string): string | null {
  const recipient = recipientOf(address, null);
  return typeof recipient === 'string' ? null : recipient.inbox;
}

function unquoted(localPart: string): string {
  return /^".*"$/.test(localPart) ? localPart.slice(1, -1).replace(/\\(.)/g, '$1') : localPart;
}
