import type { Content, Passage } from './content.js';
import type { Role } from './lexicon.js';
import { lineAbove, lineAround } from './lines.js';
import { hasToken, keywordPlace, type Link, type LinkFacts, linkExclusion } from './link-facts.js';
import { LINK_RULES } from './link-rules.js';
import { type Candidate, score } from './score.js';

/** A link of a message that may be its magic link. */
export interface LinkCandidate extends Candidate<LinkFacts> {
  readonly link: Link;
}

/** Link texts are read up to here. */
const MAX_LABEL_CHARS = 200;
/** Words around a written-out address are looked for so far. */
const AROUND_CHARS = 80;

const WEB_ADDRESS = /^https?:\/\//i;

/** The web links of a message, in the order in which they occur: those of the HTML part first. */
export function linkCandidates(content: Content): LinkCandidate[] {
  const links = [...collectLinks(content).values()];
  let first = true;
  return links.map((link) => {
    const excluded = linkExclusion(link.url);
    if (excluded !== null) return { value: link.url, excluded, facts: null, score: 0, link };
    const facts = { only: links.length === 1, first, keyword: keywordPlace(link.url), token: hasToken(link.url), link };
    first = false;
    return { value: link.url, excluded, facts, score: score(LINK_RULES, facts), link };
  });
}

function collectLinks(content: Content): Map<string, Link> {
  const links = new Map<string, Link>();
  const html = content.passages.find(({ source }) => source === 'html');
  if (html !== undefined) addHtmlLinks(links, content, html);
  for (const passage of content.passages) addWrittenLinks(links, passage);
  return links;
}

function occurrence(links: Map<string, Link>, url: string, label: string): Link {
  const known = links.get(url);
  if (known !== undefined) {
    known.occurrences++;
    return known;
  }
  const link: Link = {
    url,
    label,
    says: new Set(),
    around: new Set(),
    button: false,
    footer: true,
    hidden: true,
    occurrences: 1,
  };
  links.set(url, link);
  return link;
}

function addHtmlLinks(links: Map<string, Link>, content: Content, html: Passage): void {
  for (const { href, start, end, title, button, footer, hidden } of content.page?.links ?? []) {
    const url = href.trim();
    if (!WEB_ADDRESS.test(url)) continue;
    const to = Math.min(end, start + MAX_LABEL_CHARS);
    const link = occurrence(links, url, html.text.slice(start, to).trim() || title);
    addRoles(link.says, html, start, to);
    link.button ||= button;
    link.footer &&= footer;
    link.hidden &&= hidden;
  }
}

function addWrittenLinks(links: Map<string, Link>, passage: Passage): void {
  for (const { url, start, end } of passage.urls) {
    const line = lineAround(passage.text, { start, end });
    const from = Math.max(line.start, start - AROUND_CHARS);
    const to = Math.min(line.end, end + AROUND_CHARS);
    const link = occurrence(links, url, passage.text.slice(from, start).trim());
    link.footer = false;
    link.hidden = false;
    addRoles(link.around, passage, from, to);
    // Alone in its line, an address is spoken of in the line above.
    const isAlone = passage.text.slice(from, start).trim() === '';
    const above = isAlone ? lineAbove(passage.text, line) : null;
    if (above !== null) addRoles(link.around, passage, above.start, above.end);
  }
}

function addRoles(roles: Set<Role>, passage: Passage, start: number, end: number): void {
  for (const word of passage.wordsIn(start, end)) roles.add(word.role);
}
