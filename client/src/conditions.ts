import { contains, type Pattern, shownPattern } from './text.js';
import type { Condition } from './wanted.js';

/** Which link is meant: by what a reader sees of it, and by its address. */
export interface WantedLink {
  readonly text: Pattern | undefined;
  readonly pattern: Pattern | undefined;
}

/** The best code of an email, or the best one that matches. */
export function codeCondition(pattern: Pattern | undefined): Condition {
  return {
    what: `code${told('that matches', pattern)}`,
    pick: ({ codes }) => codes.find(({ value }) => contains(value, pattern))?.value,
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

function told(how: string, pattern: Pattern | undefined): string {
  return pattern === undefined ? '' : ` ${how} ${shownPattern(pattern)}`;
}
