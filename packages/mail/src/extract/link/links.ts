import type { PageLink } from '../../html/html-page.js';
import { type Range, rangeAt } from '../text/lines.js';
import type { Content, Passage } from '../text/passages.js';
import { seenText } from '../text/seen.js';

export interface LinkOccurrence {
  readonly passage: Passage;
  /** The range of the link's text; for a plain-text address, of the address. */
  readonly at: Range;
  /** The text between the previous and the next link. */
  readonly between: Range;
  readonly isWritten: boolean;
  readonly title: string;
}

export interface Link {
  readonly url: string;
  readonly occurrences: LinkOccurrence[];
  /** At least one occurrence looks like a button. */
  button: boolean;
  /** All occurrences are in the footer. */
  footer: boolean;
  hidden: boolean;
  /** All occurrences are cut (see `TextUrl`). */
  isCut: boolean;
}

/** Characters that browsers remove from an address before parsing it (WHATWG URL, section 4.4). */
const LINE_BREAKS = /[\t\n\r]/g;

const WEB_ADDRESS = /^https?:\/\//i;

/** Schemes of scripts, of parts of the message, and of the local machine. */
const UNFOLLOWED = 'javascript|vbscript|data|blob|about|file|filesystem|view-source|cid|mid';
/** All addresses that readers can follow, including mail, telephone and application links. */
export const ANY_ADDRESS = new RegExp(
  `^(?:https?://|(?:mailto|tel):|(?!(?:https?|${UNFOLLOWED}):)[a-z][a-z0-9+.-]{1,63}:/)`,
  'i',
);

/** The links of a message that match `addresses`: first the links of the HTML in order, then plain-text links. */
export function findLinks(content: Content, addresses = WEB_ADDRESS): Link[] {
  const links = new Map<string, Link>();
  addPageLinks(links, content, addresses);
  for (const passage of content.passages) addWrittenLinks(links, passage, content.page, addresses);
  return [...links.values()];
}

function addPageLinks(links: Map<string, Link>, { page, passages }: Content, addresses: RegExp): void {
  const passage = passages.find(({ source }) => source === 'html');
  if (page === null || passage === undefined) return;
  for (const [i, { href, title, button, footer, hidden, ...at }] of page.links.entries()) {
    const url = addressOfAnchor(href);
    if (!addresses.test(url)) continue;
    const link = linkTo(links, url);
    link.occurrences.push({ passage, at, between: between(page.links, i, passage), isWritten: false, title });
    link.button ||= button;
    link.footer &&= footer;
    link.hidden &&= hidden;
    link.isCut = false;
  }
}

function addressOfAnchor(href: string): string {
  return /^[!-~]*$/.test(href) ? href : trimmed(seenText(href.replace(LINE_BREAKS, '')));
}

/** Matches the characters that remain when browsers trim an address (WHATWG URL, section 4.4). */
const KEPT = /[!-\u009f\u00a1-\uffff]/;

function trimmed(href: string): string {
  let end = href.length;
  while (end > 0 && !KEPT.test(href.charAt(end - 1))) end--;
  return href.slice(Math.max(0, href.search(KEPT)), end);
}

function addWrittenLinks(links: Map<string, Link>, passage: Passage, page: Content['page'], addresses: RegExp): void {
  const anchors = passage.source === 'html' && page !== null ? page.links : [];
  for (const [i, { url, isCut, ...at }] of passage.urls.entries()) {
    if (!addresses.test(url) || leadsElsewhere(anchors, at, url)) continue;
    const whole = isCut ? wholeOf(links, url) : undefined;
    const link = whole ?? linkTo(links, url);
    link.occurrences.push({ passage, at, between: between(passage.urls, i, passage), isWritten: true, title: '' });
    link.footer = false;
    link.hidden = false;
    link.isCut &&= isCut;
  }
}

/** Whether a URL is in the text of a link to another target, which a click would open instead. */
function leadsElsewhere(anchors: readonly PageLink[], at: Range, shown: string): boolean {
  const anchor = rangeAt(anchors, at.start);
  if (anchor === undefined || anchor.end < at.end) return false;
  const url = addressOfAnchor(anchor.href);
  return url !== shown && ANY_ADDRESS.test(url);
}

/** The complete link for an address that a line break cut. The HTML part may contain it. */
function wholeOf(links: ReadonlyMap<string, Link>, beginning: string): Link | undefined {
  for (const link of links.values()) if (!link.isCut && link.url.startsWith(beginning)) return link;
  return undefined;
}

function between(ranges: readonly Range[], index: number, { text }: Passage): Range {
  return { start: ranges[index - 1]?.end ?? 0, end: ranges[index + 1]?.start ?? text.length };
}

function linkTo(links: Map<string, Link>, url: string): Link {
  const link = links.get(url) ?? { url, occurrences: [], button: false, footer: true, hidden: true, isCut: true };
  links.set(url, link);
  return link;
}
