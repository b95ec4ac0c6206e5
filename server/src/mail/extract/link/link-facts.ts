import { lineAbove, lineAround, type Range } from '../text/lines.js';
import { findWords, type Word } from '../words/lexicon.js';
import type { Role } from '../words/word-tree.js';
import { type Address, type AddressFacts, addressFacts } from './link-address.js';
import type { Link, LinkOccurrence } from './links.js';

/** What is known of one link that holds one of the interface's words. */
export interface LinkFacts extends LinkPlace, AddressFacts {
  /** What its texts and titles speak of, and what stands before it where its address is written out. */
  readonly says: ReadonlySet<Role>;
  /** What the text around it speaks of. */
  readonly around: ReadonlySet<Role>;
  /** What stands before it says that it is for somebody who did not ask for the mail, or for what the mail tells of. */
  readonly denied: boolean;
  /** It occurs more than once. */
  readonly repeated: boolean;
  /** It is the only link, and its text, or the sentence that leads to it, says that it is of a footer's kind. */
  readonly customary: boolean;
  readonly link: Link;
}

/** How a link stands in its message. */
export interface LinkPlace {
  /** There is no other web link. */
  readonly isOnly: boolean;
  /** It is the first that holds one of the interface's words. */
  readonly isFirst: boolean;
  /** So many links hold a word that the word says nothing. */
  readonly isCrowded: boolean;
  /** The subject speaks of verifying, signing in or a password. */
  readonly subjectSaysAction: boolean;
  /** The message has a one-time code. */
  readonly hasCode: boolean;
}

/** Link texts are read up to here. */
const MAX_TEXT_CHARS = 200;
/** Words around a link are looked for so far. */
const AROUND_CHARS = 80;
/** "If you did not ask for this, …" is looked for so far before a link. */
const DENIAL_CHARS = 140;

/** No more than some line breaks and an angle bracket stand between a link and what leads to it. */
const MAX_LEAD_CHARS = 8;

/** Everything the rules ask about one link. */
export function linkFacts(link: Link, address: Address, place: LinkPlace): LinkFacts {
  const { occurrences } = link;
  const says = new Set(occurrences.flatMap((occurrence) => rolesOf(ownWords(occurrence))));
  return {
    says,
    around: new Set(occurrences.flatMap((occurrence) => rolesOf(wordsAround(occurrence)))),
    denied: occurrences.some(isDenied),
    repeated: occurrences.length > 1,
    customary: place.isOnly && !says.has('action') && occurrences.some(isCustomary),
    link,
    ...place,
    ...addressFacts(address),
  };
}

function rolesOf(words: readonly Word[]): Role[] {
  return words.map(({ role }) => role);
}

/** The words of a link's text and title; of an address that is written out, those before it in its line. */
function ownWords(occurrence: LinkOccurrence): Word[] {
  const { passage, at, title, isWritten } = occurrence;
  if (isWritten) return wordsBefore(occurrence);
  const inText = findWords(passage, at.start, Math.min(at.end, at.start + MAX_TEXT_CHARS));
  return title === '' ? inText : [...inText, ...findWords({ lower: title.slice(0, MAX_TEXT_CHARS).toLowerCase() })];
}

/**
 * Its text offers to unsubscribe, to set which mail comes, to see the mail in a browser or to report it; or, if its text says
 * nothing, the sentence that leads to it does.
 */
export function isCustomary(occurrence: LinkOccurrence): boolean {
  const own = occurrence.isWritten ? [] : rolesOf(ownWords(occurrence));
  const roles = own.length > 0 ? own : rolesOf(leadIn(occurrence));
  return !roles.includes('action') && roles.some((role) => role === 'leave' || role === 'footer');
}

