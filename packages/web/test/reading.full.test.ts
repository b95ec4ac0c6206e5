import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { Mayfly } from 'mayfly-client';
import { afterAll, expect, test } from 'vitest';
import { endAll, serve, transportTo } from '../../server/test/service/process.js';
import { clipboard, describeInBrowser, freshName, setHidden } from './browser.js';
import { sharedMayfly } from './shared-mayfly.js';

const FIRST = {
  from: 'login@nimbus.example',
  subject: 'First',
  text: 'Your code is 111111',
  html: '<p>Your code is 111111</p>',
};
const SECOND = { from: 'login@nimbus.example', subject: 'Second', text: 'Your code is 222222' };
const THIRD = { from: 'login@nimbus.example', subject: 'Third', text: 'Hello.' };

/** How long a silent stream lasts. The client treats shorter streams as broken. */
const SILENT_MS = 300;

/** How long the mouse rests before the list adds new mail. */
const REST_MS = 2_000;

/** How far the page's clock jumps ahead before it stops: not so far that a silent stream would time out. */
const PAUSE_IN_MS = 10_000;

const title = (page: Page) => page.locator('.mail .title');
const row = (page: Page, subject: string) => page.locator('.row', { hasText: subject });
const rowButton = (page: Page, subject: string) => row(page, subject).locator('.row-open');
const pill = (page: Page) => page.locator('.new-mail:visible');

