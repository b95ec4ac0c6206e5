/** Where an address begins inside another: plain, percent-encoded (up to three times), or as urldefense v2 has it. */
const INSIDE = /https?(?::\/\/|%(?:25){0,3}3a%(?:25){0,3}2f%(?:25){0,3}2f|-3a__)/gi;
/** Addresses are looked at, and looked through for others, up to here. */
const MAX_ADDRESS_CHARS = 4_096;
/** Scanners and counters of clicks rewrite what others have rewritten before, hardly more often than this. */
const MAX_REWRITES = 3;

const VALUE_NAME = /[?&#;]([\w.-]{1,40})=$/;
/** Names of an address where one goes on to when all is done. Other names are of an address where one goes at once. */
const AFTERWARDS = /next|continue|re(?:direct|turn|fer)|callback|success|fail|cancel|back|after|goto|origin|state/i;
const RETURN_ADDRESS = new RegExp(
  `[?&#;][\\w.-]{0,20}(?:${AFTERWARDS.source})[\\w.-]{0,20}=(?:https?:|/)[^&#;]*`,
  'gi',
);

/**
 * A path, query and fragment without the addresses where one goes on to when all is done:
 * `&cancel_url=https://…/cancel` cancels nothing.
 */
export function withoutReturnAddresses(rest: string): string {
  return /=(?:https?:|\/)/i.test(rest) ? rest.replace(RETURN_ADDRESS, '') : rest;
}

/** A path that is an action of its own, and not the passing on to another address. */
const OWN_ACTION =
  /verif|confirm|activ|reset|valid|magic|passwor|auth(?!or(?!i[sz]))|log-?in|sign-?(?:in|up)|regist|invit|accept|unsubscri|opt-?out/i;

/**
 * The address inside one that a mail scanner or a counter of clicks has rewritten; otherwise the link's own. For
 * looking at only: others wrote what is inside, and it is not what is clicked.
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

/** The address that another leads on to without doing anything itself, or null. */
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

/** The host of an address, its path, and what follows that. Only the web has hosts: `app://verify` verifies. */
export function partsOf(address: string): { host: string; path: string; query: string } {
  const [, host = '', path = '', query = ''] =
    /^(?:https?:\/\/([^/?#]*)|[^:/?#]*:)([^?#]*)(.*)/is.exec(address.slice(0, MAX_ADDRESS_CHARS)) ?? [];
  return { host, path, query };
}

/** The last two labels of the host: where these are the same, an address inside is the site's own business. */
function siteOf(address: string): string {
  const [host] = partsOf(address).host.split(':', 1) as [string];
  return host.toLowerCase().split('.').slice(-2).join('.');
}

/** The characters that part an address into pieces, as an address inside of another one has them. */
const ESCAPED = /%(?:25){0,3}(2f|3a|3f|3d|26|23)/gi;

/**
 * A text with the characters that part addresses into pieces decoded, whether they were encoded once or several times.
 */
export function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(ESCAPED, (_, code: string) => decodeURIComponent(`%${code}`));
}
