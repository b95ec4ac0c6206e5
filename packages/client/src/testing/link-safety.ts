import { shownText } from '../wait/matched-email.js';
import { shownUrl } from './link-report.js';

/** Domains that no public name server answers for (RFC 6761, RFC 6762, RFC 8375 and ICANN's `internal`). */
const LOCAL_DOMAINS = ['localhost', 'local', 'internal', 'lan', 'home.arpa'];

/** Ranges of IPv4 for one machine or network (RFC 6890), with the length of each prefix in bits. */
const LOCAL_RANGES: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];

/** What is unsafe about an http or https link, as the end of a sentence; null if nothing is. */
export function linkFault(url: string, trackers: readonly string[]): string | null {
  const shown = shownText(shownUrl(url));
  if (!URL.canParse(url)) return `${shown} is no address`;
  const { protocol, hostname } = new URL(url);
  const host = withoutLastDot(hostname);
  if (isLocal(host)) return `${shown} leads to a host that only your machine or network knows`;
  if (protocol !== 'https:') return `${shown} is not https`;
  const tracker = trackers.find((one) => isBelow(host, hostOf(one)));
  return tracker === undefined ? null : `${shown} leads to the tracker ${tracker}`;
}

/** Whether a text is a host without a port, such as `click.example.net`. */
export function isHost(text: unknown): boolean {
  return isHostAndPort(text) && !text.includes(':');
}

/** Whether a text is a host, with or without a port, such as `127.0.0.1:3000`. A `*` would match no host. */
export function isHostAndPort(text: unknown): text is string {
  return typeof text === 'string' && /^[^\s/?#@\\*]+$/.test(text) && URL.canParse(`https://${text}`);
}

function hostOf(text: string): string {
  return withoutLastDot(new URL(`https://${text}`).hostname);
}

function withoutLastDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Whether a host, as `URL` writes it, leads to one's own machine or network. Names without a dot are of a network. */
export function isLocal(host: string): boolean {
  if (host.startsWith('[')) return isLocalIpv6(host.slice(1, -1));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isLocalIpv4(numberOf(host));
  return !host.includes('.') || LOCAL_DOMAINS.some((domain) => isBelow(host, domain));
}

function isLocalIpv6(address: string): boolean {
  // An IPv4 address in one of IPv6 (RFC 4291 section 2.5.5.2).
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address) ?? [];
  if (high !== undefined) return isLocalIpv4(Number(`0x${high}`) * 2 ** 16 + Number(`0x${low}`));
  return /^(?:::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)$/.test(address);
}

function isLocalIpv4(address: number): boolean {
  return LOCAL_RANGES.some(([range, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor(numberOf(range) / size);
  });
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
}
