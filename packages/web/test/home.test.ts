import { newRunSecret } from 'mayfly-protocol/run-secret';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, type RunningMayfly, serve } from '../../server/test/service/process.js';
import { clipboard, describeInBrowser } from './browser.js';

describeInBrowser('the start page', (browser) => {
  let mayfly: RunningMayfly;

  beforeAll(async () => {
    const domains = ['--domain', 'mail.example', '--domain', '*'];
    mayfly = await serve(['--store', 'memory:', ...domains, '--retention', '10m', '--waitlist']);
  });

  afterAll(endAll);

  const open = (options = {}) => browser.open(mayfly.url, options);

  test('the start page shows an address, keeps it across a reload, and opens its inbox', async () => {
    const page = await open();
    const copy = page.getByRole('button', { name: /^Copy address \S+@mail\.example$/ });
    await copy.click();
    const first = await clipboard(page);
    expect(first).toMatch(/^[a-z]+-[a-z]+-[a-z2-7]{12}@mail\.example$/);
    await page.reload();
    await page.getByRole('button', { name: `Copy address ${first}` }).waitFor();
    await page.getByRole('link', { name: 'Open its inbox' }).click();
    await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor();
    expect(page.url()).toBe(`${mayfly.url}/inbox/${first.split('@')[0]}`);
    await page.getByRole('button', { name: 'Inboxes' }).click();
    await page.getByRole('button', { name: 'New address' }).click();
    await expect.poll(() => page.url()).not.toContain(first.split('@')[0]);
    await copy.waitFor();
  });

  test('the start page shows how long mail is kept, and the host and port for SMTP', async () => {
    const page = await open();
    await page.getByText('It is deleted after 10 min.').waitFor();
    const facts = await page.locator('.facts dd').allTextContents();
    expect(facts.slice(0, 2)).toEqual(['127.0.0.1', String(mayfly.smtpPort)]);
  });

  test('the start page opens the inbox of a chosen name, and rejects an invalid name', async () => {
    const page = await open();
    const name = page.getByLabel('Or choose a name');
    await name.fill('a..b');
    await name.press('Enter');
    await page.getByText('"a..b" is not an inbox name.').waitFor();
    await name.fill('My-Test@mail.example');
    await name.press('Enter');
    await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor();
    expect(page.url()).toBe(`${mayfly.url}/inbox/my-test`);
  });

  test('the start page puts an address on the waitlist, or says why not', async () => {
    const page = await open();
    const join = async (email: string) => {
      await page.getByLabel('Notify me when Workspaces launch').fill(email);
      await page.getByRole('button', { name: 'Join the waitlist' }).click();
    };
    await join('nobody');
    await page.getByText('That does not look like an email address.').waitFor();
    await page.route('**/api/waitlist', (route) => route.fulfill({ status: 429, json: { error: 'no' } }));
    await join('ada@app.test');
    await page.getByText('Too many requests came from your address.').waitFor();
    await page.unroute('**/api/waitlist');
    await page.route('**/api/waitlist', (route) => route.abort());
    await join('ada@app.test');
    await page.getByText('Mayfly cannot be reached').waitFor();
    await page.unroute('**/api/waitlist');
    await join('ada@app.test');
    await page.getByText('ada@app.test is on the waitlist.').waitFor();
  });

  test('the start page works if the browser blocks storage, or if the stored key is invalid', async () => {
    const page = await browser.open('about:blank');
    // Simulates a browser that blocks all cookies.
    await page.addInitScript(() => {
      const get = () => {
        throw new DOMException('Access is denied.', 'SecurityError');
      };
      for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(window, name, { get });
    });
    await page.goto(mayfly.url);
    await page.getByText('I have an API key').click();
    await page.getByLabel('API key of your workspace').fill('acme=secret-of-16-letters');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('heading', { name: 'Wrong API key' }).waitFor();
    await page.getByText('Workspace acme').waitFor();

    const other = await browser.open('about:blank');
    await other.addInitScript(() => sessionStorage.setItem('mayfly-api-key', 'of another version'));
    await other.goto(mayfly.url);
    await other.getByRole('button', { name: /^Copy address [a-z]+-[a-z]+-[a-z2-7]{12}@/ }).waitFor();
  });

  test('the toolbar lists the last five inboxes and the last runs of this browser, and forgets them on request', async () => {
    const page = await open();
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'two']) {
      await page.goto(`${mayfly.url}/inbox/${name}`);
      await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor();
    }
    const secret = newRunSecret();
    await page.goto(`${mayfly.url}/run/${secret}`);
    await page.getByRole('heading', { name: 'Test run' }).waitFor();
    await page.goto(`${mayfly.url}/inbox/six`);
    const menu = page.getByRole('button', { name: 'Inboxes' });
    const recent = page.getByRole('banner').getByRole('region', { name: 'Your last inboxes' });
    await menu.click();
    expect(await recent.getByRole('link').allTextContents()).toEqual(['six', 'two', 'five', 'four', 'three']);
    await page.keyboard.press('Escape');
    await recent.waitFor({ state: 'detached' });
    await menu.click();
    await recent.getByRole('button', { name: 'Forget these' }).click();
    await recent.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Runs' }).click();
    await page.getByRole('link', { name: secret }).click();
    await page.getByRole('heading', { name: 'Test run' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('mayfly-inboxes'))).toBeNull();
  });

  test.each([360, 2560])('the start page fits into a width of %i', async (width) => {
    const page = await open({ viewport: { width, height: 800 } });
    await page.getByRole('heading', { name: 'SMTP settings for your application' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
});
