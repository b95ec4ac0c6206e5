import { shownText } from '../wait/text.js';
import { shownUrl } from './link-visit.js';

export const MAX_READ_HEADER_LENGTH = 2 ** 18;

/** Domains that public DNS does not resolve (RFC 6761, RFC 6762, RFC 8375 and ICANN's `internal`). */
const LOCAL_DOMAINS = ['localhost', 'local', 'internal', 'lan', 'home.arpa'];

/** IPv4 addresses that are not public (RFC 6890): 0/8, 10/8, 127/8, 100.64/10, 169.254/16, 172.16/12, 192.168/16. */
const LOCAL_IPV4 =
  /^(?:0|10|127|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\./;

/** Why an http or https link is unsafe, as the end of a sentence; null if it is safe. */
export function linkFault(url: string, trackers: readonly string[]): string | null {
  const shown = shownText(shownUrl(url));
  if (!URL.canParse(url)) return `${shown} is not a valid address`;
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/\.$/, '');
  if (isLocal(host)) return `${shown} leads to a host that only your machine or network knows`;
  if (protocol !== 'https:') return `${shown} is not https`;
  const tracker = trackers.find((one) => isBelow(host, new URL(`https://${one}`).hostname.replace(/\.$/, '')));
  return tracker === undefined ? null : `${shown} leads to the tracker ${tracker}`;
}

export function isHost(text: unknown): boolean {
  return isHostAndPort(text) && !text.includes(':');
}

/** Whether a text is a host, with or without a port, such as `127.0.0.1:3000`. Rejects `*`, which matches no host. */
export function isHostAndPort(text: unknown): text is string {
  return typeof text === 'string' && /^[^\s/?#@\\*]+$/.test(text) && URL.canParse(`https://${text}`);
}

function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Whether a host, as `URL` writes it, is this machine or in the local network. Names without a dot are local. */
export function isLocal(host: string): boolean {
  if (host.startsWith('[')) return isLocalIpv6(host.slice(1, -1));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return LOCAL_IPV4.test(host);
  return !host.includes('.') || LOCAL_DOMAINS.some((domain) => isBelow(host, domain));
}

function isLocalIpv6(address: string): boolean {
  // An IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2).
  const [, high] = /^::ffff:([\da-f]{1,4}):[\da-f]{1,4}$/.exec(address) ?? [];
  if (high !== undefined) return LOCAL_IPV4.test(`${Number(`0x${high}`) >> 8}.${Number(`0x${high}`) & 255}.`);
  return /^(?:::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)$/.test(address);
}

const FIELD = 'List-Unsubscribe';
const POST_FIELD = 'List-Unsubscribe-Post';
const HTTPS = /<\s*https:\/\/[^<>\s/][^<>]*>/i;

/** The required value of List-Unsubscribe-Post (RFC 8058 section 3.1). */
const ONE_CLICK_VALUE = 'List-Unsubscribe=One-Click';
const ONE_CLICK = /^list-unsubscribe=one-click$/i;

/** How a message breaks RFC 8058 (one-click unsubscription), or null. It may lack a signature: a relay may sign it. */
export function oneClickFault(message: string): string | null {
  const header = headerOf(message);
  if (header.length > MAX_READ_HEADER_LENGTH) return 'its header is too large to be read';
  const fields = fieldsOf(header);
  return (
    fieldFault(fields, FIELD, HTTPS, (value) => `its ${FIELD} has no https address in angle brackets: "${value}"`) ??
    fieldFault(fields, POST_FIELD, ONE_CLICK, (value) => `its ${POST_FIELD} is "${value}", not "${ONE_CLICK_VALUE}"`) ??
    signatureFault(fields)
  );
}

export type Field = readonly [name: string, value: string];

export function headerOf(message: string): string {
  const end = message.search(/(?:^|\r?\n)\r?\n/);
  return end === -1 ? message : message.slice(0, end);
}

/** The fields of a header, unfolded (RFC 5322 section 2.2.3), with their names in lower case. */
export function fieldsOf(header: string): Field[] {
  const lines = header.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/);
  return lines.map((line) => {
    const [name = ''] = line.split(':', 1);
    return [name.trim().toLowerCase(), line.slice(name.length + 1).trim()];
  });
}

export function valuesOf(fields: readonly Field[], wanted: string): string[] {
  return fields.filter(([name]) => name === wanted.toLowerCase()).map(([, value]) => value);
}

function fieldFault(fields: readonly Field[], name: string, right: RegExp, faultOf: (value: string) => string) {
  const [value, ...others] = valuesOf(fields, name);
  if (value === undefined) return `it has no header ${name}`;
  // RFC 2369 section 2 allows each header once.
  if (others.length > 0) return `it has ${others.length + 1} headers ${name}`;
  return right.test(value) ? null : faultOf(shownText(value));
}

/** One signature has to cover `FIELD` and `POST_FIELD` (RFC 8058 section 4). */
function signatureFault(fields: readonly Field[]): string | null {
  const signatures = valuesOf(fields, 'DKIM-Signature').map(uncovered);
  const [least] = signatures.sort((one, other) => one.length - other.length);
  if (least === undefined || least.length === 0) return null;
  const which = signatures.length === 1 ? 'its DKIM-Signature does not sign' : 'none of its DKIM-Signatures signs';
  return `${which} ${least.join(' and ')} (h=)`;
}

/** Which of these two headers a signature does not cover, according to its tag `h` (RFC 6376 section 3.5). */
function uncovered(signature: string): string[] {
  const tag = signature.split(';').find((one) => /^\s*h\s*=/.test(one)) ?? '';
  const covered = tag.slice(tag.indexOf('=') + 1).split(':');
  const names = new Set(covered.map((name) => name.trim().toLowerCase()));
  return [FIELD, POST_FIELD].filter((name) => !names.has(name.toLowerCase()));
}
