import { once } from 'node:events';
import { connect } from 'node:net';
import type { Page } from '@playwright/test';
import { Mayfly } from 'mayfly-client';
import { expect, test } from 'vitest';
import { describeInBrowser, freshName } from './browser.js';
import { sharedMayfly } from './shared-mayfly.js';

describeInBrowser('the delivery log of an inbox page', (browser) => {
  const mayfly = sharedMayfly(['--domain', 'inbox.example.com', '--max-emails', '1', '--ad-hoc-workspaces']);

  /** Sends SMTP commands and QUIT. */
  const talk = async (lines: readonly string[]) => {
    const socket = connect(mayfly.smtpPort, '127.0.0.1');
    // Waits for the greeting, because the service rejects a client that sends earlier.
    await once(socket, 'data');
    socket.resume().write(['EHLO app.test', ...lines, 'QUIT', ''].join('\r\n'));
    await once(socket, 'close');
  };

  const inboxUrl = (name: string) => `${mayfly.url}/inbox/${name}`;
  const send = (to: string) => mayfly.smtp.sendMail({ from: 'app@app.test', to, subject: 'Hello', text: 'Hello' });
  const openLog = (page: Page) => page.getByRole('button', { name: /^Delivery log/ }).click();
  const logIn = (page: Page) => page.getByRole('dialog', { name: 'Delivery log' });
  const rowsIn = (page: Page) =>
    logIn(page)
      .getByRole('row')
      .filter({ has: page.getByRole('cell') });

  test('shows and announces a rejection in an empty inbox, and the rejection opens the log', async () => {
    const name = freshName();
    const page = await browser.open(inboxUrl(name));
    await page.waitForResponse((response) => response.url().endsWith('/attempts'));
    await expect(send(`${name}@example.com`)).rejects.toThrow('550');
    const refusal = 'Refused: 550 5.7.1 This service only accepts mail for inbox.example.com.';
    await page.getByRole('status').filter({ hasText: refusal }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: refusal }).click();
    expect(await rowsIn(page).textContent()).toMatch(
      new RegExp(`Refused.*app@app\\.test.*to ${name}@example\\.com.*SMTP from 127\\.0\\.0\\.1.*550 5\\.7\\.1`),
    );
  });

  test('has a row for each delivery attempt, newest first, with the columns of its header', async () => {
    const name = freshName();
    await send(`${name}@inbox.example.com`);
    await expect(send(`${name}@inbox.example.com`)).rejects.toThrow('452');
    await fetch(`${mayfly.url}/api/inbox/${name}`);
    const page = await browser.open(inboxUrl(name), { viewport: { width: 390, height: 800 } });
    await openLog(page);
    await logIn(page).getByRole('cell', { name: 'Request from 127.0.0.1' }).waitFor();
    const titles = await logIn(page).getByRole('columnheader').allTextContents();
    expect(titles).toEqual(['Time', 'Outcome', 'Sender', 'Reply', 'Duration', 'Delivered to']);
    const cells = (row: number) => rowsIn(page).nth(row).getByRole('cell').allTextContents();
    const time = expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}$/);
    const from = 'app@app.testSMTP from 127.0.0.1';
    const full = expect.stringContaining('452 4.2.2 The inbox is full (--max-emails)');
    const took = expect.stringMatching(/^[\d.]+ m?s$/);
    expect(await cells(0)).toEqual([time, 'Refused', from, full, took, '']);
    const readBy = expect.stringMatching(/^(?:.*s)?Request from 127\.0\.0\.1 after [\d.]+ m?s/);
    expect(await cells(1)).toEqual([time, 'Stored', from, 'AcceptedHello', took, readBy]);
  });

  test('is in the URL with its filter, closes with Back and Escape, and leads to an email', async () => {
    const name = freshName();
    await send(`${name}@inbox.example.com`);
    await expect(send(`${name}@inbox.example.com`)).rejects.toThrow('452');
    const page = await browser.open(inboxUrl(name));
    await openLog(page);
    await logIn(page).getByText('Failed 1').click();
    await page.reload();
    await expect.poll(() => rowsIn(page).count()).toBe(1);
    await logIn(page).getByText('All', { exact: true }).click();
    await expect.poll(() => rowsIn(page).count()).toBe(2);
    await page.goBack();
    await logIn(page).waitFor({ state: 'hidden' });
    await page.keyboard.press('l');
    await logIn(page).getByRole('link', { name: 'Hello' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.url()).toBe(inboxUrl(name));
    await page.goForward();
    await logIn(page).getByRole('link', { name: 'Hello' }).click();
    await page.getByRole('heading', { name: 'Hello' }).waitFor();
    expect(page.url()).toMatch(/\/inbox\/[^?]*#\d{4}-/);
  });

  test('has a card for each active wait, with the reason why no email matches', async () => {
    const name = freshName();
    await send(`${name}@inbox.example.com`);
    const page = await browser.open(inboxUrl(name));
    const waiting = new Mayfly({ baseUrl: mayfly.url }).inbox(name).waitForOtp({ timeout: 20_000, subject: 'Welcome' });
    waiting.catch(() => {});
    await page.getByRole('button', { name: 'Delivery log 1 waiting' }).click();
    const card = logIn(page).getByRole('region', { name: 'Waiting now' }).getByRole('listitem').first();
    expect(await card.textContent()).toMatch(
      /^Stream from 127\.0\.0\.1for \d+ sWaits for an email with a code, subject "Welcome"Hello subject does not match, no code$/,
    );
  });

  test('escapes HTML and invisible characters in values from an SMTP client', async () => {
    const name = freshName();
    const page = await browser.open(inboxUrl(name));
    const hostile = `"<img src=x onerror=alert(1)>\u202e"@example.com`;
    await talk([`MAIL FROM:<${hostile}>`, `RCPT TO:<${name}@\u202eexample.com>`, `RCPT TO:<${name}@example.com>`]);
    await openLog(page);
    await rowsIn(page).getByText('example.com').first().waitFor();
    expect(await logIn(page).locator('img').count()).toBe(0);
    expect(await logIn(page).textContent()).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });

  test('on /all, has all delivery attempts and connections, and the failures before 100 newer emails', async () => {
    const name = freshName();
    await expect(send(`${name}@example.com`)).rejects.toThrow('550');
    await talk([]);
    await talk([`AUTH PLAIN ${Buffer.from('\0run-1\0short').toString('base64')}`]);
    const page = await browser.open(`${mayfly.url}/all`);
    await openLog(page);
    const row = (...texts: readonly string[]) =>
      texts.reduce((rows, hasText) => rows.filter({ hasText }), rowsIn(page));
    await row('No message', 'last command QUIT', 'The client sent no message').first().waitFor();
    await row('Refused', `to ${name}@example.com`, '550 5.7.1').waitFor();
    await row('Refused', 'last command', '535 5.7.8').waitFor();
    for (let sent = 0; sent < 100; sent += 1) await send(`${freshName()}@inbox.example.com`);
    await expect.poll(() => rowsIn(page).filter({ hasText: 'Stored' }).count()).toBe(100);
    await logIn(page).getByText('Failed', { exact: true }).click();
    await row('Refused', `to ${name}@example.com`).waitFor();
    expect(await rowsIn(page).filter({ hasText: 'Stored' }).count()).toBe(0);
    await logIn(page).getByText('All', { exact: true }).click();
    await row('Stored').first().getByRole('link', { name: 'Open the email' }).click();
    await page.getByRole('heading', { name: 'Hello' }).waitFor();
  });
});