describeInBrowser('an email on screen', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  const send = (name: string, mail: object) => mayfly.smtp.sendMail({ to: `${name}@inbox.example.com`, ...mail });
  /** Opens a page that follows a new inbox and has listed the inbox's emails. */
  const opened = async (mails: readonly object[]) => {
    const name = freshName();
    for (const mail of mails) await send(name, mail);
    const page = await browser.open(`${mayfly.url}/inbox/${name}`);
    await page.getByText('Live', { exact: true }).waitFor();
    return { name, page };
  };
  /** Returns the `receivedAt` of each email of an inbox, as in URLs. */
  const keysOf = async (name: string) => {
    const emails = await new Mayfly({ baseUrl: mayfly.url }).inbox(name).emails();
    return emails.map(({ receivedAt }) => receivedAt.toISOString());
  };
  const remove = (name: string, path = '') => fetch(`${mayfly.url}/api/inbox/${name}${path}`, { method: 'DELETE' });

  test('an open email keeps its tab and focus while the page announces new mail', async () => {
    const { name, page } = await opened([FIRST]);
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByRole('tab', { name: 'Headers' }).focus();
    await send(name, SECOND);
    await pill(page)
      .filter({ hasText: /^1 new$/ })
      .waitFor();
    expect(await page.title()).toBe(`(1) 222222 – ${name}`);
    expect(await row(page, 'Second').getAttribute('data-unread')).toBe('true');
    expect(await title(page).textContent()).toBe('First');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Headers');
    expect(await page.getByRole('tab', { name: 'Headers' }).getAttribute('aria-selected')).toBe('true');

    await send(name, THIRD);
    await pill(page)
      .filter({ hasText: /^2 new$/ })
      .waitFor();
    expect(await page.title()).toBe(`(2) 222222 – ${name}`);
    await pill(page).click();
    await title(page).filter({ hasText: 'Third' }).waitFor();
    await expect.poll(() => page.title()).toBe(`(1) 222222 – ${name}`);
    await rowButton(page, 'Second').click({ position: { x: 60, y: 10 } });
    await expect.poll(() => page.title()).toBe(`${name} – Mayfly`);
    expect(await pill(page).count()).toBe(0);
  });

  test('new mail does not move the code under the mouse, until the mouse rests or leaves', async () => {
    const name = freshName();
    await send(name, FIRST);
    const page = await browser.open('about:blank');
    await page.clock.install();
    await page.goto(`${mayfly.url}/inbox/${name}`);
    await page.getByText('Live', { exact: true }).waitFor();
    // Stops the page's clock, so that the page holds back new mail for as long as the mouse rests on the list.
    await page.clock.pauseAt(Date.now() + PAUSE_IN_MS);
    const chip = row(page, 'First').getByRole('button', { name: 'Copy code 111111' });
    const box = await chip.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 5);
    await send(name, SECOND);
    await pill(page).waitFor();
    await page.mouse.down();
    await page.mouse.up();
    await page.getByRole('status').filter({ hasText: 'Copied code 111111.' }).waitFor({ state: 'attached' });
    expect(await clipboard(page)).toBe('111111');
    expect(await row(page, 'Second').count()).toBe(0);
    await page.clock.runFor(REST_MS);
    await row(page, 'Second').waitFor();
    await page.mouse.move((box?.x ?? 0) + 30, (box?.y ?? 0) + 5);
    await send(name, THIRD);
    await pill(page).waitFor();
    expect(await row(page, 'Third').count()).toBe(0);
    await page.mouse.move(900, 20);
    await row(page, 'Third').waitFor();
  });

  test('the page reports that the open email was deleted elsewhere when a stream without events ends', async () => {
    const name = freshName();
    for (const mail of [THIRD, FIRST]) await send(name, mail);
    const page = await browser.open('about:blank');
    // Shortens silent streams, because those of the real service may last half a minute.
    await page.route('**/stream?**', async (route) => {
      await delay(SILENT_MS);
      await route.fulfill({ contentType: 'text/event-stream', body: 'data: __timeout__\n\n' });
    });
    await page.goto(`${mayfly.url}/inbox/${name}`);
    await title(page).filter({ hasText: 'First' }).waitFor();
    const [newest] = await keysOf(name);
    await remove(name, `/${newest}`);
    await page.getByRole('alert').filter({ hasText: 'This email was deleted.' }).waitFor();
    expect(await title(page).textContent()).toBe('First');
    expect(await page.locator('.row .row-subject').allTextContents()).toEqual(['Third']);
    await send(name, SECOND);
    await row(page, 'Second').waitFor();
    expect(await page.title()).toBe(`(1) 222222 – ${name}`);
  });

  test('an email opens by its URL, and the page says if it was deleted', async () => {
    const name = freshName();
    for (const mail of [FIRST, SECOND, THIRD]) await send(name, mail);
    const [newest = '', second = ''] = await keysOf(name);
    await remove(name, `/${second}`);
    const page = await browser.open(`${mayfly.url}/inbox/${name}#${second}`);
    await page.getByRole('heading', { name: 'This email is gone' }).waitFor();
    await page.getByText('The email was deleted, or was never in this inbox.').waitFor();
    await page.getByRole('button', { name: 'Show the inbox' }).click();
    await title(page).filter({ hasText: 'Third' }).waitFor();
    await page.goto(`${mayfly.url}/inbox/${name}#2020-01-01T00:00:00.000Z`);
    await page.reload();
    await page.getByText('The email has expired: emails are deleted after 30 min.').waitFor();
    await page.goto(`${mayfly.url}/inbox/${name}#${newest}`);
    await page.reload();
    await title(page).filter({ hasText: 'Third' }).waitFor();
  });

  test('two hidden tabs count new mail in their titles, and a third hidden tab receives no mail', async () => {
    const name = freshName();
    const first = await browser.open(`${mayfly.url}/inbox/${name}`);
    const tabs = [first, await browser.openBeside(first, first.url()), await browser.openBeside(first, first.url())];
    for (const tab of tabs) {
      await tab.getByRole('heading', { name: 'Waiting for mail' }).waitFor();
      const ended =
        tab === tabs[2] ? tab.waitForEvent('requestfailed', (request) => request.url().includes('/stream')) : null;
      await setHidden(tab, true);
      await ended;
    }
    await send(name, SECOND);
    for (const tab of tabs.slice(0, 2)) await expect.poll(() => tab.title()).toBe(`(1) 222222 – ${name}`);
    expect(await tabs[2]?.title()).toBe(`${name} – Mayfly`);
    expect(await tabs[2]?.locator('.row').count()).toBe(0);
  });
});

describeInBrowser('an email that expires on screen', (browser) => {
  afterAll(endAll);

  test('the page reports that the open email has expired, and shows no other email in its place', async () => {
    const retentionMs = 4_000;
    const mayfly = await serve(['--store', 'memory:', '--retention', `${retentionMs}ms`]);
    const page = await browser.open(`${mayfly.url}/inbox/short`);
    await page.getByText('Live', { exact: true }).waitFor();
    const smtp = transportTo(mayfly);
    await smtp.sendMail({ to: 'short@inbox.example.com', ...FIRST });
    const time = await row(page, 'First').locator('time').getAttribute('datetime');
    await row(page, 'First')
      .getByText(/^[0-4] s left$/)
      .waitFor();
    await page.getByRole('alert').filter({ hasText: 'This email has expired.' }).waitFor();
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(time ?? '') + retentionMs);
    expect(await page.locator('.row').count()).toBe(0);
    await smtp.sendMail({ to: 'short@inbox.example.com', ...SECOND });
    smtp.close();
    await row(page, 'Second').waitFor();
    expect(await title(page).textContent()).toBe('First');
    await page.getByRole('button', { name: 'Close the email' }).click();
    await title(page).filter({ hasText: 'Second' }).waitFor();
  });
});
