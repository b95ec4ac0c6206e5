import { findWords } from './lexicon.js';

/** Every way in which one address occurs in a message, put together. */
export interface Link {
  readonly url: string;
  /** What its occurrences say: link texts, titles, the words before an address that is shown. */
  label: string;
  button: boolean;
  footer: boolean;
  hidden: boolean;
  occurrences: number;
}

/** What is known of a link that holds one of the interface's words. */
export interface LinkFacts {
  readonly only: boolean;
  readonly keyword: 'own' | 'part' | 'accident';
  readonly token: boolean;
  readonly action: boolean;
  readonly aside: boolean;
  readonly asideAddress: boolean;
  readonly button: boolean;
  readonly repeated: boolean;
  readonly first: boolean;
  readonly footer: boolean;
  readonly hidden: boolean;
  readonly file: boolean;
}

const KEYWORD = /verify|confirm|reset|token|activate|auth/i;

/** Whether an address is a candidate at all (spec.md section 2.1). */
export function hasKeyword(url: string): boolean {
  return KEYWORD.test(url);
}

const OWN = /(?<![a-z])(?:verify|confirm|reset|token|activate|auth)(?![a-z])/i;
const ACCIDENT = /author(?!i[sz])/gi;
const ASIDE_ADDRESS =
  /unsubscri|opt-?out|preferences|(?<![a-z])(?:prefs|settings|help|faq|support|privacy|terms|blog|docs|view-?in-?browser|view-?online|browser|webversion|cancel|deny|revoke|report)(?![a-z])/i;
const FILE = /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|woff2?)(?:[?#]|$)/i;

/** A part of an address that nobody thought of: 16 characters or more with digits, or 24 of both cases. */
const TOKEN = /(?=[a-z0-9_.~+-]{0,40}\d)[a-z0-9_.~+-]{16,}|(?:[=/])[A-Za-z0-9_-]{24,}/i;

function afterHost(url: string): string {
  const slash = url.indexOf('/', 8);
  return slash < 0 ? '' : url.slice(slash);
}

function keywordKind(url: string): LinkFacts['keyword'] {
  const path = afterHost(url);
  if (OWN.test(path)) return 'own';
  return KEYWORD.test(path.replace(ACCIDENT, '')) ? 'part' : 'accident';
}

/** Everything the rules ask about one link. */
export function linkFacts(link: Link, message: { readonly links: number; readonly first: boolean }): LinkFacts {
  const words = findWords(link.label, 0, link.label.length);
  const path = afterHost(link.url).slice(0, 1_000);
  return {
    only: message.links === 1,
    keyword: keywordKind(link.url),
    token: TOKEN.test(path),
    action: words.some((word) => word.role === 'action'),
    aside: words.some((word) => word.role === 'aside'),
    asideAddress: ASIDE_ADDRESS.test(path.split('?', 1)[0] as string),
    button: link.button,
    repeated: link.occurrences > 1,
    first: message.first,
    footer: link.footer,
    hidden: link.hidden,
    file: FILE.test(path),
  };
}
