import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, type RunningMayfly, serve, temporaryFolder, transportTo } from '../../server/test/service/process.js';
import { clipboard, describeInBrowser, freshName, hide, openMore, show } from './browser.js';
import { startGate } from './listener.js';
import { sharedMayfly, WORKSPACE } from './shared-mayfly.js';

const CODE_MAIL = { from: 'login@nimbus.example', subject: 'Your code', text: 'Your code is 482913' };
const LINK_MAIL = {
  from: 'login@nimbus.example',
  subject: 'Reset your password',
  text: 'Open https://nimbus.example/reset?token=abc to choose a new one.',
};
const PLAIN_MAIL = { from: 'billing@shop.example', subject: 'Your receipt', text: 'Thank you.' };

const row = (page: Page, subject: string) => page.locator('.row', { hasText: subject });
const shownSubject = (page: Page) => page.locator('.mail .title');

describeInBrowser('the inbox page', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  const send = (name: string, mail: object) => mayfly.smtp.sendMail({ to: `${name}@inbox.example.com`, ...mail });
  const openInbox = (name: string, options = {}) => browser.open(`${mayfly.url}/inbox/${name}`, options);

  test('an empty inbox says how to send mail, and then shows it and copies its code with one click', async () => {
    const page = await openInbox('Empty-Box');
    await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor();
    await page.getByRole('button', { name: 'Copy command' }).click();
    const command = await clipboard(page);
    expect(command).toContain(`curl smtp://127.0.0.1:${mayfly.smtpPort} `);
    expect(command).toContain('--mail-rcpt empty-box@inbox.example.com');
    await page.getByRole('button', { name: 'Copy address empty-box@inbox.example.com' }).click();
    expect(await clipboard(page)).toBe('empty-box@inbox.example.com');
    expect(await page.title()).toBe('empty-box – Mayfly');
    await send('empty-box', CODE_MAIL);
    await page.locator('.found-code').getByRole('button', { name: 'Copy code 482913' }).click();
    await page.locator('.found-code').getByRole('button', { name: 'Copied code 482913' }).waitFor();
    expect(await clipboard(page)).toBe('482913');
    expect(await page.getByRole('status').textContent()).toMatch(/^Copied code 482913\./);
  });

  test('"Open link" opens the magic link in a new tab, and "Copy link" copies it to the clipboard', async () => {
    const name = freshName();
    await send(name, LINK_MAIL);
    const page = await openInbox(name);
    await page.context().route('https://nimbus.example/**', (route) => route.fulfill({ body: 'reset' }));
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open link' }).click(),
    ]);
    await opened.waitForLoadState();
    expect(opened.url()).toBe('https://nimbus.example/reset?token=abc');
    expect(await opened.evaluate(() => [window.opener, document.referrer])).toEqual([null, '']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    expect(await clipboard(page)).toBe('https://nimbus.example/reset?token=abc');
  });

  test('a service of another version, whose summaries lack most fields, has its emails listed', async () => {
    const name = freshName();
    await send(name, PLAIN_MAIL);
    const page = await browser.open('about:blank', { viewport: { width: 390, height: 844 } });
    await page.route('**/summary?**', async (route) => {
      const response = await route.fetch();
      const { emails, ...rest } = await response.json();
      const [{ subject, receivedAt, from }] = emails;
      await route.fulfill({ response, json: { ...rest, emails: [{ subject, receivedAt, from }] } });
    });
    await page.goto(`${mayfly.url}/inbox/${name}`);
    expect(await row(page, 'Your receipt').innerText()).toMatch(/^billing@shop\.example\s+Your receipt\s+\S.*$/);
    await page.getByRole('searchbox').fill('receipt');
    await page.locator('.search-count', { hasText: '1 of 1' }).waitFor();
  });

  test('an inbox can be used by keyboard', async () => {
    const name = freshName();
    for (const mail of [PLAIN_MAIL, LINK_MAIL, CODE_MAIL]) await send(name, mail);
    const page = await openInbox(name);
    await shownSubject(page).filter({ hasText: 'Your code' }).waitFor();
    await page.keyboard.press('c');
    await page.getByRole('status').filter({ hasText: 'Copied code 482913.' }).waitFor({ state: 'attached' });
    expect(await clipboard(page)).toBe('482913');

    await page.keyboard.press('ArrowDown');
    await shownSubject(page).filter({ hasText: 'Reset your password' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Reset your password'));
    await page.context().route('https://nimbus.example/**', (route) => route.fulfill({ body: 'reset' }));
    const [opened] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('o')]);
    expect(opened.url()).toBe('https://nimbus.example/reset?token=abc');
    await opened.close();

    await page.keyboard.press('ArrowDown');
    await shownSubject(page).filter({ hasText: 'Your receipt' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await shownSubject(page).filter({ hasText: 'Reset your password' }).waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type('shop receipt');
    await page.waitForFunction(() => document.querySelectorAll('.row').length === 1);
    expect(await page.locator('.search-count').textContent()).toBe('Emails: 1 of 3');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  });

  test('the search field keeps the focus if "/" is pressed right after another key', async () => {
    const name = freshName();
    for (const mail of [LINK_MAIL, CODE_MAIL]) await send(name, mail);
    const page = await openInbox(name);
    await shownSubject(page).filter({ hasText: 'Your code' }).waitFor();
    const focused = await page.evaluate(async () => {
      for (const key of ['ArrowDown', '/']) dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }));
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      return document.activeElement?.getAttribute('type');
    });
    expect(focused).toBe('search');
  });

  test('the tabs of an email show its text, links, headers, HTML and source, and explain its code', async () => {
    const name = freshName();
    await send(name, { ...CODE_MAIL, headers: { 'X-Folded': `${'long '.repeat(30)}end` } });
    const page = await openInbox(name);
    const panel = (tab: string) => page.getByRole('tabpanel', { name: tab });
    await page.getByRole('tab', { name: 'Preview' }).focus();
    await page.keyboard.press('ArrowRight');
    await panel('Text').getByText('Your code is 482913').waitFor();
    await page.keyboard.press('ArrowRight');
    await panel('Links').getByText('This email has no links.').waitFor();
    await page.keyboard.press('ArrowRight');
    await panel('Headers')
      .getByRole('row', { name: /^X-Folded (long )+end$/ })
      .waitFor();
    await page.keyboard.press('ArrowRight');
    await panel('HTML').getByText('This email has no HTML.').waitFor();
    await page.keyboard.press('ArrowRight');
    await panel('Source').getByText('Subject: Your code').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel('Source').getByRole('link', { name: 'Download .eml' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`^${name}-\\d{4}-.*\\.eml$`));
    await page.getByRole('tab', { name: 'Why this code?' }).click();
    await panel('Why this code?').locator('[data-verdict=chosen]', { hasText: '482913' }).waitFor();
  });

  test('the text of an email without a text part is its HTML as text, line by line', async () => {
    const name = freshName();
    await send(name, { ...CODE_MAIL, text: '', html: '<h1>Welcome</h1><p>Your code is <b>482913</b></p>' });
    const page = await openInbox(name);
    await page.getByRole('tab', { name: 'Text' }).click();
    const panel = page.getByRole('tabpanel', { name: 'Text' });
    await panel.getByText('The email has no text part.').waitFor();
    expect(await panel.locator('pre').innerText()).toBe('Welcome\n\nYour code is 482913');
  });

  test('an inbox lists no new mail while its tab is hidden, and lists it when the tab is shown', async () => {
    const name = freshName();
    const page = await openInbox(name);
    await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor();
    await hide(page);
    await send(name, CODE_MAIL);
    expect(await page.locator('.row').count()).toBe(0);
    await show(page);
    await row(page, 'Your code').waitFor();
  });

  test('an inbox can be cleared after a confirmation, and then shows new mail', async () => {
    const name = freshName();
    await send(name, CODE_MAIL);
    const page = await openInbox(name);
    await row(page, 'Your code').waitFor();
    await openMore(page, 'Empty this inbox');
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await row(page, 'Your code').count()).toBe(1);
    await openMore(page, 'Empty this inbox');
    await page.getByRole('dialog').getByRole('button', { name: 'Empty this inbox' }).click();
    await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor();
    const listed = await fetch(`${mayfly.url}/api/inbox/${name}`);
    expect(await listed.json()).toEqual({ emails: [], count: 0 });
    await send(name, PLAIN_MAIL);
    await row(page, 'Your receipt').waitFor();
  });

  test('on a phone, the page shows either the list or an email', async () => {
    const name = freshName();
    for (const mail of [PLAIN_MAIL, CODE_MAIL]) await send(name, mail);
    const page = await openInbox(name, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    await row(page, 'Your receipt').waitFor();
    expect(await page.locator('.mail').isVisible()).toBe(false);
    expect(await fits()).toBe(true);
    await row(page, 'Your code').getByRole('button', { name: 'Copy code 482913' }).tap();
    expect(await clipboard(page)).toBe('482913');
    await row(page, 'Your receipt').tap();
    await shownSubject(page).filter({ hasText: 'Your receipt' }).waitFor();
    expect(await page.locator('.list').isVisible()).toBe(false);
    expect(await fits()).toBe(true);
  });

  test('an inbox of a workspace requires its key, keeps it in the tab, and shows its mail', async () => {
    await send('acme-box', { ...CODE_MAIL, html: '<p>Your code is <b>482913</b></p>', text: '' });
    const page = await openInbox('acme-box');
    await page.getByRole('heading', { name: 'This inbox needs an API key' }).waitFor();
    expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
    const give = async (key: string) => {
      await page
        .getByRole('main')
        .getByLabel('API key of your workspace, or its credentials (USER:PASSWORD)')
        .fill(key);
      await page.getByRole('button', { name: 'Use this key' }).click();
    };
    await give('acme-key-of-16-chars');
    await page.getByText('Enter NAME=KEY').waitFor();
    await give('acme=wrong-key-of-16-chars');
    await page.getByText('This key opens no mail here.').waitFor();
    await give(WORKSPACE);
    await row(page, 'Your code').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.frameLocator('iframe').getByText('Your code is 482913').waitFor();
    await page.getByRole('tab', { name: 'Source' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download .eml' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('acme-box.eml');
    await page.reload();
    await row(page, 'Your code').waitFor();
    const other = await browser.openBeside(page, page.url());
    await other.getByRole('heading', { name: 'This inbox needs an API key' }).waitFor();
  });

  test.each(['a..b', 'x'.repeat(65), '%E2%84%AA', ''])('the inbox name %j is rejected', async (name) => {
    const page = await openInbox(name);
    await page.getByRole('heading', { name: 'This is not an inbox name' }).waitFor();
  });
});

describeInBrowser('the inbox page of a service that restarts', (browser) => {
  afterAll(endAll);

  test('an inbox reports that the service is unreachable, and shows new mail after a restart', async () => {
    const folder = await temporaryFolder();
    const gate = await startGate();
    const args = ['--store', `lmdb:${folder.path}`];
    const port = ({ url }: RunningMayfly) => Number(new URL(url).port);
    const first = await serve(args);
    await gate.lead(port(first));
    const page = await browser.open(`${gate.url}/inbox/demo`);
    const before = transportTo(first);
    await before.sendMail({ to: 'demo@inbox.example.com', ...PLAIN_MAIL });
    await row(page, 'Your receipt').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();

    await gate.lead(null);
    before.close();
    await first.end('SIGTERM');
    await page.getByText('Mayfly cannot be reached. Trying again…').waitFor();
    expect(await row(page, 'Your receipt').count()).toBe(1);

    const second = await serve(args);
    const after = transportTo(second);
    await after.sendMail({ to: 'demo@inbox.example.com', ...LINK_MAIL });
    await after.sendMail({ to: 'demo@inbox.example.com', ...CODE_MAIL });
    await gate.lead(port(second));
    for (const { subject } of [CODE_MAIL, LINK_MAIL, PLAIN_MAIL]) await row(page, subject).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    after.close();
    await page.close();
    await gate.close();
    await folder.remove();
  });
});

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
