import type { EmailLink, HeaderField } from 'mayfly-protocol/wire';
import { MAX_NAMED, MAX_SCANNED_LINKS } from '../wait/bounds.js';
import { isAbout } from '../wait/contents.js';
import { Deadline } from '../wait/deadline.js';
import type { ReceivedEmail } from '../wait/email.js';
import { MayflyError, MayflyOptionError } from '../wait/errors.js';
import type { Inbox } from '../wait/inbox.js';
import { aFunction, aListOfTexts, aPattern, aText, aTime, checkOptions, rule } from '../wait/settings.js';
import type { Pattern } from '../wait/text.js';
import { browserVisit, type ScanBrowser } from './link-browser.js';
import { notesOn, problemsOf } from './link-problems.js';
import type { LinkScan, LinkVisit, ScanLevel, ScannedLink } from './link-visit.js';
import { checkPlatform, isWebAddress, MayflyScanError, shownUrl, visit } from './link-visit.js';

const STANDARD_SCAN_MS = 60_000;
const LINKS_AT_ONCE = 4;

export interface ScanLinksOptions {
  /** How links are opened, `get` by default. */
  readonly as?: ScanLevel | undefined;
  /** For `as: 'browser'`: Playwright's browser, such as the fixture `browser`. */
  readonly browser?: ScanBrowser | undefined;
  /** Only links whose text or address contains this text, ignoring case, or matches this pattern. */
  readonly include?: string | RegExp | undefined;
  /** Excludes links whose text or address contains this text, ignoring case, or matches this pattern. */
  readonly except?: string | RegExp | undefined;
  /** Names of cookies that look like session cookies but are not. */
  readonly harmlessCookies?: readonly string[] | undefined;
  /** `report` resolves to the scan even if it found problems; `throw`, the default, rejects with `MayflyScanError`. */
  readonly onProblem?: 'throw' | 'report' | undefined;
  /** Maximum time for all links in milliseconds; 60 s by default. */
  readonly timeout?: number | undefined;
}

const aBrowser = rule("Playwright's Browser, such as the fixture browser", (value) =>
  aFunction.allows((value as ScanBrowser | null)?.newContext),
);
const RULES = {
  as: aText,
  browser: aBrowser,
  include: aPattern,
  except: aPattern,
  harmlessCookies: aListOfTexts,
  onProblem: aText,
  timeout: aTime,
};
/** Link scanners send no User-Agent, or a browser's. */
const AGENTS = [
  '',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
];

/** Extraction rules for links that unsubscribe, cancel, decline or report. */
const LEAVING = new Set(['unsubscribe-address', 'report-address', 'says-leave', 'denied-action']);

/**
 * Opens the links of an email as the link scanners of mail systems do before a person reads the email: each link twice,
 * from this process, without cookies. For an inbox, scans the newest email, or waits for one. Skips unsubscribe links.
 * Node only. Rejects with `MayflyScanError` if a scanner would sign in or use up a link, with `MayflyError` if no link
 * can be opened, and with the errors of `Inbox.waitForEmail` and of an email's methods.
 */
export async function scanLinks(of: Inbox | ReceivedEmail, options: ScanLinksOptions = {}): Promise<LinkScan> {
  checkOptions('scanLinks', options, RULES);
  const { as = 'get', include, except, harmlessCookies = [], onProblem = 'throw' } = options;
  checkChoice('as', as, ['head', 'get', 'browser']);
  checkChoice('onProblem', onProblem, ['throw', 'report']);
  checkPlatform('scanLinks');
  const openings = openingsOf(as, options.browser);
  const email = await emailOf(of);
  const { links, skipped } = await chosen(email, as, include, except);
  const time = new Deadline(options.timeout ?? STANDARD_SCAN_MS);
  const scanned = await visited(links, openings, harmlessCookies, time);
  const problems = scanned.flatMap((link) => link.problems);
  const notes = scanned.flatMap((link) => link.notes);
  const scan: LinkScan = { as, links: scanned, skipped, problems, notes };
  if (problems.length === 0 || onProblem === 'report') return scan;
  // Shows the notes only of links with problems, because notes explain problems.
  const told = scanned.flatMap((link) => (link.problems.length > 0 ? [...link.problems, ...link.notes] : []));
  const others = told.length - MAX_NAMED;
  const named = told.slice(0, MAX_NAMED).join(' ') + (others > 0 ? ` And ${others} more.` : '');
  throw new MayflyScanError(`The links of '${email.subject}' do not survive a link scanner. ${named}`, { scan });
}

type Opening = (url: string, signal: AbortSignal) => Promise<LinkVisit>;

