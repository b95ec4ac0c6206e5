import { MAX_HTML_CHARS, MAX_PAGE_LINKS } from '../html/read-page.js';
import type { Listed } from '../message-reading.js';
import { letterCandidates } from './code/code-candidates.js';
import { CODE_THRESHOLD } from './code/code-rules.js';
import { MAX_RUNS } from './code/letter-runs.js';
import { MAX_NUMBERS } from './code/numbers.js';
import { type Choice, choose } from './extraction.js';
import { type ActionCandidate, actionCandidates, actionLink } from './link/action-rules.js';
import type { Link } from './link/links.js';
import { type Candidate, eachOnce } from './score.js';
import { type Content, contentOf, type ExtractionInput, MAX_TEXT_CHARS, type Passage } from './text/passages.js';
import { MAX_URLS } from './text/urls.js';
import { findWords } from './words/lexicon.js';

const MAX_LISTED_LINKS = 500;
const MAX_LISTED_CODES = 20;

/** A code is listed if its score is at most this far below the best score. */
const MAX_BELOW_BEST = 5;

const MAX_LINK_TEXT_CHARS = 200;

export type ListedLink = ReturnType<typeof listedLink>;

export type ListedCode = ReturnType<typeof codesOf>['found'][number];

/** All links in order, and all codes, best first. Chooses the same code and magic link as `extract`. */
export function listCodesAndLinks(input: ExtractionInput) {
  const content = contentOf(input);
  const choice = choose(content);
  const { codes, link } = choice;
  const { letters, found } = codesOf(content, choice);
  const known = { magicLink: link?.value ?? null, code: found[0]?.value ?? null };
  const links = actionCandidates(content, known);
  const action = actionLink(links);
  const isRead = isReadWhole(input, content);
  return {
    links: listed(
      links.map((one) => listedLink(one, one === action)),
      MAX_LISTED_LINKS,
      isRead,
    ),
    codes: listed(found, MAX_LISTED_CODES, isRead && hasFewer(codes, MAX_NUMBERS) && hasFewer(letters, MAX_RUNS)),
  };
}

/** The candidates with letters, and all accepted codes, best first. */
export function codesOf(content: Content, { codes, code }: Choice) {
  const letters = letterCandidates(content);
  const considered = eachOnce<Candidate<unknown, Passage>>([...codes, ...letters]);
  const least = Math.max(CODE_THRESHOLD, (considered[0]?.score ?? 0) - MAX_BELOW_BEST);
  const found = considered
    .filter(({ value, score }) => score >= least || value === code?.value)
    .map(({ value, place, score, reasons }) => ({ value, place: place.source, score, reasons: reasons() }));
  return { letters, found };
}

function hasFewer(candidates: readonly Candidate<unknown, Passage>[], most: number): boolean {
  const counts = new Map<Passage, number>();
  for (const { place } of candidates) counts.set(place, (counts.get(place) ?? 0) + 1);
  return Math.max(0, ...counts.values()) < most;
}

function listed<T>(items: readonly T[], max: number, isRead: boolean): Listed<T> {
  return { items: items.slice(0, max), isWhole: isRead && items.length <= max };
}

function listedLink({ place: link, score, reasons }: ActionCandidate, action: boolean) {
  return {
    url: link.url,
    /** The link's visible text, or else its title, or else `""`. For a plain-text address, the address itself. */
    text: textOf(link),
    place: link.occurrences[0]?.passage.source ?? 'text',
    /** Whether this is the action link. */
    action,
    score,
    reasons: reasons(),
  };
}

/** Among several texts, prefers one that mentions an action, because a logo may link to the same address. */
function textOf({ url, occurrences }: Link): string {
  const texts = occurrences
    .filter(({ isWritten }) => !isWritten)
    .map(({ passage, at }) =>
      inOneLine(passage.written.slice(at.start, Math.min(at.end, at.start + MAX_LINK_TEXT_CHARS))),
    );
  const isOfAction = (text: string) => findWords({ lower: text.toLowerCase() }).some(({ role }) => role === 'action');
  const title = occurrences.find((one) => one.title !== '')?.title ?? '';
  const shown =
    texts.find(isOfAction) ?? texts.find((text) => text !== '') ?? inOneLine(title.slice(0, MAX_LINK_TEXT_CHARS));
  return shown !== '' || !occurrences.some(({ isWritten }) => isWritten) ? shown : url;
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Whether the search for codes and links reached no limit. */
function isReadWhole({ text, html }: ExtractionInput, { page, passages, isPageCut }: Content): boolean {
  if (text !== null && text.length > MAX_TEXT_CHARS) return false;
  if (typeof html === 'string' && html.length > MAX_HTML_CHARS) return false;
  if (isPageCut || (page !== null && page.links.length >= MAX_PAGE_LINKS)) return false;
  return passages.every(({ urls }) => urls.length < MAX_URLS);
}
