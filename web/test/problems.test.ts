import type { Page } from '@playwright/test';
import { afterAll, expect, test } from 'vitest';
import { endAll, serve, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser } from './browser.js';

const MAIL = { from: 'a@app.test', subject: 'A mail', text: 'Hello.' };

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
    await smtp.sendMail({ to: 'demo@inbox.test', ...MAIL });
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
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.getByRole('heading', { name: 'An inbox for every test.' }).waitFor();
    const plain = await fetch(`${mayfly.url}/inboxes/demo`);
    expect([plain.status, plain.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });
});
