import { type Candidate, exclusionOf, type Reason, type RuleSet, score } from '../score.js';
import type { Content } from '../text/passages.js';
import { type Address, addressOf, holdsWord } from './link-address.js';
import { type LinkFacts, linkFacts } from './link-facts.js';
import { findLinks, type Link } from './links.js';

export interface LinkCandidate extends Candidate<LinkFacts> {
  readonly link: Link;
}

export type LinkRules = RuleSet<Address, LinkFacts>;

/** If this many links contain one of the interface's words, the word says nothing about a link. */
const CROWD = 4;

/** An address without any of the interface's words is never the magic link. */
const NO_WORD: Reason = {
  rule: 'no-word',
  points: 0,
  text: 'it contains none of the words verify, confirm, reset, token, activate, auth',
};

/** The web links of a message, in the order in which they occur: those of the HTML part first. */
export function linkCandidates(content: Content, code: string | null, rules: LinkRules): LinkCandidate[] {
  const links = findLinks(content).map((link) => considered(link, rules));
  const open = links.filter(({ excluded }) => excluded === null);
  const isOnly = links.length === 1;
  const isCrowded = open.length >= CROWD;
  const subjectSaysAction = open.length > 0 && content.subject.says('action');
  return links.map(({ link, address, excluded }) => {
    if (address === null || excluded !== null) return { value: link.url, excluded, facts: null, score: 0, link };
    const isFirst = open[0]?.link === link;
    const facts = linkFacts(link, address, { isOnly, isFirst, isCrowded, subjectSaysAction, code });
    return { value: link.url, excluded, facts, score: score(rules.points, facts), link };
  });
}

interface Considered {
  readonly link: Link;
  readonly address: Address | null;
  readonly excluded: Reason | null;
}

function considered(link: Link, { exclusions }: LinkRules): Considered {
  if (!holdsWord(link.url)) return { link, address: null, excluded: NO_WORD };
  const address = addressOf(link.url, link.isCut);
  return { link, address, excluded: exclusionOf(exclusions, address) };
}
