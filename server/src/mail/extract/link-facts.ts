import { findWords, type Role } from './lexicon.js';
import { lineAbove, lineAround } from './lines.js';
import { hasSecret, type KeywordPlace, keywordPlace, saysLeave } from './link-address.js';
import type { Link, LinkOccurrence } from './links.js';

/** What is known of one link that holds one of the interface's words. */
export interface LinkFacts extends LinkPlace {
  readonly keyword: KeywordPlace;
  /** Its address carries a secret. */
  readonly secret: boolean;
  /** Its address says that it undoes something. */
  readonly leaves: boolean;
  /** What its texts and titles speak of. */
  readonly says: ReadonlySet<Role>;
  /** What the text around it speaks of. */
  readonly around: ReadonlySet<Role>;
  /** It occurs more than once. */
  readonly repeated: boolean;
  readonly link: Link;
}

/** How a link stands to the other links of its message. */
export interface LinkPlace {
  /** There is no other web link. */
  readonly isOnly: boolean;
  /** It is the first that holds one of the interface's words. */
  readonly isFirst: boolean;
  /** So many links hold a word that the word says nothing. */
  readonly isCrowded: boolean;
}

/** Link texts are read up to here. */
const MAX_TEXT_CHARS = 200;
/** Words around a link are looked for so far. */
const AROUND_CHARS = 80;

/** Everything the rules ask about one link. */
export function linkFacts(link: Link, place: LinkPlace): LinkFacts {
  const { url, occurrences } = link;
  return {
    ...place,
    keyword: keywordPlace(url),
    secret: hasSecret(url),
    leaves: saysLeave(url),
    says: new Set(occurrences.filter(({ isWritten }) => !isWritten).flatMap(ownRoles)),
    around: new Set(occurrences.flatMap(rolesAround)),
    repeated: occurrences.length > 1,
    link,
  };
}

function ownRoles({ passage, at, title }: LinkOccurrence): Role[] {
  const inText = findWords(passage.lower, at.start, Math.min(at.end, at.start + MAX_TEXT_CHARS));
  return [...inText, ...findWords(title.slice(0, MAX_TEXT_CHARS).toLowerCase())].map(({ role }) => role);
}

/** What stands before it in its line speaks of it, or else the line above and what stands behind it. */
function rolesAround({ passage, at, between }: LinkOccurrence): Role[] {
  const { lower } = passage;
  const line = lineAround(lower, at);
  const start = Math.max(line.start, at.start - AROUND_CHARS, between.start);
  const before = findWords(lower, start, at.start);
  if (before.length > 0) return before.map(({ role }) => role);
  const end = Math.min(line.end, at.end + AROUND_CHARS, between.end);
  const isLeading = lower.slice(start, at.start).trim() === '';
  const above = isLeading ? lineAbove(lower, line) : null;
  const words = [...(above === null ? [] : findWords(lower, above.start, above.end)), ...findWords(lower, at.end, end)];
  return words.map(({ role }) => role);
}
