import type { Page, Route } from '@playwright/test';
import { expect, test } from 'vitest';
import { describeInBrowser, freshName, SHOWN_FRAME } from './browser.js';
import { goWithKey, sharedMayfly } from './shared-mayfly.js';

const KEY = 'acme-key-of-16-chars';

const HTML =
  '<style>p{color:rgb(1, 2, 3)}@media (prefers-color-scheme:dark){p{color:rgb(4, 5, 6)}}</style>' +
  '<p>Your code is 482913. <a href="https://app.test/verify?token=9f1e7c2ab0d34865">Verify</a></p>';

/** How long an email must be chosen before the page fetches it. */
const REST_MS = 200;

const MAX_STALE_MS = 1_000;

/** How far the page's clock jumps ahead before it stops. */
const PAUSE_IN_MS = 10_000;

describeInBrowser('the preview', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  async function deliver(name: string, ...htmls: readonly string[]): Promise<string> {
    for (const html of htmls)
      await mayfly.smtp.sendMail({ to: `${name}@inbox.example.com`, from: 'a@app.test', subject: 'Hello', html });
    return `${mayfly.url}/inbox/${name}`;
  }

  const shown = (page: Page) => page.frameLocator(SHOWN_FRAME).getByText('Your code is');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const choose = (page: Page, name: string) => page.locator('.choice label', { hasText: name }).click();
  const colour = (page: Page) => shown(page).evaluate((one) => getComputedStyle(one).color);

  test('the preview starts near the top of a window of 1440 × 900 pixels', async () => {
    const url = await deliver(freshName(), `${HTML}<img src="https://a.test/a.png">`);
    const page = await browser.open(url, { viewport: { width: 1440, height: 900 } });
    await shown(page).waitFor();
    await page.locator('.found-link').waitFor();
    expect((await page.locator(SHOWN_FRAME).boundingBox())?.y).toBeLessThan(300);
  });

  test.each([
    ['375', 1440],
    ['768', 390],
  ])('the preview is 320 and then exactly %s pixels wide in a window of %i', async (width, windowWidth) => {
    const viewport = { width: windowWidth, height: 900 };
    const page = await browser.open(await deliver(freshName(), HTML), { viewport });
    if (windowWidth < 900) await page.locator('.row-open').click();
    await shown(page).waitFor();
    if (windowWidth < 900) await button(page, 'View options').click();
    for (const one of ['320', width]) await choose(page, one);
    await expect.poll(() => page.frames()[1]?.evaluate(() => innerWidth)).toBe(Number(width));
  });

  test('the preview switches an email to the dark and to the light color scheme', async () => {
    const page = await browser.open(await deliver(freshName(), HTML), { colorScheme: 'light' });
    await shown(page).waitFor();
    expect(await colour(page)).toBe('rgb(1, 2, 3)');
    await choose(page, 'Dark');
    await expect.poll(() => colour(page)).toBe('rgb(4, 5, 6)');
    await choose(page, 'Light');
    await expect.poll(() => colour(page)).toBe('rgb(1, 2, 3)');
  });

  test('the preview keeps its options for the next email and after a reload, but a link loads no remote images', async () => {
    const remote = `${HTML}<img src="https://a.test/a.png">`;
    const page = await browser.open(await deliver(freshName(), remote, remote), { colorScheme: 'light' });
    await shown(page).waitFor();
    await choose(page, '375');
    await choose(page, 'Dark');
    await page.getByLabel('Load remote images').check();
    const source = () => page.locator(SHOWN_FRAME).getAttribute('src');
    await expect.poll(source).toMatch(/\/html\?images=remote&scheme=dark$/);
    const first = await source();
    await page.locator('.row-open').nth(1).click();
    await expect.poll(source).not.toBe(first);
    await expect.poll(source).toMatch(/\/html\?images=remote&scheme=dark$/);
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.reload();
    await expect.poll(() => page.getByRole('tab', { name: 'Text' }).getAttribute('aria-selected')).toBe('true');
    await page.getByRole('tab', { name: 'Preview' }).click();
    expect(await page.getByRole('radio', { name: '375' }).isChecked()).toBe(true);
    const beside = await browser.openBeside(page, page.url());
    await shown(beside).waitFor();
    expect(await beside.locator(SHOWN_FRAME).getAttribute('src')).toMatch(/\/html\?scheme=dark$/);
  });

  test('the preview shows the previous email until the next one has loaded, and for at most a second', async () => {
    const url = await deliver(freshName(), `${HTML}<i>older</i>`, `${HTML}<i>newer</i>`);
    const page = await browser.open('about:blank');
    await page.clock.install();
    await page.goto(url);
    const frame = page.frameLocator(SHOWN_FRAME);
    await frame.getByText('newer').waitFor();
    const visible = page.locator('iframe[data-visible=true]');
    const first = await visible.getAttribute('src');
    await page.clock.pauseAt(Date.now() + PAUSE_IN_MS);
    const held = new Promise<Route>((resolve) => void page.route('**/html', resolve));
    await page.locator('.row-open').nth(1).click();
    await page.clock.runFor(REST_MS);
    const request = await held;
    // The previous email can be seen, but not used.
    expect(await visible.getAttribute('src')).toBe(first);
    expect(await visible.getAttribute('inert')).not.toBeNull();
    expect(await page.locator(SHOWN_FRAME).count()).toBe(0);
    await page.clock.runFor(MAX_STALE_MS);
    expect(await visible.count()).toBe(0);
    await request.continue();
    await frame.getByText('older').waitFor();
    expect(await page.locator('iframe').count()).toBe(1);
  });

  test('an email that was left before its preview loaded is neither fetched again nor shown', async () => {
    const name = 'acme-race';
    const url = await deliver(name, `${HTML}<i>older</i>`, `${HTML}<i>newer</i>`);
    const page = await browser.open('about:blank');
    const fetched: string[] = [];
    page.on('request', (request) => request.url().endsWith('/html') && fetched.push(request.url()));
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      page.route('**/healthz', async (route) => {
        resolve();
        await released;
        await route.continue();
      });
    });
    await goWithKey(page, url);
    await asked;
    const held = new Promise<Route>((resolve) => void page.route('**/html', resolve));
    await page.locator('.row-open').nth(1).click();
    const request = await held;
    const answered = page.waitForResponse('**/healthz');
    release();
    await answered;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await page.locator('iframe[data-visible=true]').count()).toBe(0);
    await request.continue();
    await page.frameLocator(SHOWN_FRAME).getByText('older').waitFor();
    expect(fetched).toHaveLength(2);
  });

  test.each([
    ['of the free tier', freshName(), null],
    ['of a workspace', 'acme-own-tab', KEY],
  ])('the preview of an inbox %s opens in a new tab that cannot access the page', async (_, name, key) => {
    const page = await browser.open(await deliver(name, HTML));
    if (key !== null) {
      await page.getByRole('main').getByLabel('API key of your workspace').fill(`acme=${key}`);
      await page.keyboard.press('Enter');
    }
    await shown(page).waitFor();
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByText('Open the preview in a new tab').click(),
    ]);
    await opened.getByText('Your code is').waitFor();
    expect(await opened.evaluate(() => [window.opener, window.origin])).toEqual([null, 'null']);
  });
});

