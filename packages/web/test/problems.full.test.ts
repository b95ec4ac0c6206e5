import type { Locator, Page, Route } from '@playwright/test';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { endAll, serve, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser } from './browser.js';
import { startGate } from './listener.js';

const MAIL = { from: 'a@app.test', subject: 'A mail', text: 'Hello.' };

const BUSY = { status: 503, json: { error: 'no' }, headers: { 'mayfly-error': 'too-many-inspections' } };

/** What the service, or what stands before it, may answer. */
const REFUSALS = {
  401: { error: 'no', code: 'wrong-key' },
  404: { error: 'no', code: 'no-such-email' },
  429: { error: 'no', code: 'too-many-requests' },
  500: { error: 'no', code: 'internal' },
  503: { error: 'no', code: 'too-many-inspections' },
} as const;

describeInBrowser('what goes wrong is said in words of the page', (browser) => {
  afterAll(endAll);

  /** Has requests to a path refused, until it is told to stop. */
  const refuse = async (page: Page, path: string, status: keyof typeof REFUSALS) => {
    const { error, code } = REFUSALS[status];
    await page.route(path, (route) =>
      route.fulfill({ status, json: { error }, headers: { 'mayfly-error': code, 'retry-after': '1' } }),
    );
    return () => page.unroute(path);
  };
  const withMail = async () => {
    const mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off']);
    const smtp = transportTo(mayfly);
    await smtp.sendMail({ to: 'demo@inbox.example.com', ...MAIL });
    smtp.close();
    return { mayfly, page: await browser.open('about:blank') };
  };

  test('nothing is live before something was listed, and a limit is said to be one', async () => {
    const { mayfly, page } = await withMail();
    const allow = await refuse(page, '**/summary?**', 429);
    await page.goto(`${mayfly.url}/inbox/demo`);
    await page.getByText('Too many requests from your address.').waitFor();
    expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
    await allow();
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.locator('.row', { hasText: 'A mail' }).waitFor();
  });

  test('nothing is live while the first list is on its way', async () => {
    const { mayfly, page } = await withMail();
    const held: Route[] = [];
    await page.route('**/summary?**', (route) => {
      held.push(route);
    });
    await page.goto(`${mayfly.url}/inbox/demo`);
    await page.getByText('demo@inbox.example.com').first().waitFor();
    expect(await page.locator('.connection').textContent()).toBe('Opening');
    for (const route of held) await route.continue();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('an inbox that cannot be read is tried again when asked', async () => {
    const { mayfly, page } = await withMail();
    // An answer that no trying again mends, as of another service at this address.
    await page.route('**/summary?**', (route) => route.fulfill({ body: 'Hello' }));
    await page.goto(`${mayfly.url}/inbox/demo`);
    await page.getByRole('heading', { name: 'This inbox cannot be read' }).waitFor();
    await page.unroute('**/summary?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.row', { hasText: 'A mail' }).waitFor();
  });

  test.each([
    [401, 'This inbox needs another API key.'],
    [429, 'Too many requests came from your address.'],
    [500, 'Mayfly answered with an error (500).'],
    [503, 'Mayfly is busy with other messages.'],
  ] as const)('what a mail holds, refused with %i, says "%s" and is asked for again', async (status, words) => {
    const { mayfly, page } = await withMail();
    const allow = await refuse(page, '**/parts', status);
    await page.goto(`${mayfly.url}/inbox/demo`);
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
    await allow();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('tabpanel', { name: 'Text' }).getByText('Hello.').waitFor();
  });

  test('a service that is busy is asked again, without a word about it', async () => {
    const { mayfly, page } = await withMail();
    let [parts, previews] = [0, 0];
    await page.route('**/parts', (route) => (++parts > 2 ? route.fallback() : route.fulfill(BUSY)));
    await page.route('**/html', (route) => (++previews > 2 ? route.fallback() : route.fulfill(BUSY)));
    await page.addInitScript(() => {
      Object.assign(window, { alerts: [] });
      new MutationObserver(() => {
        for (const alert of document.querySelectorAll('.mail > * [role=alert]')) {
          (window as unknown as { alerts: (string | null)[] }).alerts.push(alert.textContent);
        }
      }).observe(document, { subtree: true, childList: true });
    });
    await page.goto(`${mayfly.url}/inbox/demo`);
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('tabpanel', { name: 'Text' }).getByText('Hello.').waitFor();
    expect(parts).toBe(3);
    expect(await page.evaluate(() => (window as unknown as { alerts: string[] }).alerts)).toEqual([]);
  });

  test('what went wrong is said once, with one way to try again', async () => {
    const { mayfly, page } = await withMail();
    await refuse(page, '**/parts', 500);
    await page.goto(`${mayfly.url}/inbox/demo`);
    for (const tab of ['Preview', 'Text', 'Links', 'Headers', 'HTML', 'Source']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('alert').filter({ hasText: 'Mayfly answered with an error (500).' }).waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).filter({ visible: true }).count()).toBe(1);
    }
  });

  test('what answers without being Mayfly is said to be that', async () => {
    const { mayfly, page } = await withMail();
    await page.route('**/summary?**', (route) => route.fulfill({ body: 'Hello' }));
    await page.goto(`${mayfly.url}/inbox/demo`);
    await page.getByRole('alert').filter({ hasText: 'This address is not Mayfly' }).waitFor();
  });

  test('a start page whose service is away says so, and goes on when it is back', async () => {
    const { mayfly, page } = await withMail();
    await page.route('**/api/settings', (route) => route.abort());
    await page.goto(mayfly.url);
    await page.getByRole('alert').filter({ hasText: 'Mayfly cannot be reached. Trying again…' }).waitFor();
    await page.unroute('**/api/settings');
    await page.getByRole('heading', { name: 'SMTP settings for your application' }).waitFor();
    expect(await page.getByText('Mayfly cannot be reached.').count()).toBe(0);
  });

  test('a preview that cannot be reached says so, and shows no page of the browser', async () => {
    const { mayfly, page } = await withMail();
    const gate = await startGate();
    onTestFinished(() => gate.close());
    await gate.lead(Number(new URL(mayfly.url).port));
    await page.goto(`${gate.url}/inbox/demo`);
    await page.frameLocator('iframe').getByText('Hello.').waitFor();
    const smtp = transportTo(mayfly);
    await smtp.sendMail({ to: 'demo@inbox.example.com', ...MAIL, subject: 'Another' });
    smtp.close();
    await page.locator('.row', { hasText: 'Another' }).waitFor();
    await gate.lead(null);
    await page.locator('.row', { hasText: 'Another' }).click({ position: { x: 60, y: 10 } });
    await page.getByRole('tabpanel').getByText('Mayfly cannot be reached.').waitFor();
    expect(await page.locator('iframe').isVisible()).toBe(false);
    await gate.lead(Number(new URL(mayfly.url).port));
    await page.getByRole('button', { name: 'Reload the preview' }).click();
    await page.frameLocator('iframe').getByText('Hello.').waitFor();
  });

  test('those who listen hear that the service went, and that it is back', async () => {
    const { mayfly, page } = await withMail();
    const gate = await startGate();
    onTestFinished(() => gate.close());
    const port = Number(new URL(mayfly.url).port);
    await gate.lead(port);
    await page.goto(`${gate.url}/inbox/demo`);
    await page.getByText('Live', { exact: true }).waitFor();
    const heard = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });
    await gate.lead(null);
    await heard('Mayfly cannot be reached. Trying again.');
    await gate.lead(port);
    await heard('Mayfly is back.');
  });

  test.each([390, 768, 1440])('what is wrong can be read whole at a width of %i', async (width) => {
    const { mayfly, page } = await withMail();
    await page.setViewportSize({ width, height: 800 });
    await page.route('**/api/inbox/**', (route) => route.abort());
    await page.goto(`${mayfly.url}/inbox/${'n'.repeat(64)}`);
    const line = page.getByText('Mayfly cannot be reached. Trying again…');
    await line.waitFor();
    const end = async (part: Locator) => {
      const box = await part.boundingBox();
      return (box?.x ?? 0) + (box?.width ?? Number.POSITIVE_INFINITY);
    };
    expect(await end(line)).toBeLessThanOrEqual(width);
    expect(await end(page.getByRole('button', { name: 'Try now' }))).toBeLessThanOrEqual(width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.goto(`${mayfly.url}/inbox/${'x'.repeat(70)}`);
    await page.getByRole('heading', { name: 'This is not an inbox name' }).waitFor();
    expect(await page.locator('.notice').evaluate((notice) => notice.scrollWidth <= notice.clientWidth)).toBe(true);
  });

  test('a mail that is gone by the time it is opened says so', async () => {
    const { mayfly, page } = await withMail();
    await refuse(page, '**/parts', 404);
    await page.goto(`${mayfly.url}/inbox/demo`);
    await page.getByRole('alert').filter({ hasText: 'This email was deleted.' }).waitFor();
    expect(await page.locator('.mail .title').textContent()).toBe('A mail');
  });

  test('a path that does not exist is a page in a browser, and an error for everybody else', async () => {
    const { mayfly, page } = await withMail();
    const response = await page.goto(`${mayfly.url}/inboxes/demo`);
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.getByRole('heading', { name: 'An inbox for every test.' }).waitFor();
    const plain = await fetch(`${mayfly.url}/inboxes/demo`);
    expect([plain.status, plain.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });
});
