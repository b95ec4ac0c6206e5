import { DELETION, PASSWORD, SECURING } from '../../words/words.js';
import { lineAbove, lineAround, type Range } from '../text/lines.js';
import { findWords, type Word } from '../words/lexicon.js';
import type { Role } from '../words/word-tree.js';
import type { Address } from './link-address.js';
import type { Link, LinkOccurrence } from './links.js';

/** Facts about the message that contains a link. */
export interface LinkMessage {
  readonly code: string | null;
  /** The message has no other link. */
  readonly isOnly: boolean;
  /** The message has many links with a keyword, so a keyword does not distinguish this link. */
  readonly isCrowded: boolean;
  readonly subjectSaysAction: boolean;
  /** The subject in lower case. */
  readonly subject: string;
}

const MAX_LABEL_CHARS = 200;
const MAX_BEFORE_CHARS = 160;
const MAX_AFTER_CHARS = 80;

export type LinkFacts = ReturnType<typeof linkFacts>;

/** The input of the rules for one link. */
export function linkFacts(link: Link, address: Address, message: LinkMessage) {
  const { code } = message;
  const keeps = address.cancels && (address.deletes || DELETION.test(message.subject));
  const places = link.occurrences.map((occurrence) => placeOf(occurrence, keeps));
  const linked = places.filter(({ isWritten }) => !isWritten);
  const says = new Set(places.flatMap(({ own }) => own));
  const around = new Set(places.flatMap((one) => one.around));
  const isDeniedBefore = places.some(({ lead }) => lead.includes('denial'));
  const denies = places.some(isDenial) || ((isDeniedBefore || around.has('denial')) && places.some(isSecuring));
  const speaks = says.has('action') || address.action !== null || places.some(isAskedFor);
  return {
    link,
    address,
    message,
    /** The occurrences that have their own text, or all occurrences if none has. */
    shown: linked.length > 0 ? linked : places,
    /** The roles of words in the link's texts and titles, and before its plain-text address. */
    says,
    around,
    /** The link's text means "This was not me", or a sentence such as "Was this not you?" leads to a securing link. */
    denies,
    /** The link, or the text before it, is for readers who did not request the message. */
    denied: denies || isDeniedBefore,
    /** The link cancels, declines or secures something, unless it cancels the deletion of an account. */
    leaves: address.secures || (address.cancels && !keeps),
    /** The address contains a token or the code. */
    secret: address.secret || (code !== null && carries(address.rest, code)),
    /** The message has no code; or the link's words or address state a purpose other than to secure the account. */
    isSpokenFor: code === null || (speaks && !places.some(isSecuring)),
    /** The link's text is a question: "Forgot your password?" */
    asks: places.some(({ label }) => ASKS.test(label)),
    /** The text before the link is a question: "Trouble signing in? Reset your password" */
    asked: places.some(({ before }) => ASKS.test(before)),
    /** The link's text, or the sentence before the link, marks it as a common footer link. */
    customary: places.some(isCustomary),
  };
}

