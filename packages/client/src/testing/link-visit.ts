import { basicAuth, withoutCredentials } from '../wait/basic-auth.js';
import { ANSWER_TIMEOUT_MS, MAX_COOKIES, MAX_PAGE_BYTES, MAX_REDIRECTS } from '../wait/bounds.js';
import { Deadline } from '../wait/deadline.js';
import { MayflyError } from '../wait/errors.js';
import { oneFetch, reasonOf } from '../wait/one-fetch.js';
import { visibleText } from '../wait/visible-text.js';
import { type LinkAnswer, type LinkCookie, type LinkVisit, shownUrl, withoutSecrets } from './link-report.js';

/** How to open a link. */
export interface VisitPlan {
  readonly method: 'HEAD' | 'GET';
  readonly agent: string;
  readonly signal: AbortSignal;
  /** Why a redirect must not be followed, in words that end "redirects to … :"; null if it may be. */
  readonly refusal?: (from: URL, to: URL) => string | null;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const SCHEMES = new Set(['http:', 'https:']);

/** Whether an address can be opened at all: mail may hold any other scheme, and a redirect `file:` or `javascript:`. */
export function isWebAddress(address: string): boolean {
  return URL.canParse(address) && SCHEMES.has(new URL(address).protocol);
}

/** Throws where redirects and cookies cannot be seen. */
export function checkPlatform(call: string): void {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  if (process?.versions?.node !== undefined) return;
  throw new MayflyError(
    `${call} runs in Node only: browsers hide redirects and cookies of other sites. In Cypress, call it in a task.`,
  );
}

/** Opens a link without cookies and follows its redirects. Never rejects: what goes wrong becomes its `error`. */
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
      if (next === null) text = visibleText(await beginning(response));
    } catch (cause) {
      error = time.signal.aborted ? tooLate(plan.signal) : withoutSecrets(reasonOf(cause));
      // A page that breaks off has been reached.
      if (isRedirected && !plan.signal.aborted) unreached = next;
    } finally {
      // Leaves the rest of a page unread: it may have no end.
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
  const lines = headers.getSetCookie().slice(0, MAX_COOKIES);
  const cookies = lines.flatMap((line) => cookieOf(line) ?? []);
  const location = headers.get('location');
  return linkAnswer(method, url, status, location && decoded(location), cookies);
}

/** Browsers read a Location as UTF-8, or else escape its bytes; `Headers` has each byte as a letter. */
function decoded(location: string): string {
  try {
    const bytes = Uint8Array.from(location, (letter) => letter.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return location.replace(/[^\0-\x7f]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  }
}

/** The answer to a request, given its Location field. */
export function linkAnswer(
  method: string,
  url: string,
  status: number,
  target: string | null | undefined,
  cookies: LinkAnswer['cookies'],
): LinkAnswer {
  const location = target && REDIRECTS.has(status) ? resolved(target, url) : null;
  return { method, url, status, location, cookies };
}

/** A redirect keeps the fragment of the address that it comes from (RFC 9110 section 10.2.2). */
function resolved(target: string, base: string): string {
  if (!URL.canParse(target, base)) return target;
  const url = new URL(target, base);
  url.hash ||= new URL(base).hash;
  return url.href;
}

function refused({ method, url, status }: LinkAnswer, to: string, count: number, plan: VisitPlan): string | null {
  const told = `${method} ${shownUrl(url)} answered ${status} and redirects to ${shownUrl(to)}`;
  if (!isWebAddress(to)) return `${told}, which is no http or https address`;
  if (count > MAX_REDIRECTS) return `${told}, after ${MAX_REDIRECTS} redirects`;
  const why = plan.refusal?.(new URL(url), new URL(to)) ?? null;
  return why === null ? null : `${told}: ${why}`;
}

/** Null for a line that deletes its cookie, or sets none with a name (RFC 6265 sections 5.2 and 5.3). */
function cookieOf(line: string): LinkCookie | null {
  const [pair = '', ...attributes] = line.split(';');
  const [name, value] = nameAndValue(pair);
  const known = new Map(
    attributes.map(nameAndValue).map(([key, value]): [string, string] => [key.toLowerCase(), value]),
  );
  if (isOver(known) || name === '' || !pair.includes('=')) return null;
  return { name, value, httpOnly: known.has('httponly') };
}

function nameAndValue(pair: string): [name: string, value: string] {
  const [name = '', ...value] = pair.split('=');
  return [name.trim(), value.join('=').trim()];
}

/** Browsers ignore an age that is no number, and a date without a month: `Expires=0` ends no cookie. */
function isOver(attributes: ReadonlyMap<string, string>): boolean {
  const age = attributes.get('max-age') ?? '';
  if (/^-?\d+$/.test(age)) return Number(age) <= 0;
  const expires = attributes.get('expires') ?? '';
  return /[a-z]{3}/i.test(expires) && Date.parse(expires) <= Date.now();
}

/** The beginning of a page, as text. */
async function beginning(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = '';
  for (let left = MAX_PAGE_BYTES; reader && left > 0; ) {
    const { value } = await reader.read();
    if (value === undefined) break;
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
  }
  return text;
}

function tooLate(scan: AbortSignal): string {
  return scan.aborted ? 'the time was over' : `no whole answer came in ${ANSWER_TIMEOUT_MS / 1000} s`;
}
