import { randomUUID } from 'node:crypto';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from '@playwright/test';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { CHROMIUM, LIGHT_CHROMIUM, needs } from '../../../tools/needs.js';

/** Disables requests that the browser itself makes, and the sandbox, which containers do not support. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Otherwise this feature would block requests, and hide whether the tested policies block them.
  '--disable-features=LocalNetworkAccessChecks',
];

/** Playwright's time limit for a condition, long enough for a busy machine. */
const CONDITION_TIMEOUT_MS = 120_000;

/** The frame of the email on screen, once it has loaded. Until then, another frame may show the previous email. */
export const SHOWN_FRAME = 'iframe.frame:not([inert])';

export interface TestBrowser {
  /** A page in a new context, which is closed after the test. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
  /** Opens another tab in the context of a page. */
  openBeside(page: Page, url: string): Promise<Page>;
}

export function describeInBrowser(title: string, cases: (browser: TestBrowser) => void): void {
  describeIn(LIGHT_CHROMIUM, title, cases);
}

/** Defines tests that the headless shell cannot run, such as those of speculative connections. */
export function describeInWholeBrowser(title: string, cases: (browser: TestBrowser) => void): void {
  describeIn(CHROMIUM, title, cases);
}

function describeIn(executablePath: string | null, title: string, cases: (browser: TestBrowser) => void): void {
  describe(title, needs('Chromium'), () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: executablePath ?? '', args: ARGUMENTS });
    });
    afterAll(() => browser.close());

    const openIn = async (context: BrowserContext, url: string) => {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    };
    cases({
      async open(url, options) {
        const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options });
        context.setDefaultTimeout(CONDITION_TIMEOUT_MS);
        onTestFinished(() => context.close());
        return openIn(context, url);
      },
      openBeside: (page, url) => openIn(page.context(), url),
    });
  });
}

/** Presses a button that is in a menu on a phone. */
export async function pressIn(page: Page, menu: string, name: string): Promise<void> {
  const button = page.getByRole('button', { name });
  if (!(await button.isVisible())) await page.getByRole('button', { name: menu, exact: true }).click();
  await button.click();
}

/** Opens an entry under "More" in the toolbar. */
export async function openMore(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: entry, exact: true }).click();
}

/** Opens the email of a row, with a click that hits neither its code nor its link. */
export function openRow(row: Locator): Promise<void> {
  return row.first().click({ position: { x: 60, y: 10 } });
}

export function freshName(): string {
  return `test-${randomUUID()}`;
}

/** Hides a page while two hidden tabs, the maximum, already follow inboxes. Resolves when the page ends its stream. */
export async function hide(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const place of [0, 1]) {
      await new Promise<void>((taken) => {
        navigator.locks.request(`mayfly-hidden-${place}`, { ifAvailable: true }, () => {
          taken();
          return new Promise(() => {});
        });
      });
    }
  });
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/stream'));
  await setHidden(page, true);
  await ended;
}

export function show(page: Page): Promise<void> {
  return setHidden(page, false);
}

export function setHidden(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

/** The clipboard's text, once it has one. Read by a second page, because the tested page's policy forbids reading. */
export async function clipboard(page: Page): Promise<string> {
  const reader = await page.context().newPage();
  await reader.goto(new URL('/healthz', page.url()).href);
  const read = () => reader.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe('');
  const text = await read();
  await reader.close();
  await page.bringToFront();
  return text;
}
