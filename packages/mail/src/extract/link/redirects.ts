/** The beginning of an address within another: plain, percent-encoded (up to four times), or in urldefense v2 form. */
const INSIDE = /https?(?::\/\/|%(?:25){0,3}3a%(?:25){0,3}2f%(?:25){0,3}2f|-3a__)/gi;
/** Longer addresses are searched only up to this length. */
const MAX_ADDRESS_CHARS = 4_096;
/** Several scanners and click counters may rewrite an address one after the other, but rarely more than three. */
const MAX_REWRITES = 3;

const VALUE_NAME = /[?&#;]([\w.-]{1,40})=$/;
/** Parameters with a return address. The page acts before it opens that address, so the link is not only a redirect. */
const AFTERWARDS = /next|continue|re(?:direct|turn|fer)|callback|success|fail|cancel|back|after|goto|origin|state/i;
const RETURN_ADDRESS = new RegExp(
  `[?&#;][\\w.-]{0,20}(?:${AFTERWARDS.source})[\\w.-]{0,20}=(?:https?:|/)[^&#;]*`,
  'gi',
);

/** Removes return addresses, because their words do not describe the link: `&cancel_url=https://…/cancel`. */
export function withoutReturnAddresses(rest: string): string {
  return /=(?:https?:|\/)/i.test(rest) ? rest.replace(RETURN_ADDRESS, '') : rest;
}

/** A path with its own action, so the address is more than a redirect. */
const OWN_ACTION =
  /verif|confirm|activ|reset|valid|magic|passwor|auth(?!or(?!i[sz]))|log-?in|sign-?(?:in|up)|regist|invit|accept|unsubscri|opt-?out/i;

/**
 * The original of an address that a link scanner or click counter rewrote; otherwise the address itself. Used only to
 * classify the link, because a click opens the rewritten address.
 */
export function meantAddress(url: string): string {
  let meant = url;
  for (let rewrites = 0; rewrites < MAX_REWRITES; rewrites++) {
    const inside = rewritten(meant.slice(0, MAX_ADDRESS_CHARS));
    if (inside === null) break;
    meant = inside;
  }
  return meant;
}

/** The target of an address that only redirects, or null. */
function rewritten(url: string): string | null {
  INSIDE.lastIndex = url.indexOf('://') + 3;
  const match = INSIDE.exec(url);
  if (match === null) return null;
  const own = url.slice(0, match.index);
  const name = VALUE_NAME.exec(own)?.[1] ?? '';
  if (AFTERWARDS.test(name) || OWN_ACTION.test(partsOf(own).path)) return null;
  const inside = unwrapped(url.slice(match.index), match[0]);
  return siteOf(inside) === siteOf(url) ? null : inside;
}

function unwrapped(rest: string, beginning: string): string {
  if (beginning.endsWith('://')) return rest.split('__;', 1)[0] as string;
  const value = rest.split(/[&#]/, 1)[0] as string;
  return unescaped(beginning.endsWith('__') ? value.replaceAll('_', '/').replaceAll('-', '%') : value);
}

/** Splits an address. In an application's address such as `app://verify`, the host is part of the path. */
export function partsOf(address: string): { host: string; path: string; query: string } {
  const [, host = '', path = '', query = ''] =
    /^(?:https?:\/\/([^/?#]*)|[^:/?#]*:)([^?#]*)(.*)/is.exec(address.slice(0, MAX_ADDRESS_CHARS)) ?? [];
  return { host, path, query };
}

/** The site of an address: the last two labels of its host. An address that leads to its own site is no redirect. */
function siteOf(address: string): string {
  const [host] = partsOf(address).host.split(':', 1) as [string];
  return host.toLowerCase().split('.').slice(-2).join('.');
}

/** Delimiters of addresses, encoded once or several times. */
const ESCAPED = /%(?:25){0,3}(2f|3a|3f|3d|26|23)/gi;

/** Decodes only the delimiters of addresses. */
export function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(ESCAPED, (_, code: string) => decodeURIComponent(`%${code}`));
}
