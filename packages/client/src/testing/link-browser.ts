import { ANSWER_TIMEOUT_MS, MAX_COOKIES, MAX_PAGE_BYTES } from '../wait/bounds.js';
import { Deadline, leftMs, sleep } from '../wait/deadline.js';
import { isWebAddress, type LinkAnswer, type LinkVisit, linkAnswer, withoutSecrets } from './link-visit.js';

const MAX_READS = 5;

/** How long a page's scripts may run in a browser scan, and the maximum number of reported responses. */
const SCRIPTS_MS = 5_000;
const MAX_ANSWERS = 50;
const SILENT = 'the browser does not answer';

/** The part of Playwright's `Browser` that a scan uses, so this package does not depend on Playwright. */
export interface ScanBrowser {
  newContext(options: { acceptDownloads: boolean; serviceWorkers: 'block' }): Promise<ScanContext>;
}

interface ScanContext {
  newPage(): Promise<ScanPage>;
  cookies(urls: string[]): Promise<readonly { name: string; value: string; httpOnly: boolean }[]>;
  close(): Promise<void>;
}

interface ScanPage {
  on(event: 'response', listener: (response: ScanResponse) => void): unknown;
  goto(url: string, options: { timeout: number; waitUntil: 'domcontentloaded' }): Promise<unknown>;
  mainFrame(): unknown;
  evaluate(script: string): Promise<unknown>;
}

interface ScanResponse {
  request(): { method(): string; isNavigationRequest(): boolean };
  frame(): unknown;
  url(): string;
  status(): number;
  headers(): Readonly<Record<string, string>>;
}

const TEXT = `(document.body?.innerText ?? '').slice(0, ${MAX_PAGE_BYTES}).replace(/\\s+/g, ' ').trim()`;

/** Opens a link in a fresh context, lets its scripts run and clicks nothing. Failures are returned as `error`. */
export async function browserVisit(browser: ScanBrowser, address: string, signal: AbortSignal): Promise<LinkVisit> {
  const answers: LinkAnswer[] = [];
  const none = { agent: 'a browser', answers, cookies: [], unreached: null, text: '' };
  let context: ScanContext | null = null;
  try {
    // Playwright's calls accept no signal, so the signal is checked before each.
    signal.throwIfAborted();
    context = await freshContext(browser);
    const page = await inTime(context.newPage(), SILENT);
    page.on('response', (response) => {
      if (answers.length >= MAX_ANSWERS || !isOfPage(response, page)) return;
      const given = {
        method: response.request().method(),
        url: response.url(),
        status: response.status(),
        cookies: [],
      };
      answers.push(linkAnswer(given, response.headers().location));
    });
    const isShown = await open(page, address, answers, signal);
    if (isShown) await sleep(SCRIPTS_MS, signal);
    signal.throwIfAborted();
    const text = isShown ? await textOf(page) : '';
    const held = await inTime(context.cookies(answers.map(({ url }) => url)), SILENT);
    const cookies = held.slice(0, MAX_COOKIES).map(({ name, value, httpOnly }) => ({ name, value, httpOnly }));
    return { ...none, cookies, error: null, text };
  } catch (cause) {
    const error = reason(cause);
    const target = answers.at(-1)?.location ?? '';
    // Matches browsers' network errors for an unreachable target, but not a refusal to follow a redirect.
    const isUnreached =
      /\bERR_(?:CONNECTION|NAME|ADDRESS|CERT|SSL|TIMED_OUT|EMPTY)|_CONNECTION_|_HOST\b|Timeout|Could not (?:connect|resolve)/.test(
        error,
      );
    return { ...none, error, unreached: isUnreached && isWebAddress(target) && !signal.aborted ? target : null };
  } finally {
    if (context !== null) await inTime(context.close(), SILENT).catch(() => {});
  }
}

/** Creates a context. If the browser creates it only after the deadline, closes it. */
function freshContext(browser: ScanBrowser): Promise<ScanContext> {
  const asked = browser.newContext({ acceptDownloads: false, serviceWorkers: 'block' });
  return inTime(asked, SILENT).catch((error) => {
    asked.then((context) => context.close()).catch(() => {});
    throw error;
  });
}

/** Opens an address. Resolves to false for responses that may have no page: an error, a download or a 204. */
async function open(page: ScanPage, address: string, answers: readonly LinkAnswer[], signal: AbortSignal) {
  const timeout = Math.max(1, Math.min(ANSWER_TIMEOUT_MS, leftMs(signal)));
  try {
    await page.goto(address, { timeout, waitUntil: 'domcontentloaded' });
    return true;
  } catch (error) {
    const status = answers.at(-1)?.status ?? 0;
    const isPageless = status >= 200 && status < 300 && /Download is starting|_ABORTED/.test(reason(error));
    if (status >= 400 || isPageless) return false;
    throw error;
  }
}

/** The page's text. If the page navigates meanwhile, reads the text again, up to `MAX_READS` times. */
async function textOf(page: ScanPage): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      // A script that never ends blocks `evaluate`.
      return String(await inTime(page.evaluate(TEXT), 'its scripts do not end')).slice(0, MAX_PAGE_BYTES);
    } catch (error) {
      if (tries === MAX_READS || !/context was destroyed/.test(reason(error))) throw error;
    }
  }
}

function isOfPage(response: ScanResponse, page: ScanPage): boolean {
  return response.request().isNavigationRequest() && response.frame() === page.mainFrame();
}

async function inTime<Result>(result: Promise<Result>, otherwise: string): Promise<Result> {
  const time = new Deadline(ANSWER_TIMEOUT_MS);
  const late = time.over.then(() => Promise.reject(new Error(otherwise)));
  try {
    return await Promise.race([result, late]);
  } finally {
    late.catch(() => {});
    time.end();
  }
}

/** The first line of a Playwright error, without the name of the call and without addresses, which contain secrets. */
function reason(error: unknown): string {
  const [line = ''] = (error as Error).message.split('\n', 1);
  return withoutSecrets(line.replace(/^[\w.]+: /, '').replace(/ at https?:.*/, ''));
}
