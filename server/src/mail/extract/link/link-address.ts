/** Where one of the interface's words stands in an address. */
export type KeywordPlace =
  /** As a name: `/verify-email`, `/resetPassword`, `?token=…`. */
  | 'name'
  /** Elsewhere in the path, query or fragment: `/authenticate`, `/confirmation`, `/settings/tokens`. */
  | 'part'
  /** In the host name alone: `auth.example.com`. */
  | 'host'
  /** By accident in another word: `/author/`. */
  | 'accident';

/** The interface's words (spec.md section 2.1). */
const KEYWORD = /verify|confirm|reset|token|activate|auth/i;

/** A verb by itself, by hyphens or by capitals (`resetPassword`, `emailVerify`); a noun as the name of a value. */
const NAMES = [
  /(?<![a-z])(?:verify|confirm|reset|activate)(?![a-z])/i,
  /(?<![A-Za-z])(?:verify|confirm|reset|activate)(?=[A-Z])|(?<=[a-z])(?:Verify|Confirm|Reset|Activate)(?![a-z])/,
  /[?&#;](?:[a-z0-9]{1,32}[._-]){0,4}(?:token|auth)(?:[._-][a-z0-9]{1,32}){0,4}=/i,
  /[?&#;][A-Za-z0-9]{0,64}(?:Token|Auth)=/,
];
const ACCIDENT = /author(?!i[sz])|authentic(?!at)|preset|tokeni[sz]/gi;

/** Paths of links that mail carries by custom, whatever word is in them too. */
const CUSTOMARY = [
  /unsubscri|opt[-_]?out/i,
  /(?<![a-z])(?:e?mail[-_]?)?preferences?(?![a-z])/i,
  /(?<![a-z])(?:view|open|read|show)[-_]?(?:in[-_]?(?:your[-_]?)?browser|online)|web[-_]?version/i,
];
const FILE = /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|woff2?)$/i;

/** Paths of pages that show source code, in which names of branches, files and versions stand. */
const SOURCE_CODE = /\/-\/|\/(?:commits?|blob|tree|pulls?|compare|merge_requests)\//;

/** Undoes what another link does. */
const LEAVE = /(?<![a-z])(?:cancel|decline|deny|reject|revoke|undo|revert|disavow)(?![a-z])/i;

/** Addresses are looked at up to here. */
const MAX_ADDRESS_CHARS = 4_096;

/** Why a link is no magic link whatever its points, or null. */
export function linkExclusion(url: string): string | null {
  if (!KEYWORD.test(url)) return 'none of the words verify, confirm, reset, token, activate, auth is in it';
  const path = pathOf(url);
  if (CUSTOMARY.some((custom) => custom.test(path))) return 'its path says unsubscribe, preferences or view in browser';
  if (FILE.test(path)) return 'it is the address of an image, a style sheet or a script';
  return null;
}

/** What an address that holds one of the interface's words says of itself. */
export interface AddressFacts {
  readonly keyword: KeywordPlace;
  /** It carries something that nobody made up. */
  readonly secret: boolean;
  /** It is there to cancel, decline or revoke. */
  readonly leaves: boolean;
  /** It leads to source code. */
  readonly sourceCode: boolean;
}

/** Reads an address that holds one of the interface's words. */
export function addressFacts(url: string): AddressFacts {
  const rest = afterHost(url);
  return {
    keyword: keywordPlace(rest),
    secret: hasSecret(rest),
    leaves: LEAVE.test(rest),
    sourceCode: SOURCE_CODE.test(rest),
  };
}

function keywordPlace(rest: string): KeywordPlace {
  if (NAMES.some((name) => name.test(rest))) return 'name';
  if (KEYWORD.test(rest.replace(ACCIDENT, ''))) return 'part';
  return KEYWORD.test(rest) ? 'accident' : 'host';
}

/** Parts of an address this long can hold a secret. */
const MIN_SECRET_CHARS = 16;
/** Shorter values count when their name says so. */
const NAMED_SECRET = /(?:token|code|key|hash|sig|signature|secret|otp|nonce|ticket|[?&#][kct])=[^&#\s]{6,}/i;
/** What follows a verb as a value of its own: `/confirm/482/k3d9x2`. */
const BEHIND_VERB = /(?<![a-z])(?:verify|confirm|reset|activate)[a-z_-]{0,20}\/(?=[^/?#]{0,64}\d)[^/?#]{4}/i;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i;

/** A named or unique value, or a long one of letters and digits or of mixed case. */
function hasSecret(rest: string): boolean {
  return (
    NAMED_SECRET.test(rest) ||
    BEHIND_VERB.test(rest) ||
    UUID.test(rest) ||
    rest.split(/[/?&=#.%~:_-]/).some(looksRandom)
  );
}

function looksRandom(value: string): boolean {
  if (value.length < MIN_SECRET_CHARS) return false;
  return /\d/.test(value) || /[a-z][A-Z].{0,40}[a-z][A-Z]/.test(value);
}

/** The characters that part an address into pieces, as an address inside of another one has them. */
const ESCAPED = /%(?:25){0,3}(2f|3f|3d|26|23)/gi;
const UNESCAPED = new Map(Object.entries({ '2f': '/', '3f': '?', '3d': '=', '26': '&', '23': '#' }));

/** Path, query and fragment. Where a redirect carries another address, that one is part of it. */
function afterHost(url: string): string {
  const host = url.indexOf('://') + 3;
  const length = url.slice(host, MAX_ADDRESS_CHARS).search(/[/?#]/);
  if (length < 0) return '';
  const rest = url.slice(host + length, MAX_ADDRESS_CHARS);
  return rest.replace(ESCAPED, (whole, code: string) => UNESCAPED.get(code.toLowerCase()) ?? whole);
}

function pathOf(url: string): string {
  return afterHost(url).split(/[?#]/, 1)[0] as string;
}
