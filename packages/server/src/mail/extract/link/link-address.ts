import type { Exclusion } from '../score.js';
import { isTitleOfPage } from './action-names.js';
import { type FooterKind, footerKind } from './footer-addresses.js';
import { MAX_ADDRESS_CHARS, meantAddress, unescaped, withoutReturnAddresses } from './redirects.js';

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

const KEYWORD = /verify|confirm|reset|token|activate|auth/i;

/** A verb by itself, by hyphens or by capitals (`resetPassword`, `emailVerify`); a noun as the name of a value. */
const NAMES = [
  /(?<![a-z])(?:verify|confirm|reset|activate)(?![a-z])/i,
  /(?<![A-Za-z])(?:verify|confirm|reset|activate)(?=[A-Z])|(?<=[a-z])(?:Verify|Confirm|Reset|Activate)(?![a-z])/,
  /[?&#;](?:[a-z0-9]{1,32}[._-]){0,4}(?:token|auth)(?:[._-][a-z0-9]{1,32}){0,4}=/i,
  /[?&#;][A-Za-z0-9]{0,64}(?:Token|Auth)=/,
];
const ACCIDENT = /author(?!i[sz])|authentic(?!at)|preset|token(?:i[sz]|omic)/gi;
/** `/browse/AUTH-482`: the key of a project, and the number of what is to do in it. */
const ISSUE_KEY = /(?<![A-Za-z0-9])(?:VERIFY|CONFIRM|RESET|TOKEN|ACTIVATE|AUTH)-\d{1,6}(?![A-Za-z0-9])/g;

const FILE = /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|woff2?)$/i;

/** Paths of pages that show source code, in which names of branches, files and versions stand. */
const SOURCE_CODE = /\/-\/|\/(?:commits?|blob|tree|pulls?|compare|merge_requests)\//;

/** Undoes what another link does. */
const LEAVE = /(?<![a-z])(?:cancel|decline|deny|reject|undo|revert|deactivate)(?![a-z])/i;
/** To keep an account is what the email is for. */
const DELETION = /delet|remov|closure/i;
/** For a reader who did not do what the mail tells of. */
const SECURE = /(?<![a-z])(?:disavow|lock|freeze|block|dispute|revoke|not-?me|wasnt-?me)(?![a-z])/i;
/** Other names of what resets a password. */
const RECOVERS = /(?<![a-z])(?:passw(?:or)?d[-_/]?)?(?:lost|forgot(?:ten)?|recovery?)(?:[-_/]?passw(?:or)?d)?/gi;

/** C0 controls: browsers drop some and refuse or encode others, so such an address is not the one opened. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f]/;

export interface Address {
  readonly url: string;
  /** A line break cuts it, and where it goes on cannot be told. */
  readonly isCut: boolean;
  /** What it leads to, if a mail scanner or a counter of clicks rewrote it; itself otherwise. */
  readonly meant: string;
  /** Path, query and fragment of that. Where a redirect carries another address, that one is part of it. */
  readonly rest: string;
  readonly footer: FooterKind | null;
}

/** An address as it is judged. */
export function addressOf(url: string, isCut: boolean): Address {
  const meant = meantAddress(url);
  const rest = withoutSynonyms(afterHost(meant));
  return { url, isCut, meant, rest, footer: footerKind(meant, rest) };
}

function withoutSynonyms(rest: string): string {
  return /passw(?:or)?d/i.test(pathOf(rest)) ? rest.replace(RECOVERS, 'reset-password') : rest;
}

/** Whether an address holds one of the interface's words. */
export function holdsWord(url: string): boolean {
  return KEYWORD.test(url);
}

