import type { Page } from '@playwright/test';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser, openMore, openRow } from './browser.js';

const MAIL = { to: 'demo@inbox.example.com', from: 'a@app.test', subject: 'A mail', text: 'Your code is 482913' };

/** The time after which the page reports that the service hangs. */
const NOTICED_MS = 20_000;

/** How far ahead to pause the page's clock: less than the timeout of a silent stream. */
const PAUSE_IN_MS = 10_000;

describeInBrowser('the page shows the actual state', (browser) => {
  afterAll(endAll);

  const start = async (subjects: readonly string[] = []) => {
    const mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off']);
    for (const subject of subjects) await send(mayfly, subject);
    return mayfly;
  };
  const send = async (mayfly: RunningMayfly, subject: string) => {
    const smtp = transportTo(mayfly);
    await smtp.sendMail({ ...MAIL, subject });
    smtp.close();
  };
  /** Opens a page that is live. The test controls the page's time. */
  const openLive = async ({ url }: RunningMayfly, path = '/inbox/demo') => {
    const page = await browser.open('about:blank');
    await page.clock.install();
    await page.goto(url + path);
    await page.getByText('Live', { exact: true }).waitFor();
    return page;
  };
  /** Lets a page's time pass slowly until the page offers to undo (`times` is 1) or no longer does (0). */
  const offersUndo = (page: Page, times: 0 | 1) => {
    const offers = async () => {
      await page.clock.runFor(1);
      return page.locator('.undo').count();
    };
    return expect.poll(offers, { interval: 100 }).toBe(times);
  };
  const row = (page: Page, subject: string) => page.locator('.row', { hasText: subject });
  const heard = (page: Page, text: string) =>
    page.getByRole('status').filter({ hasText: text }).first().waitFor({ state: 'attached' });

  test.each(['/inbox/demo', '/'])(
    '%s detects within 20 s that the service hangs, and that it responds',
    async (path) => {
      const mayfly = await start(['First']);
      const page = await openLive(mayfly, path);
      onTestFinished(() => void mayfly.process.kill('SIGCONT'));
      mayfly.process.kill('SIGSTOP');
      await page.clock.fastForward(NOTICED_MS);
      await page.getByText('Mayfly cannot be reached. Trying again…').waitFor();
      await heard(page, 'Mayfly cannot be reached. Trying again.');
      mayfly.process.kill('SIGCONT');
      await page.getByText('Live', { exact: true }).waitFor();
      await send(mayfly, 'Afterwards');
      await row(page, 'Afterwards').waitFor();
    },
  );

  test('an inbox reports that the browser is offline, and then shows mail that arrived meanwhile', async () => {
    const mayfly = await start(['First']);
    const page = await openLive(mayfly);
    await page.context().setOffline(true);
    await page.getByText('Mayfly cannot be reached. Trying again…').waitFor();
    await send(mayfly, 'Meanwhile');
    expect(await row(page, 'First').count()).toBe(1);
    await page.context().setOffline(false);
    await row(page, 'Meanwhile').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('an email deleted in one tab disappears from a second tab without a new request for the list', async () => {
    const mayfly = await start(['First', 'Second', 'Third']);
    const first = await openLive(mayfly);
    const second = await browser.openBeside(first, first.url());
    await row(second, 'Third').waitFor();
    const asked: string[] = [];
    second.on('request', (request) => asked.push(request.url()));
    await openRow(row(first, 'Second'));
    await first.getByRole('button', { name: 'Delete this email' }).click();
    await row(first, 'Second').waitFor({ state: 'detached' });
    await first.clock.fastForward(5_000);
    await row(second, 'Second').waitFor({ state: 'detached' });
    expect(await second.locator('.row .row-subject').allTextContents()).toEqual(['Third', 'First']);
    expect(asked.filter((url) => url.includes('/summary'))).toEqual([]);

    await openMore(first, 'Empty this inbox');
    await first.getByRole('dialog').getByRole('button', { name: 'Empty this inbox' }).click();
    await second.getByRole('alert').filter({ hasText: 'This email was deleted.' }).waitFor();
    expect(await second.locator('.row').count()).toBe(0);
  });

  test('the page stops offering undo for an email when a second tab deletes the email', async () => {
    const first = await openLive(await start(['First', 'Second']));
    const second = await browser.openBeside(first, first.url());
    await row(second, 'Second').waitFor();
    await first.clock.pauseAt(await first.evaluate((ms) => Date.now() + ms, PAUSE_IN_MS));
    await first.keyboard.press('Delete');
    await offersUndo(first, 1);
    await second.keyboard.press('Delete');
    await second.locator('.undo').waitFor();
    await second.goto('about:blank');
    await offersUndo(first, 0);
    await first.keyboard.press('z');
    await first.locator('.toast', { hasText: 'There is nothing to undo.' }).waitFor();
    expect(await first.locator('.row .row-subject').allTextContents()).toEqual(['First']);
  });
});
