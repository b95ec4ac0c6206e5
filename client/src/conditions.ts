import { contains } from './filter.js';
import type { Condition } from './wanted.js';
import type { EmailCode, EmailLink } from './wire.js';

type Pattern = string | RegExp | undefined;

/** Which link is meant: by what a reader sees of it, and by its address. */
export interface WantedLink {
  readonly text: Pattern;
  readonly pattern: Pattern;
}

/** The best code, or the best one that matches. */
export function bestCode(codes: readonly EmailCode[], pattern: Pattern): string | undefined {
  return codes.find(({ value }) => isMatched(value, pattern))?.value;
}

/** The link that the mail asks its reader to follow; where one is meant, that or the first one that matches. */
export function bestLink(links: readonly EmailLink[], { text, pattern }: WantedLink): string | undefined {
  const matching = [...links].filter((link) => isMatched(link.text, text) && isMatched(link.url, pattern));
  const action = matching.find(({ action }) => action);
  return (action ?? (text === undefined && pattern === undefined ? undefined : matching[0]))?.url;
}

/** That an email has such a code. */
export function codeCondition(pattern: Pattern): Condition {
  const which = pattern === undefined ? '' : ` that matches ${quoted(pattern)}`;
  return {
    phrase: `with a code${which}`,
    lack: `no code${which}`,
    async holds(contents, signal) {
      await contents.load(signal);
      return bestCode(await contents.codes(), pattern) !== undefined;
    },
  };
}

/** That an email has such a link. */
export function linkCondition(wanted: WantedLink): Condition {
  const { text, pattern } = wanted;
  const told = [text && `text ${quoted(text)}`, pattern && `address ${quoted(pattern)}`].filter(Boolean).join(' and ');
  const which = told === '' ? 'link to follow' : `link with the ${told}`;
  return {
    phrase: `with a ${which}`,
    lack: `no ${which}`,
    async holds(contents, signal) {
      await contents.load(signal);
      return bestLink(await contents.links(), wanted) !== undefined;
    },
  };
}

function isMatched(value: string, pattern: Pattern): boolean {
  return pattern === undefined || contains(value, pattern);
}

function quoted(pattern: string | RegExp): string {
  return pattern instanceof RegExp ? `${pattern}` : `"${pattern}"`;
}