describeInBrowser('the check of an email', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  test('the Check tab lists the problems in email clients, and sends requests only to Mayfly', async () => {
    const name = freshName();
    await mayfly.smtp.sendMail({
      to: `${name}@inbox.example.com`,
      from: 'a@app.test',
      html: '<p style="border-radius:3px">Hello<img src="https://a.test/a.png"></p>',
      headers: { 'List-Unsubscribe': '<https://a.test/u>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    });
    const page = await browser.open(`${mayfly.url}/inbox/${name}`);
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    await page.getByRole('tab', { name: 'Check' }).click();
    const panel = page.getByRole('tabpanel', { name: 'Check' });
    await panel.getByText('The image has no alternative text').waitFor();
    await panel.getByText('One click unsubscribes.').waitFor();
    await panel.getByText('Gmail shows it whole').waitFor();
    await panel.getByRole('link', { name: 'border-radius' }).waitFor();
    const unsupported = panel.getByText(/^Not supported by .*Outlook \(Windows\)/).first();
    expect(await unsupported.isVisible()).toBe(false);
    await panel.getByText('Used once, supported by').first().click();
    await unsupported.waitFor();
    expect([...asked]).toEqual([mayfly.url]);
  });

  test('the tab Check shows the score after one request, and a finding leads to its tags in the HTML', async () => {
    const name = freshName();
    const filler = '<p>One of many.</p>'.repeat(500);
    await mayfly.smtp.sendMail({
      to: `${name}@inbox.example.com`,
      from: 'a@app.test',
      html: `${filler}<p style="gap:1px">Hello</p>${filler}<b style="gap:2px">you</b>`,
    });
    const page = await browser.open('about:blank');
    const checks: string[] = [];
    page.on('request', (request) => request.url().endsWith('/check') && checks.push(request.url()));
    await page.goto(`${mayfly.url}/inbox/${name}`);
    await page.locator('.badge').waitFor();
    const tab = page.getByRole('tab', { name: /^Check : \d\d$/ });
    await tab.click();
    const panel = page.getByRole('tabpanel', { name: 'Check' });
    const outlook = panel.locator('details', { hasText: /^Outlook/ });
    expect(await outlook.locator('li').first().isVisible()).toBe(false);
    await outlook.locator('summary').click();
    await outlook.getByText('Outlook (Windows) does not fully support gap').waitFor();
    await panel.getByRole('button', { name: 'Show in HTML: gap' }).click();
    const status = page.getByRole('tabpanel', { name: 'HTML' }).getByRole('status');
    await status.filter({ hasText: 'gap, column-gap, row-gap: 1 of 2' }).waitFor();
    const current = () =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get('current') ?? [];
        return range?.startContainer.nodeValue?.slice(range.startOffset, range.endOffset);
      });
    await expect.poll(current).toBe('<p style="gap:1px">');
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('HTML');
    await page.getByRole('button', { name: 'Next match' }).click();
    await expect.poll(current).toBe('<b style="gap:2px">');
    expect(checks).toHaveLength(1);
  });
});
