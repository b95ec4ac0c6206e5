import { MAX_SHOWN_TEXT } from '../wait/bounds.js';
import { MayflyError } from '../wait/errors.js';

/** How a scanner opens links: with HEAD, with GET, or in a browser. */
export type ScanLevel = 'head' | 'get' | 'browser';

/** A cookie that an answer set. */
export interface LinkCookie {
  readonly name: string;
  readonly value: string;
  readonly httpOnly: boolean;
}

/** The answer to one request. */
export interface LinkAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Where it redirects to, as an absolute address; null if it does not. */
  readonly location: string | null;
  /** The cookies that it set, at most 50, without those that it deleted. */
  readonly cookies: readonly LinkCookie[];
}

/** One opening of a link, with the redirects that followed. */
export interface LinkVisit {
  /** The `User-Agent` of its requests, `""` if blank; `a browser` in a browser. */
  readonly agent: string;
  /** In order. Empty if nothing answered. In a browser, at most 50, of the page and without their cookies. */
  readonly answers: readonly LinkAnswer[];
  /** The cookies that all answers set; in a browser, those that it has at the end for the pages that it opened. */
  readonly cookies: readonly LinkCookie[];
  /** Why it ended before a page; null if it did not. */
  readonly error: string | null;
  /** The redirect target that could not be reached, which ended the visit; null if each could. */
  readonly unreached: string | null;
  /** The visible text of the first 64 KiB of the last page; `""` if it has none. */
  readonly text: string;
}

/** A link and what its visits got. */
export interface ScannedLink {
  readonly url: string;
  /** Its visible text. */
  readonly text: string;
  /** Whether the email asks its reader to follow this link. */
  readonly action: boolean;
  readonly visits: readonly LinkVisit[];
  /** What is wrong with it, a sentence each. */
  readonly problems: readonly string[];
  /** What the scan could not see of it, a sentence each. */
  readonly notes: readonly string[];
}

/** What a scan found. */
export interface LinkScan {
  readonly as: ScanLevel;
  /** The links that were opened, in the order of the email. */
  readonly links: readonly ScannedLink[];
  /** The other links, and why each was left out. */
  readonly skipped: readonly { readonly url: string; readonly reason: string }[];
  /** The problems of all links. */
  readonly problems: readonly string[];
  /** The notes on all links. */
  readonly notes: readonly string[];
}

/** A link does not survive a link scanner. The message lists the problems. */
export class MayflyScanError extends MayflyError<{ scan: LinkScan }> {
  override name = 'MayflyScanError';
  declare readonly scan: LinkScan;
}

/** A link was not followed to its end. The message says why. */
export class MayflyLinkError extends MayflyError<{ answers: readonly LinkAnswer[] }> {
  override name = 'MayflyLinkError';
  /** The answers until then. */
  declare readonly answers: readonly LinkAnswer[];
}

/** An address as messages show it: queries and fragments often carry the secret. */
export function shownUrl(address: string): string {
  const hidden = (text: string) => text.replace(/#.*/s, '#…').replace(/\?[^#]*/, '?…');
  if (!URL.canParse(address)) return `"${hidden(address).slice(0, MAX_SHOWN_TEXT)}"`;
  const { protocol, host, pathname, search, hash } = new URL(address);
  return host ? `${protocol}//${host}${pathname}${hidden(search + hash)}` : `an address with "${protocol}"`;
}

/** What a program or a page says of its failure, without the secrets that its addresses may carry. */
export function withoutSecrets(message: string): string {
  return message.replace(/https?:[^\s"'<>]+/gi, shownUrl);
}
