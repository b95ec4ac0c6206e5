import type { Content } from './content.js';
import { hasKeyword, type Link, linkFacts } from './link-facts.js';
import { LINK_RULES, LINK_THRESHOLD } from './link-rules.js';
import { type Reason, score } from './score.js';
import { findUrls } from './urls.js';

/** A link that could be the magic link, with its points. */
export interface LinkCandidate {
  readonly url: string;
  readonly text: string;
  readonly score: number;
  readonly reasons: readonly Reason[];
}

/** A link's text is looked at up to here. */
const MAX_LABEL_CHARS = 200;

const WEB_ADDRESS = /^https?:\/\//i;

/** The web links of a message by address, in the order in which they occur first. */
function linksOf(content: Content): Map<string, Link> {
  const links = new Map<string, Link>();
  const add = (url: string, seen: Omit<Link, 'url' | 'occurrences'>) => {
    const known = links.get(url);
    if (known === undefined) {
      links.set(url, { url, ...seen, occurrences: 1 });
      return;
    }
    known.occurrences++;
    known.label = `${known.label} ${seen.label}`.slice(0, MAX_LABEL_CHARS);
    known.button ||= seen.button;
    known.footer &&= seen.footer;
    known.hidden &&= seen.hidden;
  };
  const html = content.passages.find((passage) => passage.source === 'html');
  for (const link of content.page?.links ?? []) {
    const href = link.href.trim();
    if (!WEB_ADDRESS.test(href)) continue;
    const label = `${(html?.lower ?? '').slice(link.start, Math.min(link.end, link.start + MAX_LABEL_CHARS))} ${link.title.toLowerCase()}`;
    add(href, { label, button: link.button, footer: link.footer, hidden: link.hidden });
  }
  for (const passage of content.passages) {
    for (const { url, start } of findUrls(passage.text)) {
      const lineStart = passage.lower.lastIndexOf('\n', start) + 1;
      add(url, {
        label: passage.lower.slice(Math.max(lineStart, start - 60), start),
        button: false,
        footer: false,
        hidden: false,
      });
    }
  }
  return links;
}

/** The links of a message that hold one of the interface's words (spec.md section 2.1), in order. */
export function linkCandidates(content: Content, explained: { readonly reasons: boolean }): LinkCandidate[] {
  const links = linksOf(content);
  let first = true;
  const candidates: LinkCandidate[] = [];
  for (const link of links.values()) {
    if (!hasKeyword(link.url)) continue;
    const reasons: Reason[] = [];
    const facts = linkFacts(link, { links: links.size, first });
    first = false;
    const points = score(LINK_RULES, facts, explained.reasons ? reasons : undefined);
    candidates.push({ url: link.url, text: link.label.trim(), score: points, reasons });
  }
  return candidates;
}

/** The candidate with the most points, the first of several, if it has enough. */
export function chooseLink(candidates: readonly LinkCandidate[]): LinkCandidate | null {
  let best: LinkCandidate | null = null;
  for (const candidate of candidates) {
    if (candidate.score >= LINK_THRESHOLD && (best === null || candidate.score > best.score)) best = candidate;
  }
  return best;
}
