import { MAX_NAMED, MAX_SHOWN_TEXT } from '../wait/bounds.js';
import { type LinkAnswer, type LinkCookie, type LinkVisit, type ScannedLink, shownUrl } from './link-visit.js';

type Visited = Pick<ScannedLink, 'url' | 'action' | 'visits'>;

export function problemsOf(link: Visited, harmlessCookies: readonly string[]): string[] {
  return [signsIn(link.visits, harmlessCookies), isDead(link) ?? isUsed(link)].filter((one) => one !== null);
}

const FORGERY = /csrf|xsrf/i;
const SESSION = /sess|auth|token|jwt|(?:^|[._-])s?id$/i;

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

export function notesOn({ url, visits }: Visited): string[] {
  const { unreached, error } = visits.find((visit) => visit.unreached !== null) ?? {};
  if (!unreached) return [];
  const which = `${shownUrl(url)} redirects to ${shownUrl(unreached)}, which could not be reached (${error})`;
  return [`${which}: only the redirects of both visits were compared, not the page.`];
}

/** Why a visit failed. Null if it reached a page, or ended at a redirect target that this process cannot reach. */
function failure({ answers, error, unreached }: LinkVisit): string | null {
  if (unreached !== null) return null;
  if (error !== null) return `fails (${error})`;
  const status = answers.at(-1)?.status ?? 0;
  return status < 400 ? null : `answers ${status}`;
}

// Only the action link has to work, because a link in the footer may lead to a site that the test cannot reach or that
// refuses programs. Applications without a route for HEAD refuse HEAD requests, which harms no reader.
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
  if (failed !== null) return `${shownUrl(url)} ${failed} ${after}: the link is used up before your reader opens it.`;
  if (!isSameEnd(first, second)) {
    return `${shownUrl(url)} leads elsewhere ${after} (${shownEnd(first)} became ${shownEnd(second)}): the link is used up before your reader opens it.`;
  }
  if (first.unreached !== null || second.unreached !== null) return null;
  // Compares pages only for the action link, because other pages may show content that changes over time.
  if (!action || words(first.text) === words(second.text)) return null;
  return `${shownUrl(url)} shows another page ${after} (${change(first.text, second.text)}): the link is used up before your reader opens it.`;
}

function isSameEnd(first: LinkVisit, second: LinkVisit): boolean {
  const [one, other] = first.unreached === null ? [second, first] : [first, second];
  const { unreached } = one;
  if (unreached === null || other.unreached !== null) {
    return lastOf(one).status === lastOf(other).status && end(one) === end(other);
  }
  // Only `one` failed to reach its last target. The visits have the same end if `other` got an answer there.
  return other.answers.some(({ url }) => place(url) === place(unreached));
}

const lastOf = ({ answers }: LinkVisit) => answers.at(-1) as LinkAnswer;
const end = (visit: LinkVisit) => place(visit.unreached ?? lastOf(visit).url);

/** Two addresses are the same place if origin and path are equal and both or neither have an `error` parameter. */
function place(address: string): string {
  const { origin, pathname, search, hash } = new URL(address);
  return [origin, pathname, /[?&#]error/i.test(search + hash)].join(' ');
}

function shownEnd(visit: LinkVisit): string {
  const { status, url } = lastOf(visit);
  return visit.unreached === null ? `${status} from ${withNames(url)}` : `${status} to ${withNames(visit.unreached)}`;
}

/** A final address as a message shows it: with the names of its parameters, but only with the values of errors. */
function withNames(address: string): string {
  const { search, hash } = new URL(address);
  const path = shownUrl(address).replace(/[?#].*/, '');
  return path + (search && `?${parameters(search.slice(1))}`) + (hash && `#${parameters(hash.slice(1))}`);
}

function parameters(text: string): string {
  // A fragment may be a path with its own query.
  const shown = text.split(/[?&]/).map(parameter);
  // Errors come first, so the limit does not cut them off.
  const all = [...new Set([...shown.filter(isOfError), ...shown])];
  return all.slice(0, MAX_NAMED).join('&') + (all.length > MAX_NAMED ? '&…' : '');
}

const isOfError = (text: string) => /^error/i.test(text);

/** Shows only the values of errors. Hides a name without a value, because it may be a secret (`dG9r=` in base64). */
function parameter(text: string): string {
  const [, name = '', value = ''] = /^([^=]*)=([^=].*)$/s.exec(text) ?? [];
  if (!WORD.test(name)) return isOfError(text) ? 'error…' : '…';
  return `${name}=${isOfError(name) ? shownError(value) : '…'}`;
}

/** Matches `otp_expired`, `OAuthCallback` or `INVALID_TOKEN`. Random characters rarely look like this. */
const WORD =
  /^(?:[A-Z]{0,2}[a-z]{1,14}(?:(?:[_.-][A-Z]{0,2}|[A-Z]{1,2})[a-z]{2,14}){0,5}|[A-Z]{1,14}(?:_[A-Z]{1,14}){0,5})$/;

/** Shows only the words of an error, because a site may repeat the secret in its error. */
function shownError(value: string): string {
  const text = (new URLSearchParams(`v=${value}`).get('v') ?? '').slice(0, MAX_SHOWN_TEXT);
  const words = text.split(/\s+/).map((word) => {
    const plain = word.replace(/^['"(]{1,5}|['".,:;!?)]{1,5}$/g, '');
    return WORD.test(plain) || /^\d{0,3}$/.test(plain) ? word : '…';
  });
  return words.join(' ');
}

/** Makes all numbers equal, because clocks and counters change between two visits. */
const words = (text: string) => text.replace(/[0-9]+/g, '0');

function change(before: string, now: string): string {
  let same = 0;
  while (same < before.length && before[same] === now[same]) same++;
  const from = before.lastIndexOf(' ', same - 1) + 1;
  const shown = (text: string) => `"${text.slice(from, from + MAX_SHOWN_TEXT).trim()}"`;
  return `${shown(before)} became ${shown(now)}`;
}
