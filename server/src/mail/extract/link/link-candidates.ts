import { type Candidate, score } from '../score.js';
import type { Content } from '../text/passages.js';
import { linkExclusion } from './link-address.js';
import { type LinkFacts, linkFacts } from './link-facts.js';
import { LINK_RULES } from './link-rules.js';
import { findLinks, type Link } from './links.js';

/** A link of a message that may be its magic link. */
export interface LinkCandidate extends Candidate<LinkFacts> {
  readonly link: Link;
}

/** From so many links with one of the interface's words on, the word says nothing of a link. */
const CROWD = 4;

/** The web links of a message, in the order in which they occur: those of the HTML part first. */
export function linkCandidates(content: Content): LinkCandidate[] {
  const links = findLinks(content).map((link) => ({ link, excluded: linkExclusion(link.url) }));
  const open = links.filter(({ excluded }) => excluded === null);
  const isOnly = links.length === 1;
  const isCrowded = open.length >= CROWD;
  const subjectSaysAction = content.subject.says('action');
  return links.map(({ link, excluded }) => {
    const isFirst = open[0]?.link === link;
    const facts = excluded === null ? linkFacts(link, { isOnly, isFirst, isCrowded, subjectSaysAction }) : null;
    return { value: link.url, excluded, facts, score: facts === null ? 0 : score(LINK_RULES, facts), link };
  });
}
