import { once } from 'node:events';
import { connect } from 'node:net';
import { Mayfly } from 'mayfly-client';
import { expect, test } from 'vitest';
import { describeInBrowser, freshName } from './browser.js';
import { sharedMayfly } from './shared-mayfly.js';

describeInBrowser('the delivery attempts on the inbox page', (browser) => {
  const mayfly = sharedMayfly(['--domain', 'inbox.example.com', '--max-emails', '1']);

  /** Sends SMTP commands and QUIT. */
  const talk = async (lines: readonly string[]) => {
    const socket = connect(mayfly.smtpPort, '127.0.0.1');
    // Waits for the greeting, because the service rejects a client that sends earlier.
    await once(socket, 'data');
    socket.resume().write(['EHLO app.test', ...lines, 'QUIT', ''].join('\r\n'));
    await once(socket, 'close');
  };

  const openInbox = (name: string) => browser.open(`${mayfly.url}/inbox/${name}`);
  const send = (to: string) => mayfly.smtp.sendMail({ from: 'app@app.test', to, subject: 'Hello', text: 'Hello' });

  test('the delivery log of an inbox page shows and announces a rejection in an empty inbox', async () => {
    const name = freshName();
    const page = await openInbox(name);
    await page.waitForResponse((response) => response.url().endsWith('/attempts'));
    await expect(send(`${name}@example.com`)).rejects.toThrow('550');
    await page.locator('.attempts summary', { hasText: '1 delivery attempt · 1 failed' }).waitFor();
    const refusal = 'Refused: 550 5.7.1 This service only accepts mail for inbox.example.com.';
    await page.getByRole('status').filter({ hasText: refusal }).waitFor({ state: 'attached' });
  });

  test('the delivery log of an inbox page reports a full inbox, and lists outcomes with the newest first', async () => {
    const name = freshName();
    await send(`${name}@inbox.example.com`);
    const page = await openInbox(name);
    await page.locator('.attempts summary', { hasText: /^1 delivery attempt$/ }).waitFor();
    await expect(send(`${name}@inbox.example.com`)).rejects.toThrow('452');
    await page
      .locator('.attempts summary', { hasText: 'Refused: 452 4.2.2 The inbox is full (--max-emails)' })
      .waitFor();
    await page.locator('.attempts summary').click();
    const lines = page.locator('.attempts li');
    expect(await lines.nth(0).textContent()).toMatch(
      new RegExp(`Refused: 452 .* · SMTP from 127\\.0\\.0\\.1: app@app\\.test → ${name}@inbox\\.example\\.com$`),
    );
    expect(await lines.nth(1).textContent()).toMatch(/Kept after \d+ ms/);
  });

  test('the delivery log lists why no email matches an active wait, and which client has read an email', async () => {
    const name = freshName();
    await send(`${name}@inbox.example.com`);
    const page = await openInbox(name);
    const waiting = new Mayfly({ baseUrl: mayfly.url }).inbox(name).waitForOtp({ timeout: 20_000, subject: 'Welcome' });
    waiting.catch(() => {});
    await page.locator('.attempts summary', { hasText: '1 client waiting' }).waitFor();
    await page.locator('.attempts summary').click();
    const wait = page.getByRole('list', { name: 'Waiting now' }).getByRole('listitem').first();
    expect(await wait.textContent()).toContain(
      'Waiting: a stream from 127.0.0.1 for an email with a code, subject "Welcome"Hello: subject does not match, no code',
    );
    await fetch(`${mayfly.url}/api/inbox/${name}`);
    await page.locator('.attempts ol li', { hasText: 'delivered to a fetch from 127.0.0.1 after' }).waitFor();
  });

  test('the delivery log escapes HTML and invisible characters in values from an SMTP client', async () => {
    const name = freshName();
    const page = await openInbox(name);
    const hostile = `"<img src=x onerror=alert(1)>\u202e"@example.com`;
    await talk([`MAIL FROM:<${hostile}>`, `RCPT TO:<${name}@\u202eexample.com>`, `RCPT TO:<${name}@example.com>`]);
    await page.locator('.attempts summary').click();
    const lines = page.locator('.attempts ol');
    await lines.getByText('example.com').first().waitFor();
    expect(await lines.locator('img').count()).toBe(0);
    expect(await lines.textContent()).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });
});