/** The end of a question, in any script. */
const ASKS = /[?？؟;՞]$/;
/** The end of a line that leads to a link on the next line. */
const LEADS = /[:：?？؟;՞]$/;
/** The end of a sentence. A line with any other end leads to a plain-text address on the next line. */
const ENDS = /[.!。！]$/;
/** A bracket between a label and its address. */
const OPENS = /[<([]$/;

export type Place = ReturnType<typeof placeOf>;

/** Facts about one occurrence of a link, from its line up to the neighboring links, or else from the line above. */
function placeOf({ passage, at, between, isWritten, title }: LinkOccurrence, keeps: boolean) {
  const { lower } = passage;
  const line = lineAround(lower, at);
  const isFirst = lower.slice(line.start, at.start).replace(OPENS, '').trim() === '';
  const leading = isFirst ? lineAbove(lower, line) : { start: line.start, end: at.start };
  const { start, end } = leadOf(lower, at, leading, isWritten);
  const from = Math.min(end, Math.max(start, end - MAX_BEFORE_CHARS, between.start));
  const written = lower.slice(from, end);
  const before = written.trimEnd().replace(OPENS, '').trimEnd();
  const leads = !isFirst || LEADS.test(before) || (isWritten && !ENDS.test(before));
  const sentence = leads ? from + sentenceStart(written) : end;
  const named = title.slice(0, MAX_LABEL_CHARS).toLowerCase();
  const textEnd = Math.min(at.end, at.start + MAX_LABEL_CHARS);
  const afterEnd = Math.min(line.end, at.end + MAX_AFTER_CHARS, between.end);
  const label = isWritten
    ? lower.slice(sentence, from + before.length)
    : lower.slice(at.start, textEnd).trim() || named;
  const lead = passage.wordsIn(sentence, end);
  const near = passage.wordsIn(from, end);
  const own = isWritten
    ? isFirst
      ? lead
      : near
    : [...passage.wordsIn(at.start, textEnd), ...findWords({ lower: named })];
  const next = rolesOf(passage.wordsIn(at.end, afterEnd), keeps);
  return {
    isWritten,
    /** The link begins its line. */
    isFirst,
    /** The link's text or title. For a plain-text address, the sentence before it. */
    label: label.trim(),
    /** The roles of words in the label. */
    own: rolesOf(own, keeps || (own.some(({ role }) => role === 'leave') && DELETION.test(label))),
    /** The text before the link in its line, or else in the line above. */
    before,
    /** The roles of words in the sentence before the link. */
    lead: rolesOf(lead, keeps),
    after: lower.slice(at.end, afterEnd),
    /** The roles of words after the link in its line. */
    next,
    /** The roles of words before and after the link. */
    around: [...rolesOf(near, keeps), ...(near.length > 0 && !isFirst ? [] : next)],
  };
}

/** The text before a link. Before a labeled plain-text address, includes the line above if it leads to the label. */
function leadOf(lower: string, at: Range, label: Range | null, isWritten: boolean): Range {
  if (label === null) return { start: at.start, end: at.start };
  const first = isWritten ? lineAbove(lower, label) : null;
  return first !== null && LEADS.test(lower.slice(first.start, first.end))
    ? { start: first.start, end: label.end }
    : label;
}

/** `keeps`: the message announces a deletion, and the link cancels it. Words for canceling then count as an action. */
function rolesOf(words: readonly Word[], keeps: boolean): Role[] {
  return words.map(({ role }) => {
    if (role === 'kind') return 'other';
    return keeps && role === 'leave' ? 'action' : role;
  });
}

/** The start of the last sentence of a text. A question is part of the sentence after it. */
function sentenceStart(text: string): number {
  return 1 + Math.max(...['. ', '! ', '。', '！', '।'].map((stop) => text.lastIndexOf(stop)));
}

/** Whether the address contains the code: `/login?c=4829`. */
function carries(rest: string, code: string): boolean {
  const at = rest.indexOf(code);
  return at > 0 && !/[A-Za-z0-9]/.test(rest[at - 1] as string) && !/[A-Za-z0-9]/.test(rest[at + code.length] ?? '');
}

const MAX_DENIAL_CHARS = 40;

/** Matches `This wasn't me <https://…>`, but not "If this was not you:" before an address. */
function isDenial({ isWritten, own, lead, label }: Place): boolean {
  if (!isWritten) return own.includes('denial');
  return lead.includes('denial') && label.length <= MAX_DENIAL_CHARS && !LEADS.test(label);
}

/** The link's text offers to lock or report something, but mentions no password: `Not you? [Secure your account]`. */
function isSecuring({ isWritten, label }: Place): boolean {
  return !isWritten && SECURING.test(label) && !PASSWORD.test(label);
}

function isCustomary({ own, lead }: Place): boolean {
  const roles = own.length > 0 ? own : lead;
  return !roles.includes('action') && roles.some((role) => role === 'leave' || role === 'footer');
}

function isAskedFor({ lead, next }: Place): boolean {
  return [...lead, ...next].some((role) => role === 'action' || role === 'enter');
}
