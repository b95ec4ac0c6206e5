import { DELETION, PASSWORD, SECURING } from '../../words/words.js';
import { lineAbove, lineAround, type Range } from '../text/lines.js';
import { findWords, type Word } from '../words/lexicon.js';
import type { Role } from '../words/word-tree.js';
import { namedAction } from './action-names.js';
import { type Address, type AddressFacts, addressFacts } from './link-address.js';
import type { Link, LinkOccurrence } from './links.js';

export interface LinkFacts extends Omit<LinkPlace, 'code'>, AddressFacts {
  readonly hasCode: boolean;
  /** What its texts and titles speak of, and what stands before it where its address is written out. */
  readonly says: ReadonlySet<Role>;
  readonly around: ReadonlySet<Role>;
  /** There is no code, or a word in its text, its sentence or its address speaks for it beside the code. */
  readonly isSpokenFor: boolean;
  /** What stands before it says that it is for somebody who did not ask for the mail, or for what the mail tells of. */
  readonly denied: boolean;
  /** Its own text says so: "This was not me"; or it secures the account, behind a sentence that says so. */
  readonly denies: boolean;
  /** Its text asks something: "Forgot your password?" */
  readonly asks: boolean;
  /** What stands before it asks something: "Trouble signing in? Reset your password" */
  readonly asked: boolean;
  readonly repeated: boolean;
  /** It is the only link, and its text, or the sentence that leads to it, says that it is of a footer's kind. */
  readonly customary: boolean;
  readonly link: Link;
}

export interface LinkPlace {
  readonly isOnly: boolean;
  readonly isFirst: boolean;
  /** So many links hold a word that the word says nothing. */
  readonly isCrowded: boolean;
  readonly subjectSaysAction: boolean;
  /** What was found to be the mail's code. */
  readonly code: string | null;
}

const MAX_TEXT_CHARS = 200;
const AROUND_CHARS = 80;
const SURROUNDING_CHARS = 160;
/** "If you did not ask for this, …" is looked for so far before a link. */
const DENIAL_CHARS = 140;

/** No more than some line breaks and an angle bracket stand between a link and what leads to it. */
const MAX_LEAD_CHARS = 8;

/** Everything the rules ask about one link. */
export function linkFacts(link: Link, address: Address, place: LinkPlace): LinkFacts {
  const { occurrences } = link;
  const { isOnly, isFirst, isCrowded, subjectSaysAction, code } = place;
  const { keyword, rest, secret, titled, leaves, secures, sourceCode } = addressFacts(address);
  const own = occurrences.map(rolesOfOwn);
  const says = new Set(own.flat());
  const around = new Set(occurrences.flatMap((occurrence) => rolesOf(wordsAround(occurrence))));
  const isDeniedBefore = occurrences.some(isDenied);
  const denies =
    ((isDeniedBefore || around.has('denial')) && occurrences.some(isSecuring)) ||
    (says.has('denial') && occurrences.some((one, i) => !one.isWritten && own[i]?.includes('denial'))) ||
    (around.has('denial') && occurrences.some((one) => one.isWritten && isLabelledAsDenial(one)));
  return {
    says,
    around,
    isSpokenFor:
      code === null ||
      (!occurrences.some(isSecuring) &&
        (says.has('action') || namedAction(rest) !== null || occurrences.some(isAskedFor))),
    denied: denies || isDeniedBefore,
    denies,
    asks: occurrences.some((one) => ASKS.test(one.isWritten ? textBefore(one) : endOf(one))),
    asked: occurrences.some((one) => ASKS.test(textBefore(one))),
    repeated: occurrences.length > 1,
    customary: isOnly && !says.has('action') && occurrences.some(isCustomary),
    link,
    // Field by field: V8 takes far longer to spread an object.
    isOnly,
    isFirst,
    isCrowded,
    subjectSaysAction,
    hasCode: code !== null,
    keyword,
    rest,
    secret: secret || (code !== null && carries(rest, code)),
    titled,
    leaves,
    secures,
    sourceCode,
  };
}

