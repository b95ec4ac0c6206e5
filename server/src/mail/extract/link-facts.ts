import { findWords, type Role } from './lexicon.js';
import { lineAbove, lineAround } from './lines.js';
import type { Link, LinkOccurrence } from './links.js';

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
  readonly keyword: KeywordPlace;
  readonly token: boolean;
  /** What its texts and titles speak of. */
  readonly says: ReadonlySet<Role>;
  /** What the text around its written-out address speaks of. */
  readonly around: ReadonlySet<Role>;
  /** It occurs more than once. */
  readonly repeated: boolean;
  /** The message has no other web link. */
  readonly isOnly: boolean;
  /** The first of the links that hold a word. */
  readonly isFirst: boolean;
  readonly link: Link;
}

/** Link texts are read up to here. */
const MAX_TEXT_CHARS = 200;
/** Words around a written-out address are looked for so far. */
const AROUND_CHARS = 80;

/** Everything the rules ask about one link that holds one of the interface's words. */
export function linkFacts(link: Link, place: Pick<LinkFacts, 'isOnly' | 'isFirst'>): LinkFacts {
  const { url, occurrences } = link;
  const links = occurrences.filter(({ isWritten }) => !isWritten);
  const written = occurrences.filter(({ isWritten }) => isWritten);
  return {
    keyword: keywordPlace(url),
    token: hasToken(url),
    says: new Set(links.flatMap(ownWords)),
    around: new Set(written.flatMap(wordsAround)),
    repeated: occurrences.length > 1,
    ...place,
    link,
  };
}

function ownWords({ passage, at, title }: LinkOccurrence): Role[] {
  const inText = findWords(passage.lower, at.start, Math.min(at.end, at.start + MAX_TEXT_CHARS));
  return [...inText, ...findWords(title.slice(0, MAX_TEXT_CHARS).toLowerCase())].map(({ role }) => role);
}

/** The words of its line; those of the line above too if nothing else stands before it. */
function wordsAround({ passage, at }: LinkOccurrence): Role[] {
  const line = lineAround(passage.text, at);
  const start = Math.max(line.start, at.start - AROUND_CHARS);
  const isLeading = passage.text.slice(start, at.start).trim() === '';
  const above = isLeading ? lineAbove(passage.text, line) : null;
  const end = Math.min(line.end, at.end + AROUND_CHARS);
  return findWords(passage.lower, above?.start ?? start, end).map(({ role }) => role);
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
function keywordPlace(url: string): KeywordPlace {
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
function hasToken(url: string): boolean {
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
