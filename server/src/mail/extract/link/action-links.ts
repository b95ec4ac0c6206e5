import { type Candidate, exclusionOf, type Reason, type Rule, score } from '../score.js';
import type { Content } from '../text/passages.js';
import { ACTION_EXCLUSIONS, ACTION_THRESHOLD, type ActionFacts } from './action-rules.js';
import { type Address, addressOf } from './link-address.js';
import { isCustomary, isInSentence, isLedTo, type LinkFacts, linkFacts, ownRoles } from './link-facts.js';
import { ANY_ADDRESS, findLinks, type Link } from './links.js';

/** A link of a message that may be the one that its reader is asked to follow. */
export interface ActionCandidate extends Candidate<ActionFacts> {
  readonly link: Link;
}

/** Several links of the same points are none that a reader is asked to follow; of two the first is. */
const MAX_EQUALS = 2;

/** Profiles and shops of applications, by the last labels of their hosts. */
const ELSEWHERE =
  /^https?:\/\/(?:[a-z0-9-]{1,63}\.){0,3}(?:facebook|fb|twitter|x|linkedin|instagram|youtube|tiktok|pinterest|threads|bsky|vk|weibo|whatsapp|t|discord|apps\.apple|itunes\.apple|play\.google|appgallery\.huawei)\.(?:com|net|me|gg|app|cn)(?:[/?#:]|$)/i;

/** What extraction found before. */
interface Chosen {
  /** Null where the message has none. */
  readonly magicLink: string | null;
  /** The message has a code, of digits or with letters. */
  readonly hasCode: boolean;
}

/** What is known of a link without knowing the others. */
interface Seen {
  readonly link: Link;
  readonly address: Address;
  readonly excluded: Reason | null;
  readonly isOfFooter: boolean;
  readonly isHome: boolean;
  readonly isElsewhere: boolean;
}

/**
 * Every link of a message that its reader can see, in the order in which they occur, with its points for being the one that the mail
 * asks its reader to follow.
 */
export function actionCandidates(
  content: Content,
  { magicLink, hasCode }: Chosen,
  rules: readonly Rule<ActionFacts>[],
): ActionCandidate[] {
  const followable = findLinks(content, ANY_ADDRESS).filter((link) => link.url === magicLink || isFollowable(link));
  const seen = followable.map(look);
  const open = seen.filter(({ excluded }) => excluded === null);
  const subjectSaysAction = content.subject.says('action');
  const facts = new Map(
    open.map(({ link, address }) => {
      const place = { isOnly: open.length === 1, isFirst: false, isCrowded: false, subjectSaysAction, hasCode };
      // What stands before an address that is written out somewhere is not said of it where its text says something else.
      return [link, { ...linkFacts(link, address, place), says: ownRoles(link) }];
    }),
  );
  const matter = open.filter((one) => isOfMatter(one, facts.get(one.link)));
  const isBulk =
    open.some((one) => isOfList(one, facts.get(one.link))) || seen.some(({ address }) => address.footer !== null);
  const isNotice = open.some(({ link }) => facts.get(link)?.denied);
  const buttons = matter.filter(({ link }) => link.button);
  return seen.map((one) => {
    const { link, excluded } = one;
    const known = facts.get(link);
    if (known === undefined) return { value: link.url, excluded, facts: null, score: 0, link };
    const all = {
      ...known,
      ...one,
      isMagic: link.url === magicLink,
      isFirst: matter[0]?.link === link,
      isOnlyMatter: matter.length === 1 && matter[0]?.link === link,
      isOnlyButton: buttons.length === 1 && buttons[0]?.link === link,
      ledTo: isLedTo(link),
      isWrittenToo: isWrittenToo(link),
      isInSentence: link.occurrences.every(isInSentence),
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

function look(link: Link): Seen {
  const address = addressOf(link.url, link.isCut);
  return {
    link,
    address,
    excluded: exclusionOf(ACTION_EXCLUSIONS, address),
    isOfFooter: link.occurrences.some(isCustomary),
    isHome: /^\/?(?:\?[^#]*)?$/.test(address.rest),
    isElsewhere: ELSEWHERE.test(address.meant),
  };
}

/** It belongs to what this mail is about, and is not what every mail of its sender carries. */
function isOfMatter({ link, isOfFooter, isHome, isElsewhere }: Seen, facts: LinkFacts | undefined): boolean {
  if (facts === undefined || isOfFooter || isElsewhere || link.footer || facts.denied) return false;
  if (facts.says.has('action') || link.button) return !facts.says.has('leave');
  return !isHome && !facts.says.has('aside') && !facts.says.has('leave');
}

/** It says that the mail went to a list: to unsubscribe, to set what comes, to see it in a browser. */
function isOfList({ link }: Seen, facts: LinkFacts | undefined): boolean {
  return facts !== undefined && (facts.says.has('footer') || (facts.says.has('leave') && link.footer));
}

/** In the same text it is a link and written out. */
function isWrittenToo({ occurrences }: Link): boolean {
  const linked = new Set(occurrences.filter(({ isWritten }) => !isWritten).map(({ passage }) => passage));
  return occurrences.some(({ isWritten, passage }) => isWritten && linked.has(passage));
}
