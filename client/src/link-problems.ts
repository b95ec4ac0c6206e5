import { MAX_SHOWN_TEXT } from './bounds.js';
import { type LinkAnswer, type LinkCookie, type LinkVisit, shownUrl } from './link-report.js';

/** A link with two visits, the second of which is what its reader gets. */
interface Visited {
  readonly url: string;
  readonly action: boolean;
  readonly visits: readonly LinkVisit[];
}

/** What is wrong with a link, in sentences. Cookies with these names start no session. */
export function problemsOf(link: Visited, harmlessCookies: readonly string[]): string[] {
  return [signsIn(link.visits, harmlessCookies), isDead(link) ?? isUsed(link)].filter((one) => one !== null);
}

const FORGERY = /csrf|xsrf/i;
const SESSION = /sess|auth|token|jwt|(?:^|[._-])s?id$/i;

/**
 * Whether a cookie looks like a session: hidden from scripts, or so called. Those against forged requests are hidden,
 * too.
 */
function isSession({ name, httpOnly }: LinkCookie, harmless: readonly string[]): boolean {
  return !FORGERY.test(name) && !harmless.includes(name) && (httpOnly || SESSION.test(name));
}

function signsIn(visits: readonly LinkVisit[], harmless: readonly string[]): string | null {
  const session = (cookies: readonly LinkCookie[]) => cookies.find((cookie) => isSession(cookie, harmless))?.name;
  const told = (what: string, name: string) =>
    `${what} set a session cookie, "${name}": a scanner would be signed in. If this cookie starts no session, name it in harmlessCookies.`;
  for (const { answers, cookies } of visits) {
    for (const { method, url, status, cookies } of answers) {
      const name = session(cookies);
      if (name !== undefined) return told(`${method} ${shownUrl(url)} answered ${status} and`, name);
    }
    const name = session(cookies);
    const url = answers[0]?.url;
    if (name !== undefined && url !== undefined)
      return told(`${shownUrl(url)}, opened in a browser without a click,`, name);
  }
  return null;
}

/** A visit failed, and how, in words that follow the address; null if it ended with a page. */
function failure({ answers, error }: LinkVisit): string | null {
  if (error !== null) return `fails (${error})`;
  const status = answers.at(-1)?.status ?? 0;
  return status < 400 ? null : `answers ${status}`;
}

/**
 * A link of a footer may lead to a site that the test cannot reach or that refuses programs, so only the link that the
 * email is about has to work. Applications without a route for HEAD refuse it, which harms no reader.
 */
function isDead({ url, action, visits: [first, second] }: Visited): string | null {
  if (!action || first === undefined || second === undefined) return null;
  const failures = [failure(first), failure(second)];
  if (failures.includes(null)) return null;
  const method = first.answers[0]?.method ?? 'GET';
  if (method === 'HEAD' && first.error === null) return null;
  return `${shownUrl(url)} ${failures[0]} at the first ${method}: no reader can use it.`;
}

function isUsed({ url, action, visits: [first, second] }: Visited): string | null {
  if (first === undefined || second === undefined || failure(first) !== null) return null;
  const after = `after one ${first.answers[0]?.method}`;
  const failed = failure(second);
  if (failed !== null) return `${shownUrl(url)} ${failed} ${after}: your reader finds it used.`;
  const [before, now] = [first.answers.at(-1), second.answers.at(-1)] as [LinkAnswer, LinkAnswer];
  if (end(before) !== end(now)) {
    const change = `${before.status} from ${shownUrl(before.url)} became ${now.status} from ${shownUrl(now.url)}`;
    return `${shownUrl(url)} leads elsewhere ${after} (${change}): your reader finds it used.`;
  }
  // Other pages may show what changes by itself.
  if (!action || words(first.text) === words(second.text)) return null;
  return `${shownUrl(url)} shows another page ${after} (${change(first.text, second.text)}): your reader finds it used.`;
}

/** Where a visit ended. An address may differ in what it carries, but not in whether that is an error. */
function end({ status, url }: LinkAnswer): string {
  const { origin, pathname, search, hash } = new URL(url);
  return [status, origin, pathname, /[?&#]error/i.test(search + hash)].join(' ');
}

/** Numbers may be clocks and counts. */
function words(text: string): string {
  return text.replace(/[0-9]+/g, '0');
}

function change(before: string, now: string): string {
  let same = 0;
  while (same < before.length && before[same] === now[same]) same++;
  const from = before.lastIndexOf(' ', same - 1) + 1;
  const shown = (text: string) => `"${text.slice(from, from + MAX_SHOWN_TEXT).trim()}"`;
  return `${shown(before)} became ${shown(now)}`;
}
