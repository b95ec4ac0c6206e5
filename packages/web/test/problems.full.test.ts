import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page, Route } from '@playwright/test';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { endAll, serve, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser, SHOWN_FRAME } from './browser.js';
import { startGate } from './listener.js';

const MAIL = { from: 'a@app.test', subject: 'A mail', text: 'Hello.' };

/** Error responses of the service or of a proxy. */
const REFUSALS = {
  401: { error: 'no', code: 'wrong-key' },
  404: { error: 'no', code: 'no-such-email' },
  429: { error: 'no', code: 'too-many-requests' },
  500: { error: 'no', code: 'internal' },
  503: { error: 'no', code: 'too-many-inspections' },
} as const;

describeInBrowser('problems on the page', (browser) => {
  afterAll(endAll);

  /** Fails requests to a path until the returned function is called. The page does not retry within the test. */
  const refuse = async (page: Page, path: string, status: keyof typeof REFUSALS) => {
    const { error, code } = REFUSALS[status];
    await page.route(path, (route) =>
      route.fulfill({ status, json: { error }, headers: { 'mayfly-error': code, 'retry-after': '600' } }),
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

  test('the page shows Live only once it has listed the emails, and reports a rate limit', async () => {
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

  // Simulates a permanent failure, such as another service at this URL, or a proxy that has lost Mayfly.
  test.each([{ body: 'Hello' }, { status: 404 }])('after %j, "Try again" reads an inbox again', async (answer) => {
    const { mayfly, page } = await withMail();
    await page.route('**/summary?**', (route) => route.fulfill(answer));
    await page.goto(`${mayfly.url}/inbox/demo`);
    await page.getByRole('heading', { name: 'This inbox cannot be read' }).waitFor();
    await page.unroute('**/summary?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.row', { hasText: 'A mail' }).waitFor();
  });

  // Values of other types froze the page.
  test.each([
    ['**/summary?**', '/inbox/demo'],
    ['**/api/emails?**', '/all'],
  ])('a list at %s with wrong values is shown without them, and one without times is not', async (path, at) => {
    const { mayfly, page } = await withMail();
    const time = '2026-11-30T06:00:00.000Z';
    const wrong = { from: [1], to: {}, fromName: {}, text: 5, code: {}, otp: {}, magicLink: [] };
    let email: object = { receivedAt: time, inbox: 'demo', subject: 'Wrong values', size: 9, ...wrong };
    await page.route(path, (route) => route.fulfill({ json: { emails: [email], count: 1, next: null } }));
    await page.goto(`${mayfly.url}${at}`);
    await page.locator('.row', { hasText: 'Wrong values' }).waitFor();
    email = {};
    await page.goto(`${mayfly.url}${at}`);
    await page.getByText('The server is not Mayfly, or has another version.').waitFor();
  });

  test('contents of an email with wrong values are not shown, and the list stays', async () => {
    const { mayfly, page } = await withMail();
    const thrown: unknown[] = [];
    page.on('pageerror', (error) => thrown.push(error));
    const [{ receivedAt }] = (await (await fetch(`${mayfly.url}/api/inbox/demo`)).json()).emails;
    const right = await (await fetch(`${mayfly.url}/api/inbox/demo/${receivedAt}/parts`)).json();
    const reasons = [{ text: {} }];
    const wrongs = {
      ...{ envelope: {}, sendApi: {}, from: [{}], to: [{ name: 1 }], cc: 'all', replyTo: [null] },
      ...{ headers: [{ name: 'A', value: {} }], parts: [{ ...right.parts[0], filename: {} }], text: {}, html: [1] },
      ...{ links: [{ url: 'https://a.test', text: 'A', reasons }], codes: [{}], incomplete: {} },
    };
    expect(Object.keys(wrongs).sort()).toEqual(Object.keys(right).sort());
    for (const wrong of Object.entries(wrongs)) {
      await page.route('**/parts', (route) => route.fulfill({ json: { ...right, ...Object.fromEntries([wrong]) } }));
      await page.goto(`${mayfly.url}/inbox/demo?tab=headers`);
      await page.getByRole('tabpanel').getByText('The server is not Mayfly, or has another version.').waitFor();
      await page.locator('.row', { hasText: 'A mail' }).waitFor();
      await page.unroute('**/parts');
    }
    expect(thrown).toEqual([]);
  });

  test('a value that cannot be shown leads to a notice, and not to a page that stands still', async () => {
    const { mayfly, page } = await withMail();
    const attempts = [{ at: '2026-11-30T06:00:00.000Z', from: {} }];
    await page.route('**/attempts', (route) => route.fulfill({ json: { attempts, waits: [], elsewhere: [] } }));
    await page.goto(`${mayfly.url}/inbox/demo`);
    await page.getByRole('heading', { name: 'This page has failed' }).waitFor();
    await page.unroute('**/attempts');
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.locator('.row', { hasText: 'A mail' }).waitFor();
  });

  test.each([
    [429, 'Too many requests came from your address.'],
    [500, 'Mayfly answered with an error (500).'],
    [503, 'Mayfly is busy with other messages.'],
  ] as const)('status %i for the contents of an email shows "%s", and a button to retry', async (status, words) => {
    const { mayfly, page } = await withMail();
    const allow = await refuse(page, '**/parts', status);
    await page.goto(`${mayfly.url}/inbox/demo`);
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
    await allow();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('tabpanel', { name: 'Text' }).getByText('Hello.').waitFor();
  });

  test('the start page reports that the service is away, and continues once it is back', async () => {
    const { mayfly, page } = await withMail();
    await page.route('**/api/settings', (route) => route.abort());
    await page.goto(mayfly.url);
    await page.getByText('Mayfly cannot be reached. Trying again…').waitFor();
    await page.unroute('**/api/settings');
    await page.locator('.row').waitFor();
    expect(await page.getByText('Mayfly cannot be reached.').count()).toBe(0);
  });

  test('a preview that fails to load shows neither an error page nor the previous email, and loads later', async () => {
    const { mayfly, page } = await withMail();
    const gate = await startGate();
    onTestFinished(() => gate.close());
    await gate.lead(Number(new URL(mayfly.url).port));
    await page.goto(`${gate.url}/inbox/demo`);
    await page.frameLocator(SHOWN_FRAME).getByText('Hello.').waitFor();
    const smtp = transportTo(mayfly);
    await smtp.sendMail({ to: 'demo@inbox.example.com', ...MAIL, subject: 'Another' });
    smtp.close();
    await page.locator('.row', { hasText: 'Another' }).waitFor();
    await gate.lead(null);
    // As if the service came back right after the preview had failed.
    await page.route('**/healthz', (route) => route.fulfill());
    await page.locator('.row', { hasText: 'Another' }).click({ position: { x: 60, y: 10 } });
    await page.locator('.frames[hidden]').waitFor({ state: 'attached' });
    expect(await page.locator('iframe:visible').count()).toBe(0);
    const held = new Promise<Route>((resolve) => void page.route('**/html', resolve));
    await gate.lead(Number(new URL(mayfly.url).port));
    const request = await held;
    expect(await page.locator('iframe[data-visible=true]').count()).toBe(0);
    await request.continue();
    await page.unroute('**/html');
    await page.frameLocator(SHOWN_FRAME).getByText('Hello.').waitFor();
  });

  test('a response of more than 16 MiB ends with a message', async () => {
    const { mayfly, page } = await withMail();
    await page.route('**/summary?**', (route) => route.fulfill({ body: ' '.repeat(2 ** 24 + 1) }));
    await page.goto(`${mayfly.url}/inbox/demo`);
    await page.getByText('The answer is larger than this page can show.').waitFor();
  });

  test('a response that trickles for more than five minutes ends with a message', async () => {
    const { mayfly, page } = await withMail();
    let slow: ServerResponse | undefined;
    const proxy = createServer(async ({ url = '' }, response) => {
      if (!url.includes('/summary')) {
        const answer = await fetch(mayfly.url + url);
        response.setHeader('content-type', answer.headers.get('content-type') ?? '');
        response.end(new Uint8Array(await answer.arrayBuffer()));
        return;
      }
      slow = response;
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void proxy.close().closeAllConnections());
    await page.clock.install();
    await page.goto(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/inbox/demo`);
    const isEnded = async () => {
      slow?.write(' ');
      // Less than the silence that the page accepts.
      await page.clock.runFor(5_000);
      return page.getByText('The answer took longer than 5 minutes.').count();
    };
    await expect.poll(isEnded, { interval: 100 }).toBe(1);
  });

  test('an unknown path shows a page in a browser, and returns an error to other clients', async () => {
    const { mayfly, page } = await withMail();
    const response = await page.goto(`${mayfly.url}/inboxes/demo`);
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.getByRole('heading', { name: 'All mail' }).waitFor({ state: 'attached' });
    const plain = await fetch(`${mayfly.url}/inboxes/demo`);
    expect([plain.status, plain.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });
});
