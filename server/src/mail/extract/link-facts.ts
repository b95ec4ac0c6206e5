import type { Role } from './lexicon.js';

/** One address of a message, all its occurrences taken together. */
export interface Link {
  readonly url: string;
  /** What it is called where it occurs first, for somebody who reads the explanation. */
  readonly label: string;
  /** What its link texts and titles say. */
  readonly says: Set<Role>;
  /** What the text around the written-out address says. */
  readonly around: Set<Role>;
  button: boolean;
  footer: boolean;
  hidden: boolean;
  occurrences: number;
}

/** Where one of the interface's words stands in an address. */
export type KeywordPlace =
  /** By itself in the path, query or fragment: `/verify-email`, `?token=`, `/resetPassword`. */
  | 'name'
  /** As part of another word there that means the same: `/authenticate`, `/confirmation`. */
  | 'part'
  /** In the host name alone: `auth.example.com`. */
  | 'host'
  /** By accident in another word: `/author/`. */
  | 'accident';

/** What is known of one link. */
export interface LinkFacts {
  /** The message has no other web link. */
  readonly only: boolean;
  /** The first of those that hold a word. */
  readonly first: boolean;
  readonly keyword: KeywordPlace;
  readonly token: boolean;
  readonly link: Link;
}

/** The interface's words (spec.md section 2.1). */
const KEYWORD = /verify|confirm|reset|token|activate|auth/i;

const NAME = /(?<![a-z])(?:verify|confirm|reset|token|activate|auth)(?![a-z])/i;
const CAMEL_CASE_NAME =
  /(?<![A-Za-z])(?:verify|confirm|reset|activate|auth)(?=[A-Z])|(?<=[a-z])(?:Verify|Confirm|Reset|Token|Activate|Auth)(?![a-z])/;
const ACCIDENT = /author(?!i[sz])|authentic(?!at)|preset|tokeni[sz]/gi;

/** Paths of links that an e-mail carries by custom, whatever word is beside. */
const CUSTOMARY =
  /unsubscri|opt[-_]?out|list[-_]?manage|(?<![a-z])(?:e?mail[-_]?)?preferences?(?![a-z])|view[-_]?(?:it[-_]?)?(?:in|on)[-_]?(?:your[-_]?)?(?:browser|line)|web[-_]?version/i;
const FILE = /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|woff2?)$/i;

/** Addresses are looked at up to here. */
const MAX_ADDRESS_CHARS = 4_096;

/** Why a link is no magic link whatever its points, or null. */
export function linkExclusion(url: string): string | null {
  if (!KEYWORD.test(url)) return 'none of the words verify, confirm, reset, token, activate, auth is in it';
  const path = pathOf(url);
  if (CUSTOMARY.test(path)) return 'its path says unsubscribe, preferences or view in browser';
  if (FILE.test(path)) return 'it is the address of an image, a style sheet or a script';
  return null;
}

/** Where the interface's word stands in an address that holds one. */
export function keywordPlace(url: string): KeywordPlace {
  const rest = afterHost(url);
  if (NAME.test(rest) || CAMEL_CASE_NAME.test(rest)) return 'name';
  if (KEYWORD.test(rest.replace(ACCIDENT, ''))) return 'part';
  return KEYWORD.test(rest) ? 'accident' : 'host';
}

/** Path segments and values this long can hold a secret. */
const MIN_TOKEN_CHARS = 16;
/** Shorter values count when their name says so. */
const NAMED_TOKEN = /(?:token|code|key|hash|sig|signature|secret|otp|nonce|ticket|[?&#]k|[?&#]t|[?&#]c)=[^&#\s]{6,}/i;

/** Whether an address carries something that nobody made up: a long value of letters and digits, or of both cases. */
export function hasToken(url: string): boolean {
  const rest = afterHost(url);
  return NAMED_TOKEN.test(rest) || rest.split(/[/?&=#.%~:_-]/).some(looksRandom) || hasUuid(rest);
}

function looksRandom(value: string): boolean {
  if (value.length < MIN_TOKEN_CHARS) return false;
  const mixesCases = /[a-z][A-Z].*[a-z][A-Z]/.test(value.slice(0, 64));
  return /\d/.test(value) || mixesCases;
}

function hasUuid(rest: string): boolean {
  return /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i.test(rest);
}

/** Path, query and fragment. */
function afterHost(url: string): string {
  const host = url.indexOf('://') + 3;
  const length = url.slice(host, MAX_ADDRESS_CHARS).search(/[/?#]/);
  return length < 0 ? '' : url.slice(host + length, MAX_ADDRESS_CHARS);
}

function pathOf(url: string): string {
  return afterHost(url).split(/[?#]/, 1)[0] as string;
}