/** `/login?c=4829`: the address enters the code for its reader. */
function carries(rest: string, code: string): boolean {
  const at = rest.indexOf(code);
  return at > 0 && !/[A-Za-z0-9]/.test(rest[at - 1] as string) && !/[A-Za-z0-9]/.test(rest[at + code.length] ?? '');
}

function rolesOf(words: readonly Word[]): Role[] {
  return words.map(({ role }) => (role === 'kind' ? 'other' : role));
}

/** To cancel the deletion of an account is what an email about it asks for. */
function rolesOfOwn(occurrence: LinkOccurrence): Role[] {
  const roles = rolesOf(ownWords(occurrence));
  if (!roles.includes('leave') || !DELETION.test(ownText(occurrence))) return roles;
  return roles.map((role) => (role === 'leave' ? 'action' : role));
}

/** The text of a link, or what stands before an address that is written out. */
function ownText(occurrence: LinkOccurrence): string {
  const { passage, at, isWritten } = occurrence;
  return isWritten
    ? textBefore(occurrence)
    : passage.lower.slice(at.start, Math.min(at.end, at.start + MAX_TEXT_CHARS));
}

function ownWords(occurrence: LinkOccurrence): Word[] {
  const { passage, at, title, isWritten } = occurrence;
  if (isWritten) return wordsBefore(occurrence);
  const inText = findWords(passage, at.start, Math.min(at.end, at.start + MAX_TEXT_CHARS));
  return title === '' ? inText : [...inText, ...findWords({ lower: title.slice(0, MAX_TEXT_CHARS).toLowerCase() })];
}

/** Its text is that of a footer's link (leave, preferences, browser, report), or else the sentence before it is. */
export function isCustomary(occurrence: LinkOccurrence): boolean {
  const own = occurrence.isWritten ? [] : rolesOfOwn(occurrence);
  const roles = own.length > 0 ? own : rolesOf(leadIn(occurrence));
  return !roles.includes('action') && roles.some((role) => role === 'leave' || role === 'footer');
}

function leadIn(occurrence: LinkOccurrence): Word[] {
  const lead = leadOf(occurrence);
  return lead === null ? [] : findWords(occurrence.passage, lead.start, lead.end);
}

function isAskedFor(occurrence: LinkOccurrence): boolean {
  return [...leadIn(occurrence), ...wordsBehind(occurrence)].some(({ role }) => role === 'action' || role === 'enter');
}

/** The sentence that leads to a link: before it in its line, or at the end of the line above; or null. */
export function leadOf({ passage, at, between, isWritten }: LinkOccurrence): Range | null {
  const { lower } = passage;
  const line = lineAround(lower, at);
  const above = aboveIfFirst(lower, at, line);
  if (above !== null && !leadsOn(lower[above.end - 1] as string, isWritten)) return null;
  const led = above ?? { start: line.start, end: at.start };
  return { start: Math.max(sentenceStart(lower, led), between.start), end: led.end };
}

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
  const led =
    above !== null && /[:?？؟]/.test(lower[above.end - 1] as string) ? above : { start: line.start, end: at.start };
  const start = Math.max(sentenceStart(lower, led), led.end - DENIAL_CHARS, between.start);
  return findWords(passage, start, led.end).some(({ role }) => role === 'denial');
}

/** `Not you? [Secure your account]`: its text offers to lock something or to report it, and no new password. */
function isSecuring(occurrence: LinkOccurrence): boolean {
  if (occurrence.isWritten) return false;
  const text = ownText(occurrence);
  return SECURING.test(text) && !PASSWORD.test(text);
}

/** What stands before it in its line, or else in the line above, as far as no other link does. */
function textBefore({ passage, at, between }: LinkOccurrence): string {
  const { lower } = passage;
  const line = lineAround(lower, at);
  const { start, end } = aboveIfFirst(lower, at, line) ?? { start: line.start, end: at.start };
  const from = Math.max(start, end - AROUND_CHARS, between.start);
  let last = end;
  while (last > from && OPENS.test(lower[last - 1] as string)) last--;
  return lower.slice(from, last);
}

