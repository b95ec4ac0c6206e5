/** Maximum lengths, from RFC 5321 sections 4.5.3.1.1 and 4.5.3.1.2. */
export const MAX_NAME_LENGTH = 64;
export const MAX_DOMAIN_LENGTH = 255;
/** The length of the longest name, `@` and domain. */
export const MAX_INBOX_LENGTH = MAX_NAME_LENGTH + 1 + MAX_DOMAIN_LENGTH;

/** Allows capital letters (D1). Lower-casing before the match instead would turn the Kelvin sign into an ASCII `k`. */
export const NAME_PATTERN = '^[A-Za-z0-9_+-]+(?:\\.[A-Za-z0-9_+-]+)*$';

const NAME = new RegExp(NAME_PATTERN);

/** Allows underscores, which are common in container names. */
const DOMAIN = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/** An address literal instead of a domain (RFC 5321 section 4.1.3). */
const LITERAL = /^\[[a-z0-9:.]+\]$/;

/** Allows letters of any language, but no characters that a URL parser would read as a path, port or credentials. */
const INTERNATIONAL = /^[\p{L}\p{M}\p{N}._-]+$/u;

/** Returns an inbox name in lower case, or null if the name is invalid (D1). */
export function inboxName(text: string): string | null {
  return text.length <= MAX_NAME_LENGTH && NAME.test(text) ? text.toLowerCase() : null;
}

/**
 * Normalizes the domain of an address for storage and comparison. Returns null for an invalid domain (D64). The result
 * is in lower case and in ASCII, because `bücher.test` and `xn--bcher-kva.test` are one domain (RFC 5890).
 */
export function mailDomain(text: string): string | null {
  if (text.length > MAX_DOMAIN_LENGTH) return null;
  const domain = asciiDomain(text);
  if (domain === null || domain.length > MAX_DOMAIN_LENGTH) return null;
  return DOMAIN.test(domain) || LITERAL.test(domain) ? domain : null;
}

function asciiDomain(text: string): string | null {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  const url = `http://${text}`;
  return INTERNATIONAL.test(text) && URL.canParse(url) ? new URL(url).hostname : null;
}

/** An inbox that a caller gave as an address or as a name. For a name, `domain` is null. */
export interface GivenInbox {
  readonly name: string;
  readonly domain: string | null;
}

export function givenInbox(text: string): GivenInbox | null {
  const at = text.indexOf('@');
  const name = inboxName(at < 0 ? text : text.slice(0, at));
  const domain = at < 0 ? null : mailDomain(text.slice(at + 1));
  return name === null || (at >= 0 && domain === null) ? null : { name, domain };
}

/** Converts a name or address to the form that identifies the inbox in paths and the store; null if invalid. */
export function canonicalInbox(text: string): string | null {
  const given = givenInbox(text);
  if (given === null) return null;
  return given.domain === null ? given.name : `${given.name}@${given.domain}`;
}

/** A phone number (E.164) as the name of an inbox for texts. The shortest numbers with a country code have 7 digits. */
const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

export function isPhoneNumber(text: string): boolean {
  return PHONE_NUMBER.test(text);
}

/** Converts a number such as `+44 (0)20 7946-0018`, `0044…` or `44…` to the name of its inbox; null if invalid. */
export function phoneNumber(text: string): string | null {
  if (text.length > MAX_NAME_LENGTH) return null;
  const digits = text.replace(/\(0\)|[\s().\-/]/g, '').replace(/^(?:\+|00)/, '');
  return isPhoneNumber(`+${digits}`) ? `+${digits}` : null;
}

export const nameIn = (inbox: string) => inbox.split('@', 1)[0] as string;
