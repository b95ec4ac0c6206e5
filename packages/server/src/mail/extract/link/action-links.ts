import { type Candidate, exclusionOf, type Reason, type Rule, score } from '../score.js';
import type { Content } from '../text/passages.js';
import { ACTION_EXCLUSIONS, ACTION_THRESHOLD, type ActionFacts } from './action-rules.js';
import { type Address, addressOf } from './link-address.js';
import { isCustomary, isInSentence, isLedTo, type LinkFacts, linkFacts, ownRoles } from './link-facts.js';
import { labelOf, type MatterFacts, matterFacts, matterOf } from './link-matter.js';
import { ANY_ADDRESS, findLinks, type Link } from './links.js';

export interface ActionCandidate extends Candidate<ActionFacts> {
  readonly link: Link;
}

/** Several links of the same points are none that a reader is asked to follow; of two the first is. */
const MAX_EQUALS = 2;

/** Profiles and shops of applications, by the last labels of their hosts. */
const ELSEWHERE =
  /^https?:\/\/(?:[a-z0-9-]{1,63}\.){0,3}(?:facebook|fb|twitter|x|linkedin|instagram|youtube|tiktok|pinterest|threads|bsky|vk|weibo|whatsapp|t|discord|apps\.apple|itunes\.apple|play\.google|appgallery\.huawei)\.(?:com|net|me|gg|app|cn)(?:[/?#:]|$)/i;

interface Chosen {
  readonly magicLink: string | null;
  /** The code of the mail, also one with letters. */
  readonly code: string | null;
}

type Known = LinkFacts & MatterFacts;

interface Seen {
  readonly link: Link;
  readonly address: Address;
  readonly excluded: Reason | null;
  readonly isOfFooter: boolean;
  readonly isHome: boolean;
  readonly isElsewhere: boolean;
}

/** Every link that a reader can see, in order, with its points for being the one to follow. */
export function actionCandidates(
  content: Content,
  { magicLink, code }: Chosen,
  rules: readonly Rule<ActionFacts>[],
): ActionCandidate[] {
  const followable = findLinks(content, ANY_ADDRESS).filter((link) => link.url === magicLink || isFollowable(link));
  const seen = followable.map(look);
  const open = seen.filter(({ excluded }) => excluded === null);
  const subjectSaysAction = content.subject.says('action');
  const subjectMatter = matterOf(content.subject);
  const facts = new Map(
    open.map(({ link, address }) => {
      const place = { isOnly: open.length === 1, isFirst: false, isCrowded: false, subjectSaysAction, code };
      // What stands before an address that is written out somewhere is not said of it where its text says something
      // else.
      return [link, { ...linkFacts(link, address, place), ...matterFacts(link, subjectMatter), says: ownRoles(link) }];
    }),
  );
  const matter = open.filter((one) => isOfMatter(one, facts.get(one.link)));
  const isBulk =
    open.some((one) => isOfList(one, facts.get(one.link))) || seen.some(({ address }) => address.footer !== null);
  const isNotice = open.some(({ link }) => facts.get(link)?.denied);
  const labels = new Map<string, number>();
  for (const { link } of matter) labels.set(labelOf(link), (labels.get(labelOf(link)) ?? 0) + 1);
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
      isOneOfMany: isOneOfMany(link, labels),
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

/** So many links of the same text are a list, of which none is before the others. */
const MANY = 3;

/** `labels` says how many links have each. */
function isOneOfMany(link: Link, labels: ReadonlyMap<string, number>): boolean {
  const label = labelOf(link);
  return label !== '' && (labels.get(label) ?? 0) >= MANY;
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
function isOfMatter({ link, isOfFooter, isHome, isElsewhere }: Seen, facts: Known | undefined): boolean {
  if (facts === undefined || isOfFooter || isElsewhere || link.footer || facts.denied) return false;
  if (facts.says.has('action') || link.button) return !facts.says.has('leave');
  return !isHome && (facts.saysMatter || !facts.says.has('aside')) && !facts.says.has('leave');
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
