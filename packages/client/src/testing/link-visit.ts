import type { EmailLink } from 'mayfly-protocol/wire';
import {
  ANSWER_TIMEOUT_MS,
  MAX_COOKIES,
  MAX_PAGE_BYTES,
  MAX_REDIRECTS,
  MAX_SHOWN_TEXT,
  STANDARD_TIMEOUT_MS,
} from '../wait/bounds.js';
import { Deadline } from '../wait/deadline.js';
import { MayflyError, MayflyOptionError } from '../wait/errors.js';
import { basicAuth, beginningOf, REDIRECTS, withoutCredentials } from '../wait/http.js';
import { aListOfTexts, aTime, checkOptions, rule } from '../wait/settings.js';
import { oneFetch, reasonOf } from '../wait/transport.js';

export type ScanLevel = 'head' | 'get' | 'browser';

export interface LinkCookie {
  readonly name: string;
  readonly value: string;
  readonly httpOnly: boolean;
}

export interface LinkAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** The absolute address to which this response redirects; null for other responses. */
  readonly location: string | null;
  /** Cookies set by this response, at most 50, without deleted ones. */
  readonly cookies: readonly LinkCookie[];
}

/** One visit of a link, including redirects. */
export interface LinkVisit {
  /** The `User-Agent` of the visit's requests (`""` if blank), or `a browser` for a visit with a browser. */
  readonly agent: string;
  /** Responses in order; empty if nothing answered. In a browser: at most 50, without subresources and cookies. */
  readonly answers: readonly LinkAnswer[];
  /** The cookies of all responses. In a browser: the cookies that the opened pages have at the end. */
  readonly cookies: readonly LinkCookie[];
  /** Why the visit ended before it reached a page; null if it reached a page. */
  readonly error: string | null;
  /** The redirect target that could not be reached, which ended the visit; null if all targets were reached. */
  readonly unreached: string | null;
  /** The visible text of the first 64 KiB of the last page; `""` if it has none. */
  readonly text: string;
}

export interface ScannedLink extends Pick<EmailLink, 'url' | 'text' | 'action'> {
  readonly visits: readonly LinkVisit[];
  /** The link's problems, one sentence each. */
  readonly problems: readonly string[];
  /** What the scan could not check, one sentence each. */
  readonly notes: readonly string[];
}

