import { DELETION, PASSWORD, SECURING } from '../../words/words.js';
import { lineAbove, lineAround, type Range } from '../text/lines.js';
import { findWords, type Word } from '../words/lexicon.js';
import type { Role } from '../words/word-tree.js';
import type { Address } from './link-address.js';
import type { Link, LinkOccurrence } from './links.js';

/** What is known of the mail that a link stands in. */
export interface LinkMessage {
  /** What was found to be its code. */
  readonly code: string | null;
  /** It has no other link. */
  readonly isOnly: boolean;
  /** So many links hold a word that the word says nothing. */
  readonly isCrowded: boolean;
  readonly subjectSaysAction: boolean;
  /** The subject speaks of deleting something. */
  readonly isOfDeletion: boolean;
}

const MAX_LABEL_CHARS = 200;
const MAX_BEFORE_CHARS = 160;
const MAX_BEHIND_CHARS = 80;

export type LinkFacts = ReturnType<typeof linkFacts>;

/** Everything the rules ask about one link. */
export function linkFacts(link: Link, address: Address, message: LinkMessage) {
  const { code } = message;
  const keeps = address.cancels && (address.deletes || message.isOfDeletion);
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
    /** Where the link has a text of its own; of one that is nowhere but written out, all of its places. */
    shown: linked.length > 0 ? linked : places,
    /** What its texts and titles speak of, and what leads to it where its address is written out. */
    says,
    around,
    /** Its own text says so: "This was not me"; or it secures the account, behind a sentence that says so. */
    denies,
    /** It, or what stands before it, says that it is for readers who did not ask for what the mail tells of. */
    denied: denies || isDeniedBefore,
    /** Its address cancels, declines or secures something. To cancel the deletion of an account leaves nothing. */
    leaves: address.secures || (address.cancels && !keeps),
    /** It carries something that nobody made up, or the code. */
    secret: address.secret || (code !== null && carries(address.rest, code)),
    /** There is no code, or a word in its text, its sentence or its address speaks for it beside the code. */
    isSpokenFor: code === null || (speaks && !places.some(isSecuring)),
    /** Its text asks something: "Forgot your password?" */
    asks: places.some(({ label }) => ASKS.test(label)),
    /** What stands before it asks something: "Trouble signing in? Reset your password" */
    asked: places.some(({ before }) => ASKS.test(before)),
    /** Its text, or the sentence that leads to it, says that it is of a footer's kind. */
    customary: places.some(isCustomary),
  };
}

/** What ends a question, in any script. */
const ASKS = /[?？؟;՞]$/;
/** What leads to a link on the next line. To an address that is written out, all leads that ends no sentence. */
const LEADS = /[:：?？؟;՞]$/;
const ENDS = /[.!。！]$/;
/** What stands between a label and the address behind it. */
const OPENS = /[<([]$/;

/** What is read at one place of a link. */
export type Place = ReturnType<typeof placeOf>;

/** Looks around a link once: in its line, and in the line above if it begins its own, up to the links beside it. */
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
  const behindEnd = Math.min(line.end, at.end + MAX_BEHIND_CHARS, between.end);
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
  const next = rolesOf(passage.wordsIn(at.end, behindEnd), keeps);
  return {
    isWritten,
    /** It begins its line. */
    isFirst,
    /** The link's text, or its title; of an address that is written out, the sentence that leads to it. */
    label: label.trim(),
    /** What the label speaks of. */
    own: rolesOf(own, keeps || DELETION.test(label)),
    /** What stands before it in its line, or else in the line above. */
    before,
    /** What the sentence speaks of that leads to it. */
    lead: rolesOf(lead, keeps),
    behind: lower.slice(at.end, behindEnd),
    /** What the text behind it in its line speaks of. */
    next,
    /** What the text before and behind it speaks of. */
    around: [...rolesOf(near, keeps), ...(near.length > 0 && !isFirst ? [] : next)],
  };
}

/** What leads to a link; with the line above if that leads to a label, behind which an address is written out. */
function leadOf(lower: string, at: Range, label: Range | null, isWritten: boolean): Range {
  if (label === null) return { start: at.start, end: at.start };
  const first = isWritten ? lineAbove(lower, label) : null;
  return first !== null && LEADS.test(lower.slice(first.start, first.end))
    ? { start: first.start, end: label.end }
    : label;
}

/** To cancel the deletion of an account is what an email about it asks for. */
function rolesOf(words: readonly Word[], keeps: boolean): Role[] {
  return words.map(({ role }) => {
    if (role === 'kind') return 'other';
    return keeps && role === 'leave' ? 'action' : role;
  });
}

/** Where the last sentence of a text begins. A question may be what the sentence after it answers. */
function sentenceStart(text: string): number {
  return 1 + Math.max(...['. ', '! ', '。', '！', '।'].map((stop) => text.lastIndexOf(stop)));
}

/** `/login?c=4829`: the address enters the code for its reader. */
function carries(rest: string, code: string): boolean {
  const at = rest.indexOf(code);
  return at > 0 && !/[A-Za-z0-9]/.test(rest[at - 1] as string) && !/[A-Za-z0-9]/.test(rest[at + code.length] ?? '');
}

/** More than this is no label. */
const MAX_DENIAL_CHARS = 40;

/** `This wasn't me <https://…>`: "If this was not you:" only leads to one. */
function isDenial({ isWritten, own, lead, label }: Place): boolean {
  if (!isWritten) return own.includes('denial');
  return lead.includes('denial') && label.length <= MAX_DENIAL_CHARS && !LEADS.test(label);
}

/** `Not you? [Secure your account]`: its text offers to lock something or to report it, and no new password. */
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
