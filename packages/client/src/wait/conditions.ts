import { contains, type Pattern, shownPattern } from './text.js';
import type { Condition } from './wanted.js';

/** Which link is meant: by what a reader sees of it, and by its address. */
export interface WantedLink {
  readonly text: Pattern | undefined;
  readonly pattern: Pattern | undefined;
}

/**
 * The best code of an email, or the best one that matches; of an email without any, what matches in its subject and its
 * text.
 */
export function codeCondition(pattern: Pattern | undefined): Condition {
  return {
    what: `code${told('that matches', pattern)}`,
    pick({ codes }, { subject, body }) {
      if (codes.length > 0 || pattern === undefined) return codes.find(({ value }) => contains(value, pattern))?.value;
      return matchIn(subject, pattern) ?? matchIn(body, pattern);
    },
  };
}

/** The link that an email asks its reader to follow; where one is meant, that or the first one that matches. */
export function linkCondition({ text, pattern }: WantedLink): Condition {
  return {
    what: `link${told('with the text', text)}${told('to', pattern)}`,
    pick({ links }) {
      const matching = links.filter((link) => contains(link.text, text) && contains(link.url, pattern));
      return (matching.find(({ action }) => action) ?? (text || pattern ? matching[0] : undefined))?.url;
    },
  };
}

/** Letters, digits and what joins them. */
const WORD = /[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*/gu;
/** Any text has words of small letters only. */
const CODE_LIKE = /\p{N}|^[^\p{Ll}]{4,}$/u;

/**
 * The first word that matches and looks like a code; of an expression that matches none, what it matches in the text.
 */
function matchIn(text: string, pattern: Pattern): string | undefined {
  const words = text.match(WORD) ?? [];
  const word = words.find((one) => CODE_LIKE.test(one) && contains(one, pattern));
  if (word !== undefined || typeof pattern === 'string') return word;
  const [match = ''] = text.match(pattern) ?? [];
  return CODE_LIKE.test(match) ? match : undefined;
}

function told(how: string, pattern: Pattern | undefined): string {
  return pattern === undefined ? '' : ` ${how} ${shownPattern(pattern)}`;
}
