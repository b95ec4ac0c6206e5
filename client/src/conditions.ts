import { contains } from './text.js';
import type { Condition } from './wanted.js';
import type { EmailCode, EmailLink } from './wire.js';

type Pattern = string | RegExp | undefined;

/** Which link is meant: by what a reader sees of it, and by its address. */
export interface WantedLink {
  readonly text?: Pattern;
  readonly pattern?: Pattern;
}

/** The best code, or the best one that matches. */
export function bestCode(codes: readonly EmailCode[], pattern: Pattern): string | undefined {
  return codes.find(({ value }) => isMatched(value, pattern))?.value;
}

/** The link that the mail asks its reader to follow; where one is meant, that or the first one that matches. */
export function bestLink(links: readonly EmailLink[], { text, pattern }: WantedLink): string | undefined {
  const matching = [...links].filter((link) => isMatched(link.text, text) && isMatched(link.url, pattern));
  return (matching.find(({ action }) => action) ?? (text || pattern ? matching[0] : undefined))?.url;
}

/** That an email has such a code. */
export function codeCondition(pattern: Pattern): Condition {
  return condition(`code${told('that matches', pattern)}`, async (contents) =>
    bestCode(await contents.codes(), pattern),
  );
}

/** That an email has such a link. */
export function linkCondition(wanted: WantedLink): Condition {
  const what = `link${told('with the text', wanted.text)}${told('to', wanted.pattern)}`;
  return condition(what, async (contents) => bestLink(await contents.links(), wanted));
}

function condition(what: string, best: (contents: Parameters<Condition['holds']>[0]) => Promise<unknown>): Condition {
  return {
    phrase: `with a ${what}`,
    lack: `no ${what}`,
    async holds(contents, signal) {
      await contents.load(signal);
      return (await best(contents)) !== undefined;
    },
  };
}

function isMatched(value: string, pattern: Pattern): boolean {
  return pattern === undefined || contains(value, pattern);
}

function told(how: string, pattern: Pattern): string {
  if (pattern === undefined) return '';
  return ` ${how} ${pattern instanceof RegExp ? pattern : `"${pattern}"`}`;
}
