import { DELETION, HANDLING, ORDERING, SALE, THING } from '../../words/words.js';
import { type Candidate, exclusionOf, type Rule, score } from '../score.js';
import type { Content } from '../text/passages.js';
import { ACTION_EXCLUSIONS, ACTION_THRESHOLD, type ActionFacts } from './action-rules.js';
import { addressOf } from './link-address.js';
import { type LinkFacts, linkFacts, type Place } from './link-facts.js';
import { ANY_ADDRESS, findLinks, type Link } from './links.js';

export interface ActionCandidate extends Candidate<ActionFacts> {
  readonly link: Link;
}

/** Several links of the same points are none that a reader is asked to follow; of two the first is. */
const MAX_EQUALS = 2;

/** Where an address leads to the first page of a site. */
const HOME = /^\/?(?:\?[^#]*)?$/;

type Known = LinkFacts & Pick<ActionFacts, 'saysMatter'>;

interface Chosen {
  readonly magicLink: string | null;
  /** The code of the mail, also one with letters. */
  readonly code: string | null;
}

/** Every link that a reader can see, in order, with its points for being the one to follow. */
export function actionCandidates(
  content: Content,
  { magicLink, code }: Chosen,
  rules: readonly Rule<ActionFacts>[],
): ActionCandidate[] {
  const seen = findLinks(content, ANY_ADDRESS)
    .filter((link) => link.url === magicLink || isFollowable(link))
    .map((link) => {
      const address = addressOf(link.url, link.isCut);
      return { link, address, excluded: exclusionOf(ACTION_EXCLUSIONS, address) };
    });
  const open = seen.filter(({ excluded }) => excluded === null);
  const subjectSaysAction = content.subject.says('action');
  const subject = matterOf(content.subject.lower);
  const facts = new Map(
    open.map(({ link, address }) => {
      const place = {
        isOnly: open.length === 1,
        isCrowded: false,
        subjectSaysAction,
        isOfDeletion: DELETION.test(content.subject.lower),
      };
      const known = linkFacts(link, address, code, place);
      const { shown } = known;
      // What stands before an address that is written out somewhere is not said of it where its text says something
      // else.
      const says = new Set(shown.flatMap(({ own }) => own));
      const saysMatter = shown.some(({ label }) => offers(label, subject));
      return [link, { ...known, says, saysMatter }];
    }),
  );
  const matter = open.filter(({ link }) => isOfMatter(facts.get(link))).map(({ link }) => link);
  const isBulk =
    open.some(({ link }) => isOfList(facts.get(link))) || seen.some(({ address }) => address.footer !== null);
  const isNotice = open.some(({ link }) => facts.get(link)?.denied);
  const labels = counted(matter.map((link) => labelOf(facts.get(link))));
  const buttons = matter.filter(({ button }) => button);
  return seen.map(({ link, excluded }) => {
    const known = facts.get(link);
    if (known === undefined) return { value: link.url, excluded, facts: null, score: 0, link };
    const all = {
      ...known,
      nearMatter: known.shown.some(({ before, behind }) => handles(`${before} ${behind}`, subject)),
      subjectNamesMatter: subject !== null,
      isMagic: link.url === magicLink,
      isFirst: matter[0] === link,
      isOnlyMatter: matter.length === 1 && matter[0] === link,
      isOnlyButton: buttons.length === 1 && buttons[0] === link,
      ledTo: known.shown.some(isLedTo),
      isHome: HOME.test(known.address.rest),
      isInSentence: known.shown.every(isInSentence),
      isOneOfMany: (labels.get(labelOf(known)) ?? 0) >= MANY,
      isBulk,
      isNotice,
    };
    return { value: link.url, excluded, facts: all, score: score(rules, all), link };
  });
}

/** The link that the mail asks its reader to follow, or null. It is the magic link where there is one. */
export function actionLink(candidates: readonly ActionCandidate[]): ActionCandidate | null {
  const magic = candidates.find(({ facts }) => facts?.isMagic);
  if (magic !== undefined) return magic;
  const open = candidates.filter(({ excluded, score }) => excluded === null && score >= ACTION_THRESHOLD);
  const most = Math.max(...open.map(({ score }) => score));
  const best = open.filter(({ score }) => score === most);
  return best.length > MAX_EQUALS ? null : (best[0] ?? null);
}

/** Somebody sees it, it is whole, and it can be opened. */
function isFollowable({ url, hidden, isCut }: Link): boolean {
  return !hidden && !isCut && URL.canParse(url);
}

/** It belongs to what this mail is about, and is not what every mail of its sender carries. */
function isOfMatter(facts: Known | undefined): boolean {
  if (facts === undefined) return false;
  const { customary, address, link, denied, says, saysMatter } = facts;
  if (customary || link.footer || denied || says.has('leave')) return false;
  return says.has('action') || link.button || (!HOME.test(address.rest) && (saysMatter || !says.has('aside')));
}

/** It says that the mail went to a list: to unsubscribe, to set what comes, to see it in a browser. */
function isOfList(facts: LinkFacts | undefined): boolean {
  return facts !== undefined && (facts.says.has('footer') || (facts.says.has('leave') && facts.link.footer));
}

/** What links of a list share: "Invoice 1" and "Invoice 2" all but the number. `""` for a link without text. */
function labelOf(facts: Known | undefined): string {
  const linked = facts?.shown.find(({ isWritten }) => !isWritten);
  return linked === undefined ? '' : linked.label.replace(/[^\p{L}]+/gu, ' ').trim();
}

/** So many links of the same text are a list, of which none is before the others. */
const MANY = 3;

function counted(labels: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels) if (label !== '') counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** It stands behind a colon; an address on its own line also behind a sentence of action. */
function isLedTo({ before, isWritten, isFirst, lead }: Place): boolean {
  return /[:：]$/.test(before) || (isWritten && isFirst && lead.includes('action'));
}

/** Words stand before and behind it in its line. */
function isInSentence({ before, behind, isFirst }: Place): boolean {
  return !isFirst && /\p{L}/u.test(before) && /\p{L}/u.test(behind);
}

/** What a subject names: `order`, `rechnung`; null where it names nothing, or offers something for sale. */
function matterOf(subject: string): string | null {
  return SALE.test(subject) ? null : (THING.exec(subject)?.[0] ?? null);
}

/** Longer texts of links are titles and sentences. */
const MAX_OFFER_CHARS = 160;

/** It says to do something with a thing, or is the name of what the subject names. */
function offers(text: string, subject: string | null): boolean {
  if (text.length > MAX_OFFER_CHARS) return false;
  return handles(text, subject) || (subject !== null && THING.exec(text)?.[0] === subject && !ORDERING.test(text));
}

function handles(text: string, subject: string | null): boolean {
  return HANDLING.test(text) && (subject !== null || THING.test(text)) && !ORDERING.test(text);
}