function openingsOf(as: ScanLevel, browser: ScanBrowser | undefined): Opening[] {
  if ((as === 'browser') !== (browser !== undefined)) {
    throw new MayflyOptionError(
      `scanLinks: as: "browser" requires the option browser (${aBrowser.text}). Other levels do not accept it.`,
    );
  }
  if (browser !== undefined) return Array(2).fill((...how: Parameters<Opening>) => browserVisit(browser, ...how));
  const method = as === 'head' ? 'HEAD' : 'GET';
  return AGENTS.map((agent) => (url, signal) => visit(url, { method, agent, signal }));
}

async function emailOf(of: Partial<Inbox & ReceivedEmail> | undefined): Promise<ReceivedEmail> {
  if (typeof of?.links === 'function') return of as ReceivedEmail;
  if (typeof of?.waitForEmail === 'function') return of.waitForEmail();
  throw new MayflyOptionError('scanLinks: pass an inbox, or an email of an inbox.');
}

function checkChoice(name: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  const named = choices.map((choice) => `"${choice}"`).join(' or ');
  throw new MayflyOptionError(`scanLinks: ${name} must be ${named}.`);
}

async function chosen(email: ReceivedEmail, as: ScanLevel, include: Pattern | undefined, except: Pattern | undefined) {
  const unsubscribing = unsubscribeAddresses(await email.headers());
  const why = (link: EmailLink): string | null => {
    if (!isWebAddress(link.url)) return 'not an http or https address';
    if (except !== undefined && isAbout(link, except)) return 'in except';
    if (include !== undefined) return isAbout(link, include) ? null : 'not in include';
    const isLeaving = !link.action && link.reasons.some(({ rule }) => LEAVING.has(rule));
    const leaves = isLeaving || unsubscribing.has(requested(link.url));
    return leaves ? 'it unsubscribes, cancels, declines or reports; name it in include' : null;
  };
  const found = [...(await email.links())];
  const reasons = new Map(found.map((link) => [link, why(link)]));
  const wanted = found.filter((link) => reasons.get(link) === null);
  // The action link comes first, so that the limit and duplicates never drop it.
  const opened = new Map<string, EmailLink>();
  for (const link of wanted.toSorted((one, other) => Number(other.action) - Number(one.action))) {
    const address = as === 'browser' ? link.url : requested(link.url);
    if (opened.has(address)) reasons.set(link, 'the same request as for another link');
    else if (opened.size === MAX_SCANNED_LINKS) reasons.set(link, `more than ${MAX_SCANNED_LINKS} links`);
    else opened.set(address, link);
  }
  const links = found.filter((link) => reasons.get(link) === null);
  const skipped = [...reasons].flatMap(([{ url }, reason]) => (reason ? [{ url, reason }] : []));
  if (links.length > 0) return { links, skipped };
  const named = skipped.slice(0, MAX_NAMED).map(({ url, reason }) => `${shownUrl(url)} (${reason})`);
  const others = skipped.length === 0 ? 'It has none' : `It has ${skipped.length}, all skipped: ${named.join(', ')}`;
  throw new MayflyError(`scanLinks: no link to open in '${email.subject}'. ${others}.`);
}

/** Removes the fragment, which clients do not send. */
function requested(address: string): string {
  return Object.assign(new URL(address), { hash: '' }).href;
}

/** The addresses in List-Unsubscribe fields (RFC 2369 section 2), without fragments. */
function unsubscribeAddresses(headers: readonly HeaderField[]): ReadonlySet<string> {
  const fields = headers.filter(({ name }) => name.toLowerCase() === 'list-unsubscribe');
  // Whitespace within the brackets is ignored. Some senders omit the brackets.
  const named = fields.flatMap(({ value }) => value.split(/[<>]/)).map((part) => part.replace(/\s/g, ''));
  return new Set(named.filter(isWebAddress).map(requested));
}

async function visited(
  links: readonly EmailLink[],
  openings: readonly Opening[],
  harmlessCookies: readonly string[],
  time: Deadline,
): Promise<ScannedLink[]> {
  const scanned: ScannedLink[] = [];
  const waiting = links.entries();
  const work = async () => {
    for (const [index, { url, text, action }] of waiting) {
      const visits: LinkVisit[] = [];
      for (const open of openings) visits.push(await open(url, time.signal));
      const isOver = time.signal.aborted;
      const problems = isOver
        ? [`${shownUrl(url)} was not scanned: the time for all links ran out.`]
        : problemsOf({ url, action, visits }, harmlessCookies);
      const notes = isOver ? [] : notesOn({ url, action, visits });
      scanned[index] = { url, text, action, visits, problems, notes };
    }
  };
  await Promise.all(Array.from({ length: LINKS_AT_ONCE }, work));
  time.end();
  return scanned;
}

export type { ScanBrowser } from './link-browser.js';
export type {
  FollowedLink,
  FollowLinkOptions,
  LinkAnswer,
  LinkCookie,
  LinkScan,
  LinkVisit,
  ScanLevel,
  ScannedLink,
} from './link-visit.js';
export { followLink, MayflyLinkError, MayflyScanError } from './link-visit.js';
