import type { Page } from '@playwright/test';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';
import { clipboard, describeInBrowser, openRow, SHOWN_FRAME } from './browser.js';
import { startGate } from './listener.js';

const KEY = 'secret-of-16-letters';

/** More emails than the first page of the list. */
const FLOOD = 150;

interface Letter {
  readonly to: string | string[];
  readonly subject?: string;
  readonly text?: string;
}

async function send(mayfly: RunningMayfly, ...letters: Letter[]): Promise<void> {
  const smtp = transportTo(mayfly);
  for (const letter of letters)
    await smtp.sendMail({ from: 'Nimbus <login@nimbus.example>', text: 'Hello.', ...letter });
  smtp.close();
}

const rowTo = (page: Page, address: string) => page.locator('.row', { hasText: address });

describeInBrowser('all mail', (browser) => {
  afterAll(endAll);

  test('the start page shows how to send mail until the first email arrives, and then all mail with that email', async () => {
    const mayfly = await serve(['--store', 'memory:', '--domain', 'inbox.example.com', '--domain', '*']);
    const page = await browser.open(mayfly.url);
    await page.getByText('Waiting for mail to any address.').waitFor();
    // The service has no --waitlist.
    expect(await page.getByText('Join the waitlist').count()).toBe(0);
    await page.locator('.connection[data-state="live"]').waitFor();
    await send(mayfly, { to: 'jane@example.com', subject: 'Your code', text: 'Your code is 482913.' });
    const row = rowTo(page, 'jane@example.com');
    await row.waitFor();
    expect(await row.innerText()).toMatch(
      /^Nimbus\s+jane@example\.com\s+Your code Your code is 482913\.\s+now\s+482913$/,
    );
    await page.locator('.mail .title', { hasText: 'Your code' }).waitFor();
    expect(page.url()).toBe(`${mayfly.url}/`);
    await row.getByRole('button', { name: 'Copy code 482913' }).click();
    expect(await clipboard(page)).toBe('482913');
    await openRow(row);
    await expect.poll(() => page.url()).toMatch(/\/#\d{4}-[^/]+\/jane@example\.com$/);
    await expect.poll(() => page.title()).toBe('All mail – Mayfly');
  });

  test('the search in all mail finds text at the end of a long body, which summaries omit', async () => {
    const mayfly = await serve(['--store', 'memory:']);
    const far = `${'Nothing yet. '.repeat(100)}needle`;
    await send(mayfly, { to: 'one@inbox.example.com', text: far }, { to: 'two@inbox.example.com', subject: 'Two' });
    const page = await browser.open(`${mayfly.url}/all`);
    await page.locator('.row').nth(1).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('needle nimbus');
    await page.locator('.search-count', { hasText: /: 1$/ }).waitFor();
    await rowTo(page, 'one@inbox.example.com').waitFor();
    await send(mayfly, { to: 'three@inbox.example.com', text: far }, { to: 'four@inbox.example.com' });
    await rowTo(page, 'three@inbox.example.com').waitFor();
    expect(await page.locator('.row').count()).toBe(2);
    await page.getByRole('searchbox').fill('absent');
    await page.getByText('No email matches.', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('has:code');
    await page.getByText('Only the search of one inbox supports from:').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.locator('.search-count', { hasText: /: 4$/ }).waitFor();
  });

  test('the list of all mail removes deleted emails, and adds the flood of mail of an outage', async () => {
    const mayfly = await serve(['--store', 'memory:']);
    const gate = await startGate();
    onTestFinished(() => gate.close());
    await gate.lead(Number(new URL(mayfly.url).port));
    await send(mayfly, { to: 'one@inbox.example.com' }, { to: 'two@inbox.example.com' });
    const page = await browser.open(`${gate.url}/all`);
    await rowTo(page, 'one@inbox.example.com').waitFor();
    await fetch(`${mayfly.url}/api/inbox/one`, { method: 'DELETE' });
    await rowTo(page, 'one@inbox.example.com').waitFor({ state: 'detached' });
    await gate.lead(null);
    await page.getByText('Mayfly cannot be reached. Trying again…').waitFor();
    await send(mayfly, ...Array.from({ length: FLOOD }, (_, n) => ({ to: `flood-${n}@inbox.example.com` })));
    await gate.lead(Number(new URL(mayfly.url).port));
    await page.locator('.search-count', { hasText: `${FLOOD + 1}` }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    // A list that began anew would not know which emails it had before.
    await expect.poll(() => page.title()).toBe(`(${FLOOD}) All mail`);
  });

  test('while the service is away, one notice says so, and the email loads once the service is back', async () => {
    const mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off']);
    const gate = await startGate();
    onTestFinished(() => gate.close());
    await gate.lead(Number(new URL(mayfly.url).port));
    await send(mayfly, { to: 'one@inbox.example.com' }, { to: 'two@inbox.example.com' });
    const page = await browser.open(`${gate.url}/all?tab=source`);
    await page.getByRole('region', { name: 'Source' }).getByText('two@').waitFor();
    const failed = (path: string) => page.waitForEvent('requestfailed', (request) => request.url().endsWith(path));
    await gate.lead(null);
    const asked = ['/parts', '/raw', '/html'].map(failed);
    await openRow(rowTo(page, 'one@'));
    await page.getByRole('tab', { name: 'Preview' }).click();
    await Promise.all(asked);
    await page.getByText('Mayfly cannot be reached. Trying again…').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await gate.lead(Number(new URL(mayfly.url).port));
    await page.frameLocator(SHOWN_FRAME).getByText('Hello.').waitFor();
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByRole('region', { name: 'Source' }).getByText('one@').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('the list of all mail can be used by keyboard, wherever the focus is', async () => {
    const mayfly = await serve(['--store', 'memory:']);
    const numbers = Array.from({ length: 30 }, (_, n) => n + 1);
    await send(mayfly, ...numbers.map((n) => ({ to: `n${n}@inbox.example.com`, text: `Your code is ${7_000 + n}.` })));
    const page = await browser.open(`${mayfly.url}/all`);
    await rowTo(page, 'n30@').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('.row-to')?.textContent);
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('n30@inbox.example.com');
    const arrives = (to: string) =>
      page.waitForFunction((name) => document.activeElement?.querySelector('.row-to')?.textContent === name, to);
    await page.keyboard.press('ArrowDown');
    await arrives('n29@inbox.example.com');
    await page.keyboard.press('c');
    await page.getByRole('status').filter({ hasText: 'Copied code 7029' }).waitFor();
    await page.keyboard.press('End');
    await arrives('n1@inbox.example.com');
    await page.keyboard.press('ArrowUp');
    await arrives('n2@inbox.example.com');
    for (const [at, place] of ['.toolbar button', '.mail [role=tab]', '.mail .title'].entries()) {
      await page.focus(place);
      await page.keyboard.press('ArrowUp');
      await arrives(`n${3 + at}@inbox.example.com`);
    }
    await page.focus('.toolbar button');
    await page.keyboard.press('Home');
    await arrives('n30@inbox.example.com');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('.mail .title'));
    await expect.poll(() => page.url()).toMatch(/\/all#[^/]+\/n30$/);
    await page.keyboard.press('Delete');
    await rowTo(page, 'n30@').waitFor({ state: 'detached' });
    await page.goto('about:blank');
    await expect.poll(async () => (await fetch(`${mayfly.url}/api/inbox/n30`)).json()).toMatchObject({ count: 0 });
  });

  test('all mail shows an email next to the list, and marks and counts emails that arrive meanwhile', async () => {
    const mayfly = await serve(['--store', 'memory:']);
    await send(mayfly, { to: 'one@inbox.example.com', subject: 'First' });
    const page = await browser.open(`${mayfly.url}/all`);
    const shows = (subject: string) => page.locator('.mail .title', { hasText: subject }).waitFor();
    await page.setViewportSize({ width: 959, height: 800 });
    await page.locator('.mail').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 960, height: 800 });
    await shows('First');
    await send(mayfly, { to: 'two@inbox.example.com', subject: 'Second', text: 'Your code is 482913.' });
    await expect.poll(() => page.title()).toBe('(1) 482913 – All mail');
    expect(await rowTo(page, 'two@').getAttribute('data-unread')).toBe('true');
    await shows('First');
    await page.keyboard.press('n');
    await shows('Second');
    await page.locator('.mail .code-digits', { hasText: '482913' }).waitFor();
    await expect.poll(() => page.title()).toBe('All mail – Mayfly');
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('tabpanel', { name: 'Text' }).getByText('Your code is 482913.').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('first');
    await page.locator('.search-count', { hasText: /: 1$/ }).waitFor();
    await shows('Second');
    expect(await page.getByText('This email was deleted.').count()).toBe(0);
    await page.getByRole('link', { name: 'two', exact: true }).click();
    await page.getByRole('heading', { name: 'Inbox of two@inbox.example.com' }).waitFor({ state: 'attached' });
    await shows('Second');
    await page.getByRole('link', { name: 'All mail' }).click();
    await rowTo(page, 'one@').waitFor();
  });

  test('without a key the list of all mail is hidden, and with a key it shows the mail of its workspace', async () => {
    const mayfly = await serve(['--host', '0.0.0.0', '--store', 'memory:', '--workspace', `acme=${KEY}`]);
    const url = mayfly.url.replace('0.0.0.0', '127.0.0.1');
    await send(mayfly, { to: 'demo@inbox.example.com' }, { to: 'acme-box@inbox.example.com' });
    const page = await browser.open(`${url}/all`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.goto(url);
    await page.getByRole('heading', { name: 'Send it an email' }).waitFor();
    expect(await page.getByText('All mail').count()).toBe(0);
    await page.getByText('I have an API key').click();
    await page.getByLabel('API key of your workspace').fill(`acme=${KEY}`);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await rowTo(page, 'acme-box@inbox.example.com').waitFor();
    expect(await page.locator('.row').count()).toBe(1);
    await page.goto(`${url}/all`);
    await rowTo(page, 'acme-box@inbox.example.com').waitFor();
    await page.locator('.where').getByText('Workspace acme', { exact: true }).waitFor();
  });

  test.each([
    ['an unknown API key', 'acme=another-secret-of-16', 'Wrong API key'],
    ['credentials without ad-hoc workspaces', 'run-1:secret', 'Wrong credentials'],
  ])('the list of all mail reports %s, and accepts another key', async (_kind, wrong, title) => {
    const mayfly = await serve(['--host', '0.0.0.0', '--store', 'memory:', '--workspace', `acme=${KEY}`]);
    await send(mayfly, { to: 'acme-box@inbox.example.com' });
    const page = await browser.open('about:blank');
    await page.addInitScript((key) => sessionStorage.setItem('mayfly-api-key', key), wrong);
    await page.goto(`${mayfly.url.replace('0.0.0.0', '127.0.0.1')}/all`);
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByLabel('API key of your workspace').fill(`acme=${KEY}`);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await rowTo(page, 'acme-box@inbox.example.com').waitFor();
  });
});
