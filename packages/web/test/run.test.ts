import type { BrowserContextOptions, Page } from '@playwright/test';
import type { ReportedTest, RunOutcome, RunResponse } from 'mayfly-client';
import { newRunSecret } from 'mayfly-protocol/run-secret';
import { expect, test } from 'vitest';
import { clipboard, describeInBrowser, freshName } from './browser.js';
import { sharedMayfly, WORKSPACE } from './shared-mayfly.js';

const HOSTILE = '<img src=x onerror="document.title=1">\u202e';

describeInBrowser('the page of a run', (browser) => {
  const mayfly = sharedMayfly(['--domain', 'inbox.example.com']);

  const open = (secret: string, hash = '', options?: BrowserContextOptions) =>
    browser.open(`${mayfly.url}/run/${secret}${hash}`, options);

  async function report(secret: string, tests: readonly ReportedTest[], key?: string): Promise<void> {
    const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
    const init = { method: 'POST', headers, body: JSON.stringify({ tests }) };
    expect((await fetch(`${mayfly.url}/api/run/${secret}`, init)).status).toBe(200);
  }

  const aTest = (id: string, outcome: RunOutcome, inbox: string, more: Partial<ReportedTest> = {}): ReportedTest => ({
    ...{ id, title: `title of ${id}`, outcome, inboxes: [`${inbox}@inbox.example.com`], error: null, waits: [] },
    ...more,
  });

  const send = (inbox: string, subject: string, text = 'Hello') =>
    mayfly.smtp.sendMail({ from: 'app@app.test', to: `${inbox}@inbox.example.com`, subject, text });

  const cardOf = (page: Page, title: string) => page.locator('.run-test', { has: page.getByText(title) });

  test('the page of a run opens failed tests, folds passed ones by file, and shows new mail and errors', async () => {
    const [secret, jane, bob] = [newRunSecret(), freshName(), freshName()];
    const waits = [{ to: bob, text: 'Waited 5 s for an email. No email came.' }];
    const page = await open(secret);
    await page.getByRole('heading', { name: 'No test yet' }).waitFor();
    const error = 'It failed.\n\nExpected: 1\nReceived: 2';
    await report(secret, [
      aTest('one', 'passed', jane, { title: 'a.spec.ts › title of one' }),
      aTest('two', 'failed', bob, { title: 'b.spec.ts › title of two', waits, error }),
      aTest('three', 'passed', freshName(), { title: 'b.spec.ts › title of three' }),
    ]);
    await send(jane, HOSTILE, 'Code: 482913');
    await page.getByRole('status').filter({ hasText: '1 of 3 tests failed' }).waitFor();
    expect(await page.title()).toBe('1 failed – run – Mayfly');
    expect(await page.locator('.run-file-name').allTextContents()).toEqual(['b.spec.ts', 'a.spec.ts']);
    const [one, two] = [cardOf(page, 'title of one'), cardOf(page, 'title of two')];
    expect(await two.textContent()).toMatch(/Waited 5 s for an email\. No email came\.It failed\./);
    expect(await two.locator('[data-of=expected]').textContent()).toBe('Expected: 1\n');
    expect(await two.locator('[data-of=received]').textContent()).toBe('Received: 2\n');
    await two.getByText('No email arrived.', { exact: true }).waitFor();
    expect(await cardOf(page, 'title of three').count()).toBe(0);
    await page.locator('.run-file', { hasText: 'a.spec.ts' }).locator('summary').first().click();
    await one.locator('summary').click();
    await one.getByRole('button', { name: /482913/ }).waitFor();
    expect(await one.textContent()).toContain('<img src=x onerror="document.title=1">U+202E');
    expect(new URL(page.url()).hash).toBe('#one');
    await two.getByRole('link', { name: `${bob}@inbox.example.com` }).click();
    await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor();
  });

  test('a wait shows what it asked for, and why each email that arrived did not match', async () => {
    const secret = newRunSecret();
    const arrived = [{ subject: 'Your receipt', why: 'no code' }];
    const wait = { to: 'jane', text: 'Waited.', asked: 'an email with a code', arrived };
    const waits = [wait, { ...wait, text: 'Waited again.', arrived: [] }];
    await report(secret, [aTest('one', 'failed', freshName(), { waits, error: 'Error: Waited.' })]);
    const page = await open(secret);
    const [first, second] = [page.locator('.run-wait').nth(0), page.locator('.run-wait').nth(1)];
    expect(await first.innerText()).toMatch(
      /^Asked for\s+an email with a code\s+In\s+jane\s+Arrived\s+Your receipt – no code$/,
    );
    expect(await second.innerText()).toMatch(/Arrived\s+nothing\s+Why not\s+Waited again\.$/);
  });

  test('a test that passed in a retry is flaky and shows both attempts, but not another test with the same title', async () => {
    const secret = newRunSecret();
    const title = 'a.spec.ts › is unsure';
    await report(secret, [aTest('one', 'failed', freshName(), { title, error: 'Too slow' })]);
    await report(secret, [
      aTest('two', 'passed', freshName(), { title: `${title} (retry 1)` }),
      aTest('same', 'failed', freshName(), { title: 'twice' }),
      aTest('same-title', 'passed', freshName(), { title: 'twice' }),
    ]);
    const page = await open(secret, '#two');
    await page.getByText('1 of 3 tests failed').waitFor();
    await cardOf(page, 'is unsure').getByText('2 attempts').waitFor();
    expect(await page.locator('#one').innerText()).toMatch(/^Attempt 1: failed\s+Too slow/);
    expect(await page.locator('#two').getAttribute('data-chosen')).toBe('true');
  });

  test('filters, the chosen test and the email on screen are in the URL, and Back and a reload restore them', async () => {
    const [secret, jane] = [newRunSecret(), freshName()];
    await report(secret, [
      aTest('one', 'failed', jane, { title: 'a.spec.ts › reads mail' }),
      aTest('two', 'failed', freshName(), { title: 'b.spec.ts › waits', error: 'Too late' }),
      aTest('three', 'passed', freshName(), { title: 'b.spec.ts › passes' }),
    ]);
    await send(jane, 'Hello Jane');
    const page = await open(secret, '', { viewport: { width: 1280, height: 800 } });
    const shown = () => page.locator('.run-name').allTextContents();
    await page.getByText('3 tests', { exact: true }).waitFor();
    await page.getByRole('radio', { name: '2 failed' }).check({ force: true });
    await page.getByLabel('File').selectOption('b.spec.ts');
    await page.getByRole('searchbox').fill('late');
    await expect.poll(() => new URL(page.url()).search).toBe('?q=late&outcome=failed&file=b.spec.ts');
    await page.reload();
    await expect.poll(shown).toEqual(['waits']);
    await page.getByRole('searchbox').fill('');
    await page.getByLabel('File').selectOption('');
    await page.getByRole('link', { name: 'Hello Jane' }).click();
    const mail = page.getByRole('article', { name: 'Email' });
    await mail.getByRole('heading', { name: 'Hello Jane' }).waitFor();
    expect(await cardOf(page, 'reads mail').isVisible()).toBe(true);
    expect(new URL(page.url()).hash).toMatch(/^#one\/\d{4}-.*Z\/test-/);
    await page.reload();
    await mail.getByRole('heading', { name: 'Hello Jane' }).waitFor();
    await mail.getByRole('link', { name: 'failed reads mail' }).click();
    await mail.waitFor({ state: 'detached' });
    expect(new URL(page.url()).hash).toBe('#one');
    await page.goBack();
    await mail.getByRole('heading', { name: 'Hello Jane' }).waitFor();
  });

  test('keys lead from email to email of the open tests, and back to the report', async () => {
    const [secret, jane, bob] = [newRunSecret(), freshName(), freshName()];
    await report(secret, [aTest('one', 'failed', jane), aTest('two', 'failed', bob)]);
    await send(jane, 'For Jane', 'Your code is 482913');
    await send(bob, 'For Bob');
    const page = await open(secret, '', { viewport: { width: 1280, height: 800 } });
    await page.getByRole('link', { name: 'For Jane' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const title = page.getByRole('article', { name: 'Email' }).locator('.title');
    await expect.poll(() => title.textContent()).toBe('For Jane');
    await page.keyboard.press('c');
    expect(await clipboard(page)).toBe('482913');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => title.textContent()).toBe('For Bob');
    expect(new URL(page.url()).hash).toMatch(/^#two\//);
    await page.keyboard.press('Escape');
    await title.waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    expect(await page.getByRole('searchbox').evaluate((field) => field === document.activeElement)).toBe(true);
  });

  test("the page of a run shows the test in the URL's fragment, also after a change, and sends no referrer", async () => {
    const secret = newRunSecret();
    const inbox = freshName();
    const tests = Array.from({ length: 60 }, (_, at) => aTest(`t${at}`, 'failed', inbox, { error: 'x\n'.repeat(20) }));
    await report(secret, tests);
    const page = await open(secret, '#t59');
    const isInView = (id: string) =>
      page.locator(`#${id}`).evaluate((attempt) => {
        const { top } = attempt.getBoundingClientRect();
        return top >= 0 && top < innerHeight;
      });
    await expect.poll(() => isInView('t59')).toBe(true);
    await page.evaluate(() => {
      location.hash = '#t2';
    });
    await expect.poll(() => isInView('t2')).toBe(true);
    const response = await page.request.get(`${mayfly.url}/run/${secret}`);
    expect(response.headers()['referrer-policy']).toBe('no-referrer');
  });

  test('the page of a run reports an outage, and then shows mail that arrived meanwhile', async () => {
    const [secret, jane] = [newRunSecret(), freshName()];
    await report(secret, [aTest('one', 'failed', jane)]);
    const page = await open(secret);
    await page.getByText('title of one').waitFor();
    await page.route('**/api/run/**', (route) => route.abort());
    await page.getByText('Mayfly cannot be reached.').waitFor();
    expect(await cardOf(page, 'title of one').isVisible()).toBe(true);
    await send(jane, 'Afterwards');
    await page.unroute('**/api/run/**');
    await page.locator('.row', { hasText: 'Afterwards' }).waitFor();
    expect(await page.getByText('Mayfly cannot be reached.').count()).toBe(0);
    expect((await page.locator('.row').boundingBox())?.height).toBe(56);
  });

  test('a run that expires stays on the page, which says so', async () => {
    const secret = newRunSecret();
    await report(secret, [aTest('one', 'failed', freshName())]);
    const page = await open(secret);
    await page.getByText('title of one').waitFor();
    await page.route(`**/api/run/${secret}*`, async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, tests: [], next: null } });
    });
    await page.getByText('This run has expired.').waitFor();
    expect(await cardOf(page, 'title of one').isVisible()).toBe(true);
  });

  test('the page of a run reads 5,000 tests, and filters them', async () => {
    const secret = newRunSecret();
    for (let from = 0; from < 5_000; from += 100) {
      const tests = Array.from({ length: 100 }, (_, at) => {
        return aTest(`t${from + at}`, at === 0 ? 'failed' : 'passed', freshName(), {
          ...{ inboxes: [], title: `f${(from + at) % 40}.spec.ts › test ${from + at}` },
        });
      });
      await report(secret, tests);
    }
    const page = await open(secret);
    await page.getByText('50 of 5000 tests failed').waitFor();
    await page.getByRole('radio', { name: '4,950 passed' }).check({ force: true });
    await page.getByText('test 4999', { exact: true }).waitFor();
    expect(await page.locator('.run-test').count()).toBe(4_950);
  });

  test('hostile titles and errors, even of a megabyte, leave the page readable', async () => {
    const secret = newRunSecret();
    const title = `\u202e${'\u0007'.repeat(20)}<b>`;
    await report(secret, [aTest('one', 'failed', freshName(), { title, error: '\u202e+ <img src=x>\n'.repeat(100) })]);
    const page = await open(secret);
    expect(await page.locator('.run-name').textContent()).toBe(`U+202E${'U+0007'.repeat(20)}<b>`);
    await page.route(`**/api/run/${secret}*`, async (route) => {
      const answer: RunResponse = await (await route.fetch()).json();
      const error = `${'\u0000\u202e'.repeat(1_000)}${'\n'.repeat(1_000_000)}`;
      const tests = answer.tests.map((one) => ({ ...one, title: 'large', error }));
      await route.fulfill({ json: { ...answer, tests } });
    });
    await page.getByText('large').waitFor();
    expect((await page.locator('.run-error').textContent())?.startsWith('[U+0000][U+202E]')).toBe(true);
    expect(await page.locator('.run-line').count()).toBeLessThan(1_000);
  });

  test('a link with a wrong secret says what a secret is', async () => {
    const page = await open('abc');
    await page.getByRole('heading', { name: 'This is not the secret of a run' }).waitFor();
  });

  test("the page of a run asks for the API key of the workspace that owns the run's mail", async () => {
    const [secret, inbox] = [newRunSecret(), `acme-${freshName()}`];
    await report(secret, [aTest('one', 'passed', inbox)], 'acme-key-of-16-chars');
    await send(inbox, 'For acme');
    const page = await open(secret);
    await page.getByText('1 passed').first().click();
    await page.locator('.run-test summary').click();
    await page.getByText("it needs the key or credentials of the inbox's workspace.").waitFor();
    await page.getByLabel('API key of your workspace').fill(WORKSPACE);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('link', { name: 'For acme' }).waitFor();
  });

  test('the page of a run shows reported inboxes with invalid names', async () => {
    const secret = newRunSecret();
    const inboxes = ['half \ud800 of a letter', '100%', 'x?source=y#z', '/../../api/emails'];
    await report(secret, [{ ...aTest('one', 'failed', freshName()), inboxes }]);
    const page = await open(secret);
    await cardOf(page, 'title of one').waitFor();
    const links = await cardOf(page, 'title of one').getByRole('link').all();
    expect(links.length).toBe(inboxes.length);
    for (const [at, link] of links.entries()) {
      const { pathname, search, hash } = new URL((await link.getAttribute('href')) as string, mayfly.url);
      expect([decodeURIComponent(pathname), search, hash]).toEqual([
        `/inbox/${(inboxes[at] as string).replace('\ud800', '\ufffd')}`,
        ...['', ''],
      ]);
    }
  });
});
