import type { ReportedTest, RunOutcome } from 'mayfly-client';
import { newRunSecret } from 'mayfly-protocol/run-secret';
import { expect, test } from 'vitest';
import { describeInBrowser, freshName } from './browser.js';
import { sharedMayfly, WORKSPACE } from './shared-mayfly.js';

const HOSTILE = '<img src=x onerror="document.title=1">\u202e';

describeInBrowser('the page of a run', (browser) => {
  const mayfly = sharedMayfly(['--domain', 'inbox.example.com']);

  const open = (secret: string, hash = '') => browser.open(`${mayfly.url}/run/${secret}${hash}`);

  async function report(secret: string, tests: readonly ReportedTest[], key?: string): Promise<void> {
    const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
    const init = { method: 'POST', headers, body: JSON.stringify({ tests }) };
    expect((await fetch(`${mayfly.url}/api/run/${secret}`, init)).status).toBe(200);
  }

  const aTest = (id: string, outcome: RunOutcome, inbox: string, more: Partial<ReportedTest> = {}): ReportedTest => ({
    ...{ id, title: `title of ${id}`, outcome, inboxes: [`${inbox}@inbox.example.com`], error: null, waits: [] },
    ...more,
  });

  test('the page of a run shows new mail and errors next to their test, and inboxes without mail', async () => {
    const [secret, jane, bob] = [newRunSecret(), freshName(), freshName()];
    const waits = [{ to: bob, text: 'Waited 5 s for an email. No email came.' }];
    const page = await open(secret);
    await page.getByText('No test of this run has used an inbox yet').waitFor();
    await report(secret, [aTest('one', 'passed', jane), aTest('two', 'failed', bob, { waits, error: 'It failed.' })]);
    await mayfly.smtp.sendMail({
      from: 'app@app.test',
      to: `${jane}@inbox.example.com`,
      subject: HOSTILE,
      text: 'Code: 482913',
    });
    await page.getByRole('status').filter({ hasText: '2 tests: 1 passed, 1 failed. No email came to 1.' }).waitFor();
    const [one, two] = [
      page.getByRole('row', { name: /title of one/ }),
      page.getByRole('row', { name: /title of two/ }),
    ];
    await one.getByRole('button', { name: /482913/ }).waitFor();
    expect(await one.textContent()).toContain('<img src=x onerror="document.title=1">U+202E');
    expect(await two.textContent()).toMatch(/Waited 5 s for an email\. No email came\.It failed\..*No email came\.$/);
    expect(await page.title()).toBe('1 failed – run – Mayfly');
    await page.getByLabel('Failed only').check();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await two.getByRole('link', { name: `${bob}@inbox.example.com` }).click();
    await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor();
  });

  test("the page of a run highlights the test in the URL's fragment, and sends no referrer", async () => {
    const secret = newRunSecret();
    await report(secret, [aTest('one', 'failed', freshName()), aTest('two', 'failed', freshName())]);
    const page = await open(secret, '#two');
    expect(await page.locator('.run-chosen').textContent()).toContain('title of two');
    const response = await page.request.get(`${mayfly.url}/run/${secret}`);
    expect(response.headers()['referrer-policy']).toBe('no-referrer');
  });

  test("the page of a run asks for the API key of the workspace that owns the run's mail", async () => {
    const [secret, inbox] = [newRunSecret(), `acme-${freshName()}`];
    await report(secret, [aTest('one', 'passed', inbox)], 'acme-key-of-16-chars');
    await mayfly.smtp.sendMail({
      from: 'app@app.test',
      to: `${inbox}@inbox.example.com`,
      subject: 'For acme',
      text: 'Hello',
    });
    const page = await open(secret);
    await page.getByText("Not shown without the API key or the credentials of the inbox's workspace.").waitFor();
    await page.getByLabel('API key of your workspace').fill(WORKSPACE);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('link', { name: 'For acme' }).waitFor();
  });

  test('the page of a run shows reported inboxes with invalid names', async () => {
    const secret = newRunSecret();
    const inboxes = ['half \ud800 of a letter', '100%', 'x?source=y#z', '/../../api/emails'];
    await report(secret, [{ ...aTest('one', 'failed', freshName()), inboxes }, aTest('two', 'passed', freshName())]);
    const page = await open(secret);
    await page.getByRole('row', { name: /title of two/ }).waitFor();
    const links = await page
      .getByRole('row', { name: /title of one/ })
      .getByRole('link')
      .all();
    expect(links.length).toBe(inboxes.length);
    for (const [at, link] of links.entries()) {
      const { pathname, search, hash } = new URL((await link.getAttribute('href')) as string, mayfly.url);
      expect([decodeURIComponent(pathname), search, hash]).toEqual([
        `/inbox/${(inboxes[at] as string).replace('\ud800', '\ufffd')}`,
        ...['', ''],
      ]);
    }
  });

  test('the page of a run says what to do if its code fails to load, for example after an update', async () => {
    const page = await browser.open('about:blank');
    await page.route('**/run-page-*.js', (route) => route.abort());
    await page.goto(`${mayfly.url}/run/${newRunSecret()}`);
    await page.getByText('The run could not be loaded. Reload the page.').waitFor();
    await page.unroute('**/run-page-*.js');
    await page.reload();
    await page.getByText('No test of this run has used an inbox yet').waitFor();
  });
});