/** Why nobody is meant to follow a link, or cannot. The first that holds counts. */
export const UNFOLLOWED: readonly Exclusion<Address>[] = [
  ['cut-link', 'a line break cuts it, and where it goes on cannot be told', ({ isCut }) => isCut],
  ['unopenable', 'no browser opens it', ({ url }) => CONTROL.test(url) || !URL.canParse(url)],
  ['unsubscribe-address', 'its address says to unsubscribe', ({ footer }) => footer === 'unsubscribe'],
  ['preferences-address', 'its address says preferences or settings of mail', ({ footer }) => footer === 'preferences'],
  [
    'view-online-address',
    'its address says to view the message in a browser',
    ({ footer }) => footer === 'view-online',
  ],
  ['report-address', 'its address says to report spam or abuse', ({ footer }) => footer === 'report'],
  ['file', 'it is the address of an image, a style sheet or a script', ({ rest }) => FILE.test(pathOf(rest))],
];

/**
 * Why a link that holds one of the interface's words is no magic link whatever its points. The first that holds counts.
 */
export const LINK_EXCLUSIONS: readonly Exclusion<Address>[] = [
  ['rewriters-word', 'the word is not in the address that the link leads to', ({ meant }) => !holdsWord(meant)],
  ...UNFOLLOWED,
];

export interface AddressFacts {
  readonly keyword: KeywordPlace;
  readonly rest: string;
  /** It carries something that nobody made up. */
  readonly secret: boolean;
  /** It holds the word nowhere but in the title of a page. */
  readonly titled: boolean;
  readonly leaves: boolean;
  /** It locks an account or disputes something. */
  readonly secures: boolean;
  readonly sourceCode: boolean;
}

/** Reads an address that holds one of the interface's words. */
export function addressFacts({ rest }: Address): AddressFacts {
  const titled = isTitleOfPage(rest);
  const isOfDeletion = DELETION.test(rest);
  const secures = says(SECURE, rest) && !isOfDeletion;
  return {
    keyword: keywordPlace(rest),
    rest,
    secret: !titled && hasSecret(rest),
    titled,
    leaves: secures || (says(LEAVE, rest) && !isOfDeletion),
    secures,
    sourceCode: SOURCE_CODE.test(rest),
  };
}

/** An address has a word that is not only in the address of a page where one goes on to. */
function says(word: RegExp, rest: string): boolean {
  return word.test(rest) && word.test(withoutReturnAddresses(rest));
}

function keywordPlace(rest: string): KeywordPlace {
  const plain = rest.includes('-') ? rest.replace(ISSUE_KEY, '') : rest;
  if (NAMES.some((name) => name.test(plain))) return 'name';
  if (KEYWORD.test(plain.replace(ACCIDENT, ''))) return 'part';
  return KEYWORD.test(rest) ? 'accident' : 'host';
}

/** Parts of an address this long can hold a secret. */
const MIN_SECRET_CHARS = 16;
/** Shorter values count when their name says so. */
const NAMED_SECRET = /(?:token|code|key|hash|sig|signature|secret|otp|nonce|ticket|auth|[?&#][kct])=[^&#\s]{6,}/i;
/** What follows a verb as a value of its own or is assigned to it: `/confirm/482/k3d9x2`, `?confirm=k3d9x2`. */
const BEHIND_VERB = /(?<![a-z])(?:verify|confirm|reset|activate|token)[a-z_-]{0,20}[/=](?=[^/?&#]{0,64}\d)[^/?&#]{4}/i;
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

/** Only the web has hosts: `app://verify` verifies. */
function afterHost(url: string): string {
  const [appScheme] = /^(?!https?:)[a-z][a-z0-9+.-]{1,63}:(?=\/)/i.exec(url) ?? [];
  if (appScheme !== undefined) return unescaped(url.slice(appScheme.length, MAX_ADDRESS_CHARS));
  const host = url.indexOf('://') + 3;
  const length = url.slice(host, MAX_ADDRESS_CHARS).search(/[/?#]/);
  if (length < 0) return '';
  return unescaped(url.slice(host + length, MAX_ADDRESS_CHARS));
}

function pathOf(rest: string): string {
  return rest.split(/[?#]/, 1)[0] as string;
}
