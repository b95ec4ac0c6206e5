/** The timeline of the attempts to send mail to an inbox. */
import type { Transporter } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser, freshName } from './browser.js';

describeInBrowser('the attempts on the inbox page', (browser) => {
  let mayfly: RunningMayfly;
  let smtp: Transporter;

  beforeAll(async () => {
    mayfly = await serve([
      '--store',
      'memory:',
      '--domain',
      'inbox.test',
      '--max-emails',
      '1',
      '--workspace',
      'acme=acme-key-of-16-chars',
    ]);
    smtp = transportTo(mayfly);
  });

  afterAll(() => {
    smtp?.close();
    endAll();
  });

  const openInbox = (name: string) => browser.open(`${mayfly.url}/inbox/${name}`);
  const send = (to: string) => smtp.sendMail({ from: 'app@app.test', to, subject: 'Hello', text: 'Hello' });

  test('say nothing where there are none', async () => {
    const page = await openInbox(freshName());
    await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor();
    await page.waitForResponse((response) => response.url().endsWith('/attempts'));
    expect(await page.locator('.attempts').count()).toBe(0);
  });

  test('show a refusal as it happens, before the first mail, and tell those who listen', async () => {
    const name = freshName();
    const page = await openInbox(name);
    await page.waitForResponse((response) => response.url().endsWith('/attempts'));
    await expect(send(`${name}@example.com`)).rejects.toThrow('550');
    await page.locator('.attempts summary', { hasText: '1 attempt to send mail here · 1 in vain' }).waitFor();
    const refusal = 'Refused: 550 5.7.1 This service only accepts mail for inbox.test.';
    await page.getByRole('status').filter({ hasText: refusal }).waitFor({ state: 'attached' });
  });

  test('say at once that the inbox is full, and list what became of each, the newest first', async () => {
    const name = freshName();
    await send(`${name}@inbox.test`);
    const page = await openInbox(name);
    await page.locator('.attempts summary', { hasText: /^1 attempt to send mail here$/ }).waitFor();
    await expect(send(`${name}@inbox.test`)).rejects.toThrow('452');
    await page
      .locator('.attempts summary', { hasText: 'Refused: 452 4.2.2 The inbox is full (--max-emails)' })
      .waitFor();
    await page.locator('.attempts summary').click();
    const lines = page.locator('.attempts li');
    expect(await lines.nth(0).textContent()).toMatch(
      new RegExp(`Refused: 452 .* · SMTP from 127\\.0\\.0\\.1: app@app\\.test → ${name}@inbox\\.test$`),
    );
    expect(await lines.nth(1).textContent()).toMatch(/Kept after \d+ ms/);
  });

  test("need the workspace's key as the inbox does", async () => {
    const page = await openInbox(`acme-${freshName()}`);
    await page.getByRole('button', { name: 'API key' }).first().waitFor();
    expect(await page.locator('.attempts').count()).toBe(0);
  });
});
