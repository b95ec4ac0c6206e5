import type { Content } from './content.js';
import { type LinkFacts, linkExclusion, linkFacts } from './link-facts.js';
import { LINK_RULES } from './link-rules.js';
import { findLinks, type Link } from './links.js';
import { type Candidate, score } from './score.js';

/** A link of a message that may be its magic link. */
export interface LinkCandidate extends Candidate<LinkFacts> {
  readonly link: Link;
}

/** The web links of a message, in the order in which they occur: those of the HTML part first. */
export function linkCandidates(content: Content): LinkCandidate[] {
  const links = findLinks(content);
  const isOnly = links.length === 1;
  let isFirst = true;
  return links.map((link) => {
    const excluded = linkExclusion(link.url);
    if (excluded !== null) return { value: link.url, excluded, facts: null, score: 0, link };
    const facts = linkFacts(link, { isOnly, isFirst });
    isFirst = false;
    return { value: link.url, excluded, facts, score: score(LINK_RULES, facts), link };
  });
}
