import type { Page } from '@playwright/test';
import { Mayfly, type ReportedTest } from 'mayfly-client';
import { newRunSecret } from 'mayfly-protocol/run-secret';
import { beforeAll, expect, test } from 'vitest';
import { clipboard, describeInBrowser, freshName, openRow } from './browser.js';
import { sharedMayfly } from './shared-mayfly.js';

/** More than the first page of the list of all mail. */
const EMAILS = 150;

const PHONE = { viewport: { width: 390, height: 844 } };

describeInBrowser("the page's state in its URL", (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);
  const send = (name: string, subject: string) =>
    mayfly.smtp.sendMail({ from: 'a@app.test', to: `${name}@inbox.example.com`, subject, html: '<p>Hello.</p>' });
  const title = (page: Page, subject: string) => page.locator('.mail .title', { hasText: subject }).waitFor();
  const top = (page: Page) => page.locator('.list').evaluate((list) => Math.round(list.scrollTop));
  const outcomeOf = (at: number) => (at % 2 === 0 ? 'failed' : 'passed');

  beforeAll(async () => {
    await send('other', 'Without a match');
    for (let n = 1; n <= EMAILS; n += 1) await send(`scrolled-${n}`, `Numbered ${n}.`);
  });

  test.each(['/', '/all'])(
    'Back and a reload restore the search, the scroll position and the row of all mail at %s',
    async (path) => {
      const page = await browser.open(mayfly.url + path);
      await page.getByRole('searchbox').fill('scrolled');
      await page.locator('.search-count', { hasText: String(EMAILS) }).waitFor();
      const row = page.locator('.row', { hasText: 'Numbered 25.' });
      await page.locator('.list').evaluate((list) => {
        list.scrollTop = 0.8 * list.scrollHeight;
      });
      await row.waitFor();
      const before = await top(page);
      const isAsBefore = async (url: RegExp) => {
        await row.waitFor();
        await expect.poll(() => top(page)).toBe(before);
        expect(page.url()).toMatch(url);
        expect(await page.getByRole('searchbox').inputValue()).toBe('scrolled');
      };
      await openRow(row);
      await title(page, 'Numbered 25.');
      await page.reload();
      await isAsBefore(new RegExp(`${path}\\?q=scrolled#[^/]+/scrolled-25$`));
      await title(page, 'Numbered 25.');
      await page.getByRole('link', { name: 'All mail' }).click();
      await page.locator('.row', { hasText: 'Numbered 150.' }).waitFor();
      await page.goBack();
      await isAsBefore(new RegExp(`${path}\\?q=scrolled#[^/]+/scrolled-25$`));
      await page.locator('.row-open[aria-current=true]', { hasText: 'Numbered 25.' }).waitFor();
      await page.goBack();
      await isAsBefore(new RegExp(`${path}\\?q=scrolled$`));
    },
  );

  test('the URL of an inbox holds the search, the email, its tab and its view, and opens them elsewhere', async () => {
    const name = freshName();
    for (const subject of ['Kettle one', 'Kettle two', 'Other']) await send(name, subject);
    const page = await browser.open(`${mayfly.url}/inbox/${name}`);
    await page.getByRole('searchbox').fill('kettle');
    await page.locator('.row', { hasText: 'Kettle one' }).click({ position: { x: 60, y: 10 } });
    await page.locator('.choice label', { hasText: '375' }).click();
    await page.locator('.choice label', { hasText: 'Dark' }).click();
    await page.getByRole('tab', { name: 'Why this code?' }).click();
    const shared = () => page.evaluate(() => location.search + location.hash.slice(0, 3));
    await expect.poll(shared).toBe('?tab=why&width=375&scheme=dark&q=kettle#20');
    const other = await browser.open(page.url());
    await page.reload();
    for (const opened of [page, other]) {
      await title(opened, 'Kettle one');
      await opened.getByRole('tab', { name: 'Why this code?', selected: true }).waitFor();
      expect(await opened.locator('.row .row-subject').allTextContents()).toEqual(['Kettle two', 'Kettle one']);
      expect(await opened.locator('.row mark').allTextContents()).toEqual(['Kettle', 'Kettle']);
      await opened.getByRole('tab', { name: 'Preview' }).click();
      expect(await opened.getByRole('radio', { name: '375' }).isChecked()).toBe(true);
      expect(await opened.getByRole('radio', { name: 'dark' }).isChecked()).toBe(true);
    }
  });

  test('on a phone, Back after "Inbox" leaves the inbox, and Back from an email restores the scroll position', async () => {
    const name = freshName();
    for (let n = 1; n <= 30; n += 1) await send(name, `Numbered ${n}.`);
    const page = await browser.open(mayfly.url, PHONE);
    await page.getByRole('button', { name: 'Inboxes' }).click();
    await page.getByLabel('Or choose a name or an address').fill(name);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const row = page.locator('.row', { hasText: 'Numbered 2.' });
    const open = async () => {
      await row.click({ position: { x: 60, y: 10 } });
      await title(page, 'Numbered 2.');
    };
    await page.locator('.list').evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await row.waitFor();
    const before = await top(page);
    await open();
    await page.goBack();
    await expect.poll(() => top(page)).toBe(before);
    await open();
    await page.getByRole('button', { name: 'Inbox', exact: true }).click();
    await expect.poll(() => top(page)).toBe(before);
    await page.goBack();
    await page.getByRole('heading', { name: 'All mail' }).waitFor({ state: 'attached' });
  });

  test('Escape closes an email that was chosen in the delivery log, and does not open the one before', async () => {
    const name = freshName();
    for (const subject of ['First', 'Second']) await send(name, subject);
    const page = await browser.open(`${mayfly.url}/inbox/${name}`, PHONE);
    await page.locator('.row', { hasText: 'First' }).click({ position: { x: 60, y: 10 } });
    await title(page, 'First');
    await page.keyboard.press('l');
    await page.getByRole('dialog').getByRole('link', { name: 'Second' }).click();
    await title(page, 'Second');
    await page.keyboard.press('Escape');
    await page.locator('.row').first().waitFor();
    await expect.poll(() => page.url()).toBe(`${mayfly.url}/inbox/${name}`);
  });

  test('a reload and Back keep the filter and the scroll position of a run', async () => {
    const [secret, name] = [newRunSecret(), freshName()];
    const tests = Array.from({ length: 60 }, (_, at): ReportedTest => {
      const inboxes = [`${name}-${at}@inbox.example.com`];
      return { id: `t${at}`, title: `Test ${at}`, outcome: outcomeOf(at), inboxes, error: null, waits: [] };
    });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ tests });
    await fetch(`${mayfly.url}/api/run/${secret}`, { method: 'POST', headers, body });
    const page = await browser.open(`${mayfly.url}/run/${secret}`);
    const isFailedOnly = page.getByRole('radio', { name: 'failed' });
    await isFailedOnly.check({ force: true });
    const link = page.getByRole('link', { name: `${name}-48@` });
    await link.scrollIntoViewIfNeeded();
    const scrolled = () => page.locator('.run-report').evaluate(({ scrollTop }) => Math.round(scrollTop));
    const before = await scrolled();
    expect(before).toBeGreaterThan(0);
    await expect.poll(() => page.evaluate(() => Math.round(history.state.top))).toBe(before);
    await page.reload();
    await expect.poll(scrolled).toBe(before);
    await link.click();
    await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor();
    await page.goBack();
    await expect.poll(scrolled).toBe(before);
    expect(await isFailedOnly.isChecked()).toBe(true);
    await page.evaluate(() => {
      location.hash = 't2';
    });
    await page.locator('#t2[data-chosen=true]').waitFor();
  });

  test('a copied link to an email of a private inbox contains the secret, and opens the email', async () => {
    const inbox = new Mayfly({ baseUrl: mayfly.url }).createInbox({ private: true });
    await send(inbox.name, 'First');
    await send(inbox.name, 'Second');
    const page = await browser.open(inbox.pageUrl);
    await page.locator('.row', { hasText: 'First' }).click({ position: { x: 60, y: 10 } });
    await title(page, 'First');
    await page.getByRole('button', { name: 'Use this email' }).click();
    await page.getByRole('button', { name: 'Copy link to this email' }).click();
    const other = await browser.open(await clipboard(page));
    await title(other, 'First');
    expect(other.url()).toBe(page.url());
  });

  test.each(['/inbox/a..b', '/inbox/a%20b', '/run/abc'])(
    '%s is no page, and has the toolbar of all pages',
    async (path) => {
      const page = await browser.open(mayfly.url + path);
      await page.getByRole('heading', { name: /^This is not/ }).waitFor();
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name: 'API key' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('navigation').getByRole('link', { name: 'All mail' }).click();
      await page.locator('.row').first().waitFor();
    },
  );

  test('parameters of the URL with invalid values have no effect', async () => {
    const name = freshName();
    await send(name, 'First');
    const hostile = '"><script>document.title=1</script>';
    const query = new URLSearchParams({
      tab: hostile,
      width: '1e9',
      scheme: hostile,
      styles: hostile,
      images: 'remote',
    });
    for (const fragment of [hostile, '%E0%A4%A', '2026-13-99T99:99:99.999Z', '__proto__']) {
      const page = await browser.open(`${mayfly.url}/inbox/${name}?${query}#${fragment}`);
      await title(page, 'First');
      await page.getByRole('tab', { name: 'Preview', selected: true }).waitFor();
      expect(await page.locator('iframe').getAttribute('src')).toMatch(/\/html$/);
    }
  });
});