/** The words of the sentence that leads to a link: before it in its line, or at the end of the line above. */
function leadIn({ passage, at, between, isWritten }: LinkOccurrence): Word[] {
  const { lower } = passage;
  const line = lineAround(lower, at);
  const above = aboveIfFirst(lower, at, line);
  if (above !== null && !leadsOn(lower[above.end - 1] as string, isWritten)) return [];
  const led = above ?? { start: line.start, end: at.start };
  return findWords(passage, Math.max(sentenceStart(lower, led), between.start), led.end);
}

/** Whether what ends a line leads to the link below: a colon, or, to an address that is written out, no end of a sentence. */
function leadsOn(last: string, isWritten: boolean): boolean {
  return last === ':' || last === '：' || (isWritten && !'.!?。！？'.includes(last));
}

function wordsBefore({ passage, at, between }: LinkOccurrence): Word[] {
  const line = lineAround(passage.lower, at);
  return findWords(passage, Math.max(line.start, at.start - AROUND_CHARS, between.start), at.start);
}

/** Its sentence, or the line above that leads to it by a colon, speaks of what the reader did not do. */
function isDenied({ passage, at, between }: LinkOccurrence): boolean {
  const { lower } = passage;
  const line = lineAround(lower, at);
  const above = aboveIfFirst(lower, at, line);
  const led = above !== null && lower[above.end - 1] === ':' ? above : { start: line.start, end: at.start };
  const start = Math.max(sentenceStart(lower, led), led.end - DENIAL_CHARS, between.start);
  return findWords(passage, start, led.end).some(({ role }) => role === 'denial');
}

/** What a link's own texts and titles speak of; of one that is nowhere but written out, what stands before it in its line. */
export function ownRoles(link: Link): ReadonlySet<Role> {
  return new Set(shown(link).flatMap((occurrence) => rolesOf(ownWords(occurrence))));
}

/** Whether a colon leads to a link: right before it, or at the end of the line above. */
export function isLedTo(link: Link): boolean {
  return shown(link).some(isBehindColon);
}

/** Where a link has a text of its own; of one that is nowhere but written out, all of its places. */
function shown({ occurrences }: Link): readonly LinkOccurrence[] {
  const linked = occurrences.filter(({ isWritten }) => !isWritten);
  return linked.length > 0 ? linked : occurrences;
}

function isBehindColon({ passage, at, between }: LinkOccurrence): boolean {
  const before = passage.lower.slice(Math.max(between.start, at.start - MAX_LEAD_CHARS), at.start);
  return /[:：][\s<([]*$/.test(before);
}

/** Whether words stand before and behind a link in its line. */
export function isInSentence({ passage, at }: LinkOccurrence): boolean {
  const { lower } = passage;
  const line = lineAround(lower, at);
  return /\p{L}/u.test(lower.slice(line.start, at.start)) && /\p{L}/u.test(lower.slice(at.end, line.end));
}

/** The line above if a link begins its own one, or null. */
function aboveIfFirst(text: string, at: Range, line: Range): Range | null {
  return text.slice(line.start, at.start).trim() === '' ? lineAbove(text, line) : null;
}

/** Where the last sentence of a part of a text begins. A question may be what the sentence after it answers. */
function sentenceStart(text: string, { start, end }: Range): number {
  return start + Math.max(...['. ', '! ', '。'].map((stop) => text.slice(start, end).lastIndexOf(stop))) + 1;
}

/**
 * The words before it in its line, or else those behind it and, if it begins its line, those of the line above. What is
 * another link's text or address is said of that one.
 */
function wordsAround(occurrence: LinkOccurrence): Word[] {
  const before = wordsBefore(occurrence);
  if (before.length > 0) return before;
  const { passage, at, between } = occurrence;
  const { lower } = passage;
  const line = lineAround(lower, at);
  const behind = findWords(passage, at.end, Math.min(line.end, at.end + AROUND_CHARS, between.end));
  const above = aboveIfFirst(lower, at, line);
  return above === null ? behind : [...findWords(passage, Math.max(above.start, between.start), above.end), ...behind];
}