export interface LinkScan {
  readonly as: ScanLevel;
  /** The links that were opened, in the order of the email. */
  readonly links: readonly ScannedLink[];
  /** Links that were not opened, with the reason. */
  readonly skipped: readonly { readonly url: string; readonly reason: string }[];
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** A link does not survive a link scanner. The message lists the problems. */
export class MayflyScanError extends MayflyError<{ scan: LinkScan }> {
  override name = 'MayflyScanError';
  declare readonly scan: LinkScan;
}

/** Following a link failed. The message says why. */
export class MayflyLinkError extends MayflyError<{ answers: readonly LinkAnswer[] }> {
  override name = 'MayflyLinkError';
  declare readonly answers: readonly LinkAnswer[];
}

/** Shortens a URL for error messages: omits its query and fragment, which often contain the secret. */
export function shownUrl(address: string): string {
  const hidden = (text: string) => text.replace(/#.*/s, '#…').replace(/\?[^#]*/, '?…');
  if (!URL.canParse(address)) return `"${hidden(address).slice(0, MAX_SHOWN_TEXT)}"`;
  const { protocol, host, pathname, search, hash } = new URL(address);
  return host ? `${protocol}//${host}${pathname}${hidden(search + hash)}` : `a URL of the scheme "${protocol}"`;
}

/** An error message of a program or page, without the secrets in its addresses. */
export function withoutSecrets(message: string): string {
  return message.replace(/https?:[^\s"'<>]+/gi, shownUrl);
}

interface VisitPlan {
  readonly method: 'HEAD' | 'GET';
  readonly agent: string;
  readonly signal: AbortSignal;
  /** Why a redirect must not be followed, phrased to fit after "redirects to … :"; null if following is allowed. */
  readonly refusal?: (from: URL, to: URL) => string | null;
}

/** Whether an address is http(s). Emails may contain any scheme, and redirects may lead to `file:` or `javascript:`. */
export function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** Throws on a platform that hides redirects and cookies. */
export function checkPlatform(call: string): void {
  if (globalThis.process?.versions?.node !== undefined) return;
  throw new MayflyError(
    `${call} runs in Node only: browsers hide redirects and cookies of other sites. In Cypress, call it in a task.`,
  );
}

const tooLate = (scan: AbortSignal) =>
  scan.aborted ? 'the time ran out' : `no complete answer in ${ANSWER_TIMEOUT_MS / 1000} s`;

/** Opens a link without cookies and follows its redirects. Never rejects: failures are returned as `error`. */
export async function visit(address: string, plan: VisitPlan): Promise<LinkVisit> {
  const answers: LinkAnswer[] = [];
  let next: string | null = address;
  let text = '';
  let error: string | null = null;
  let unreached: string | null = null;
  while (next !== null && error === null) {
    const time = new Deadline(ANSWER_TIMEOUT_MS, plan.signal);
    const isRedirected = answers.length > 0;
    try {
      const response = await request(next, plan, time.signal);
      const answer: LinkAnswer = answerOf(response, next, plan.method);
      answers.push(answer);
      next = answer.location;
      error = next === null ? null : refused(answer, next, answers.length, plan);
      if (next !== null) continue;
      const page = await beginningOf(response, MAX_PAGE_BYTES);
      if (page.failure) throw page.failure;
      text = visibleText(page.text);
    } catch (cause) {
      error = time.signal.aborted ? tooLate(plan.signal) : withoutSecrets(reasonOf(cause));
      // `next` is null if the page was reached and only its body broke off. `unreached` then stays null.
      if (isRedirected && !plan.signal.aborted) unreached = next;
    } finally {
      time.end();
    }
  }
  const cookies = answers.flatMap((answer) => answer.cookies);
  return { agent: plan.agent, answers, cookies, error, unreached, text };
}

function request(address: string, { method, agent }: VisitPlan, signal: AbortSignal): Promise<Response> {
  const headers = { 'user-agent': agent, accept: 'text/html,*/*;q=0.8', ...basicAuth(new URL(address)) };
  return oneFetch(withoutCredentials(address), { method, headers, redirect: 'manual', credentials: 'omit' }, signal);
}

function answerOf({ status, headers }: Response, url: string, method: string): LinkAnswer {
  const cookies = headers
    .getSetCookie()
    .slice(0, MAX_COOKIES)
    .flatMap((line) => cookieOf(line) ?? []);
  const location = headers.get('location');
  return linkAnswer({ method, url, status, cookies }, location && decoded(location));
}

/** Decodes the bytes of a Location, one per character in `Headers`, as browsers do: UTF-8, or else percent-encoded. */
function decoded(location: string): string {
  try {
    const bytes = Uint8Array.from(location, (letter) => letter.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return location.replace(/[^\0-\x7f]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  }
}

export function linkAnswer(answer: Omit<LinkAnswer, 'location'>, target: string | null | undefined): LinkAnswer {
  return { ...answer, location: target && REDIRECTS.has(answer.status) ? resolved(target, answer.url) : null };
}

/** A redirect inherits the fragment of the address before it (RFC 9110 section 10.2.2). */
function resolved(target: string, base: string): string {
  if (!URL.canParse(target, base)) return target;
  const url = new URL(target, base);
  url.hash ||= new URL(base).hash;
  return url.href;
}

function refused({ method, url, status }: LinkAnswer, to: string, count: number, plan: VisitPlan): string | null {
  const told = `${method} ${shownUrl(url)} answered ${status} and redirects to ${shownUrl(to)}`;
  if (!isWebAddress(to)) return `${told}, which is not an http or https address`;
  if (count > MAX_REDIRECTS) return `${told}, after ${MAX_REDIRECTS} redirects`;
  const why = plan.refusal?.(new URL(url), new URL(to)) ?? null;
  return why === null ? null : `${told}: ${why}`;
}

/** Parses a Set-Cookie line. Null if the line deletes its cookie or has no name (RFC 6265 sections 5.2 and 5.3). */
function cookieOf(line: string): LinkCookie | null {
  const [pair = '', ...attributes] = line.split(';');
  const [name, value] = nameAndValue(pair);
  const known = new Map(attributes.map((one) => nameAndValue(one.replace(/^[^=]*/, (key) => key.toLowerCase()))));
  if (isOver(known) || name === '' || !pair.includes('=')) return null;
  return { name, value, httpOnly: known.has('httponly') };
}

function nameAndValue(pair: string): [name: string, value: string] {
  const [name = '', ...value] = pair.split('=');
  return [name.trim(), value.join('=').trim()];
}

/** Whether a cookie is deleted. Like browsers, ignores a Max-Age that is no number, and an Expires without a month. */
function isOver(attributes: ReadonlyMap<string, string>): boolean {
  const age = attributes.get('max-age') ?? '';
  if (/^-?\d+$/.test(age)) return Number(age) <= 0;
  const expires = attributes.get('expires') ?? '';
  return /[a-z]{3}/i.test(expires) && Date.parse(expires) <= Date.now();
}

export interface FollowLinkOptions {
  /** Hosts that redirects may lead to, besides the link's own, such as `app.example` or `127.0.0.1:3000`. */
  readonly hosts?: readonly string[] | undefined;
  /** Maximum time in milliseconds; 20 s by default. */
  readonly timeout?: number | undefined;
}

/** The end of a followed link: the last address, status and page, and every response. */
export interface FollowedLink extends Pick<LinkVisit, 'answers' | 'cookies' | 'text'> {
  readonly url: string;
  readonly status: number;
}

const isHost = (host: string) => /^[^/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`);
const hostNames = rule("an array of hosts, such as 'app.example' or '127.0.0.1:3000'", (value) => {
  return aListOfTexts.allows(value) && (value as string[]).every(isHost);
});

/** Compares hosts as `URL` writes them: in lower case and ASCII, without the scheme's default port. */
const isSameHost = (host: string, { protocol, host: actual }: URL) => new URL(`${protocol}//${host}`).host === actual;

/**
 * Opens a link and follows its redirects, with GET and without cookies: only to http and https, never from https to
 * http, and only to the link's own host or one of `hosts`. Node only. Resolves even if the last status is an error.
 * Rejects with `MayflyLinkError` for any other redirect, and if no complete answer arrives.
 */
export async function followLink(link: string, options: FollowLinkOptions = {}): Promise<FollowedLink> {
  checkOptions('followLink', options, { hosts: hostNames, timeout: aTime });
  checkPlatform('followLink');
  if (typeof link !== 'string' || !isWebAddress(link)) {
    throw new MayflyOptionError('followLink: the link must be an http or https address.');
  }
  const { hosts = [], timeout = STANDARD_TIMEOUT_MS } = options;
  const isAllowed = (to: URL) => to.host === new URL(link).host || hosts.some((host) => isSameHost(host, to));
  const refusal = (from: URL, to: URL) => {
    if (from.protocol === 'https:' && to.protocol === 'http:') return 'http would expose the secret in the link.';
    return isAllowed(to) ? null : `that is another host. To allow it, set hosts: ['${to.host}'].`;
  };
  const time = new Deadline(timeout);
  const plan = { method: 'GET', agent: 'mayfly-client', signal: time.signal, refusal } as const;
  const { answers, cookies, error, text } = await visit(link, plan);
  time.end();
  const last = answers.at(-1);
  if (error !== null || last === undefined) {
    throw new MayflyLinkError(`followLink: ${shownUrl(link)} was not followed to its end: ${error}`, { answers });
  }
  return { url: last.url, status: last.status, answers, cookies, text };
}

const UNSEEN = ['script', 'style', 'template', 'title', 'noscript'];
const REFERENCES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text between a page's tags, with single spaces. Takes linear time, because no tag is read twice. */
export function visibleText(page: string): string {
  // toLowerCase() turns "İ" into two letters, which would shift positions.
  const lower = page.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const texts: string[] = [];
  for (let at = 0; at >= 0; ) {
    const open = lower.indexOf('<', at);
    texts.push(page.slice(at, open < 0 ? undefined : open));
    at = open < 0 ? -1 : endOfTag(lower, open);
  }
  return unescaped(texts.join(' ')).replace(/\s+/g, ' ').trim();
}

/** The position after a tag, a comment or an invisible element; -1 if no text follows. */
function endOfTag(lower: string, open: number): number {
  if (lower.startsWith('<!--', open)) return after(lower, '-->', open + 2);
  const unseen = UNSEEN.find((name) => lower.startsWith(name, open + 1));
  const last = unseen === undefined ? open : lower.indexOf(`</${unseen}`, open);
  return last === -1 ? -1 : after(lower, '>', last);
}

function after(text: string, sought: string, from: number): number {
  const at = text.indexOf(sought, from);
  return at === -1 ? -1 : at + sought.length;
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return REFERENCES[name] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
