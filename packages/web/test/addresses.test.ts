import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser } from './browser.js';

describeInBrowser('the inboxes of one name in two domains', (browser) => {
  let mayfly: RunningMayfly;

  beforeAll(async () => {
    mayfly = await serve(['--store', 'memory:', '--domain', 'a.test,b.test', '--fetch-limit', 'off']);
    for (const side of ['a', 'b']) {
      const mail = { from: 'app@app.test', subject: `For ${side}`, text: 'Hello', html: `<p>Hello ${side}</p>` };
      await transportTo(mayfly).sendMail({ to: `alice@${side}.test`, ...mail });
    }
  });

  afterAll(endAll);

  test.each([
    ['/inbox/alice', 'a', 'b'],
    ['/inbox/alice@a.test', 'a', 'b'],
    ['/inbox/Alice%40B.test', 'b', 'a'],
  ])('the page %s shows no mail of the inbox in the other domain', async (path, own, other) => {
    const page = await browser.open(mayfly.url + path);
    await page.locator('.row', { hasText: `For ${own}` }).click();
    await page.getByRole('button', { name: `Copy address alice@${own}.test` }).waitFor();
    await page.frameLocator('iframe').getByText(`Hello ${own}`).waitFor();
    expect(await page.locator('.row', { hasText: `For ${other}` }).count()).toBe(0);
  });

  test('the toolbar opens the inbox of an address, and rejects an invalid address', async () => {
    const page = await browser.open(mayfly.url);
    const inboxes = page.getByRole('button', { name: 'Inboxes' });
    await inboxes.click();
    const field = page.getByLabel('Or choose a name or an address');
    await field.fill('alice@b..test');
    await field.press('Enter');
    await page.getByText('"b..test" is not a domain.').waitFor();
    await field.fill('Alice@B.test');
    await field.press('Enter');
    await page.locator('.row', { hasText: 'For b' }).waitFor();
    expect(page.url()).toMatch(/\/inbox\/alice@b\.test(?:#|$)/);
    await page.goto(mayfly.url);
    await inboxes.click();
    await page.getByRole('navigation').getByRole('link', { name: 'alice@b.test' }).click();
    await page.locator('.row', { hasText: 'For b' }).waitFor();
  });

  test('the page of an address in another domain says that Mayfly accepts no mail for it', async () => {
    const page = await browser.open(`${mayfly.url}/inbox/alice@c.test`);
    await page.getByText('This Mayfly accepts no mail for the domain of this address.').first().waitFor();
  });
});