/** What stands between a label and the address behind it. */
const OPENS = /[\s<([]/;

/** More than this is no label. */
const MAX_DENIAL_CHARS = 40;
const MIN_DENIAL_SHARE = 0.6;

/** `This wasn't me <https://…>` in plain text: a text, then its address. "If this was not you:" only leads to one. */
function isLabelledAsDenial(occurrence: LinkOccurrence): boolean {
  const before = textBefore(occurrence);
  const label = before.slice(sentenceStart(before, { start: 0, end: before.length })).trim();
  if (label.length > MAX_DENIAL_CHARS || ASKS.test(label)) return false;
  const denials = findWords({ lower: label }).filter(({ role }) => role === 'denial');
  const chars = denials.reduce((sum, { start, end }) => sum + end - start, 0);
  return denials.length > 0 && (!/[:：]$/.test(label) || chars >= MIN_DENIAL_SHARE * label.length);
}

/** What a link's texts and titles speak of; for one that is only written out, what precedes it in its line. */
export function ownRoles(link: Link): ReadonlySet<Role> {
  return new Set(shown(link).flatMap(rolesOfOwn));
}

/** A colon before it, or at the end of the line above; for an address on its own line also a sentence of action. */
export function isLedTo(link: Link): boolean {
  return shown(link).some((one) => isBehindColon(one) || isBehindAction(one));
}

function isBehindAction(occurrence: LinkOccurrence): boolean {
  const { passage, at, isWritten } = occurrence;
  if (!isWritten || passage.lower.slice(lineAround(passage.lower, at).start, at.start).trim() !== '') return false;
  return leadIn(occurrence).some(({ role }) => role === 'action');
}

/** What ends a question, in any script. */
const ASKS = /[?？؟;՞]\s*$/;
const MAX_END_CHARS = 4;

function endOf({ passage, at }: LinkOccurrence): string {
  return passage.text.slice(Math.max(at.start, at.end - MAX_END_CHARS), at.end);
}

/** Where a link has a text of its own; of one that is nowhere but written out, all of its places. */
export function shown({ occurrences }: Link): readonly LinkOccurrence[] {
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

function aboveIfFirst(text: string, at: Range, line: Range): Range | null {
  return text.slice(line.start, at.start).trim() === '' ? lineAbove(text, line) : null;
}

/** Where the last sentence of a part of a text begins. A question may be what the sentence after it answers. */
function sentenceStart(text: string, { start, end }: Range): number {
  return start + Math.max(...['. ', '! ', '。', '！', '।'].map((stop) => text.slice(start, end).lastIndexOf(stop))) + 1;
}

/** The text around it in its line, and the line above if it begins its line, up to the next link. */
export function surroundingsOf({ passage, at, between }: LinkOccurrence): string {
  const { lower } = passage;
  const line = lineAround(lower, at);
  const { start } = aboveIfFirst(lower, at, line) ?? line;
  const before = lower.slice(Math.max(start, at.start - SURROUNDING_CHARS, between.start), at.start);
  return `${before} ${lower.slice(at.end, Math.min(line.end, at.end + AROUND_CHARS, between.end))}`;
}

/** The words before it in its line, else those after it and in the line above. Other links' texts are theirs. */
function wordsAround(occurrence: LinkOccurrence): Word[] {
  const before = wordsBefore(occurrence);
  if (before.length > 0) return before;
  const { passage, at, between } = occurrence;
  const behind = wordsBehind(occurrence);
  const above = aboveIfFirst(passage.lower, at, lineAround(passage.lower, at));
  return above === null ? behind : [...findWords(passage, Math.max(above.start, between.start), above.end), ...behind];
}

function wordsBehind({ passage, at, between }: LinkOccurrence): Word[] {
  const line = lineAround(passage.lower, at);
  return findWords(passage, at.end, Math.min(line.end, at.end + AROUND_CHARS, between.end));
}
