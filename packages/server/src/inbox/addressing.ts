import { givenInbox, inboxName, isPhoneNumber, mailDomain } from 'mayfly-protocol/inbox-name';
import type { Recipient } from '../store/store.js';
import { bareInbox, storedInbox } from './ad-hoc.js';

export interface Addressee extends Recipient {
  /** The address as the sender wrote it, if that differs from `to`. */
  readonly written?: string;
}

export type RefusedRecipient = 'bad-name' | 'bad-domain' | 'foreign-domain';

/** Maximum length of a refusal's domain list: a domain has up to 253 bytes, a reply 512 (RFC 5321 4.5.3.1.5). */
const MAX_LIST_LENGTH = 300;

export interface AddressingOptions {
  /** Domains that mail is accepted for; `*` stands for any (D2). */
  readonly domains: readonly string[];
  readonly firstDomain: string;
  /** By `address`, `a@one.test` and `a@other.test` are two inboxes; by `name`, they are one. */
  readonly by: 'address' | 'name';
}

/** The only place that maps an address to its inbox (D64). In the first domain, an inbox has the bare name. */
export class Addressing {
  readonly domainList: string;
  readonly #domains: ReadonlySet<string> | null;
  readonly #firstDomain: string;
  readonly #by: AddressingOptions['by'];

  constructor({ domains, firstDomain, by }: AddressingOptions) {
    this.domainList = domainList(domains);
    this.#domains = domains.includes('*') ? null : new Set(domains);
    this.#firstDomain = firstDomain;
    this.#by = by;
  }

  /** The name is the whole local part, including any `+`, or the text inside its quotes (RFC 5321 section 4.1.2). */
  recipientOf(address: string, adHoc: string | null = null): Addressee | RefusedRecipient {
    const at = address.lastIndexOf('@');
    const domain = at < 0 ? null : mailDomain(address.slice(at + 1));
    if (domain === null) return this.#domains === null || adHoc !== null ? 'bad-domain' : 'foreign-domain';
    if (!this.#takes(domain, adHoc)) return 'foreign-domain';
    return this.#recipientIn(domain, address, adHoc) ?? 'bad-name';
  }

  /** The recipient of a text message: the inbox whose name is the phone number, without a domain. */
  phoneRecipient(number: string, adHoc: string | null = null): Addressee {
    return { inbox: adHoc === null ? number : storedInbox(adHoc, `${number}@${this.#firstDomain}`), to: number };
  }

  /** The recipient of an address that was accepted before, perhaps under other settings. */
  acceptedRecipient(address: string, adHoc: string | null = null): Addressee {
    if (isPhoneNumber(address)) return this.phoneRecipient(address, adHoc);
    const domain = mailDomain(address.slice(address.lastIndexOf('@') + 1));
    return (domain && this.#recipientIn(domain, address, adHoc)) || { inbox: '', to: address };
  }

  /** The inbox whose delivery log shows an attempt, or null. For a refused domain, the inbox of the bare name (D60). */
  attemptedInbox(address: string, adHoc: string | null = null): string | null {
    if (isPhoneNumber(address)) return this.phoneRecipient(address, adHoc).inbox;
    const recipient = this.recipientOf(address, adHoc);
    if (typeof recipient !== 'string') return recipient.inbox;
    if (adHoc !== null) return null;
    const isForeign = recipient === 'foreign-domain' || recipient === 'bad-domain';
    return isForeign ? inboxName(unquoted(address.slice(0, Math.max(address.lastIndexOf('@'), 0)))) : null;
  }

  /** `text` is a name or an address. */
  inboxNamed(text: string, adHoc: string | null = null): { readonly inbox: string } | 'bad-name' | 'foreign-domain' {
    const given = givenInbox(text);
    if (given === null) return 'bad-name';
    if (adHoc !== null) return { inbox: storedInbox(adHoc, `${given.name}@${given.domain ?? this.#firstDomain}`) };
    if (given.domain === null) return { inbox: given.name };
    return this.#takes(given.domain, null) ? { inbox: this.#inboxOf(given.name, given.domain) } : 'foreign-domain';
  }

  addressOf(inbox: string): string {
    return inbox.includes('@') ? bareInbox(inbox) : `${inbox}@${this.#firstDomain}`;
  }

  /** Whether mail for this name may be in an inbox of another domain, because any domain is accepted. */
  mayBeElsewhere(inbox: string): boolean {
    return this.#domains === null && this.#by === 'address' && !inbox.includes('@');
  }

  /** An ad-hoc workspace accepts any domain (D66). */
  #takes(domain: string, adHoc: string | null): boolean {
    return adHoc !== null || this.#domains === null || this.#domains.has(domain);
  }

  #recipientIn(domain: string, address: string, adHoc: string | null): Addressee | null {
    const name = inboxName(unquoted(address.slice(0, address.lastIndexOf('@'))));
    if (name === null) return null;
    const to = `${name}@${domain}`;
    const inbox = adHoc === null ? this.#inboxOf(name, domain) : storedInbox(adHoc, to);
    return to === address ? { inbox, to } : { inbox, to, written: address };
  }

  #inboxOf(name: string, domain: string): string {
    return this.#by === 'name' || domain === this.#firstDomain ? name : `${name}@${domain}`;
  }
}

function unquoted(localPart: string): string {
  return /^".*"$/.test(localPart) ? localPart.slice(1, -1).replace(/\\(.)/g, '$1') : localPart;
}

/** Lists domains while there is room, at least one: `a.test, b.test and 3 more`. */
function domainList(domains: readonly string[]): string {
  let list = domains[0] ?? '';
  for (let listed = 1; listed < domains.length; listed++) {
    const longer = `${list}, ${domains[listed]}`;
    if (longer.length > MAX_LIST_LENGTH) return `${list} and ${domains.length - listed} more`;
    list = longer;
  }
  return list;
}
