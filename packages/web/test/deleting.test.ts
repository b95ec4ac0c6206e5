import type { BrowserContextOptions, Page } from '@playwright/test';
import { Mayfly } from 'mayfly-client';
import { expect, test } from 'vitest';
import { describeInBrowser, freshName, openMore, openRow } from './browser.js';
import { goWithKey, sharedMayfly, WORKSPACE } from './shared-mayfly.js';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** How long a deletion can be undone. */
const UNDO_MS = 5_000;

describeInBrowser('deleting', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  /** Opens an inbox on a page whose clock the test controls. The first of the subjects is the newest email. */
  const opened = async (
    subjects: readonly string[],
    { name = freshName(), ...options }: { name?: string } & BrowserContextOptions = {},
  ) => {
    for (const subject of subjects.toReversed()) {
      await mayfly.smtp.sendMail({ to: `${name}@inbox.example.com`, from: 'a@app.test', subject, text: 'Hello.' });
    }
    const page = await browser.open('about:blank', options);
    await page.clock.install();
    await goWithKey(page, `${mayfly.url}/inbox/${name}`);
    await expect.poll(() => page.locator('.row').count()).toBe(subjects.length);
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
    // Advances the page's clock by a millisecond per round trip, so that a busy machine has more time to undo.
    const passSlowly = async () => {
      while (!page.isClosed()) await page.clock.runFor(1).catch(() => undefined);
    };
    passSlowly();
    return { name, page };
  };
  const kept = async (name: string) => {
    const emails = await new Mayfly({ baseUrl: mayfly.url, apiKey: WORKSPACE }).inbox(name).emails();
    return emails.map(({ subject }) => subject);
  };
  const rows = (page: Page) => page.locator('.row .row-subject').allTextContents();
  const row = (page: Page, subject: string) => page.locator('.row', { hasText: subject }).locator('.row-open');
  const isShown = (page: Page, subject: string) => page.locator('.mail .title').filter({ hasText: subject }).waitFor();
  const remove = (page: Page) => page.getByRole('button', { name: 'Delete this email' }).click();

  test('deleting shows the next email, and takes effect after the time to undo', async () => {
    const { name, page } = await opened(['First', 'Second', 'Third']);
    await row(page, 'Second').click({ position: { x: 60, y: 10 } });
    await remove(page);
    await isShown(page, 'Third');
    expect(await rows(page)).toEqual(['First', 'Third']);
    expect(await page.locator('.search-count').textContent()).toBe('Emails: 2');
    await page.locator('.undo', { hasText: '1 email deleted' }).waitFor();
    expect(await kept(name)).toEqual(['First', 'Second', 'Third']);
    await page.clock.fastForward(UNDO_MS);
    await expect.poll(() => kept(name)).toEqual(['First', 'Third']);
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  test('deleting can be undone by a button and by a key', async () => {
    const { name, page } = await opened(['First', 'Second']);
    await isShown(page, 'First');
    await page.keyboard.press('Delete');
    await isShown(page, 'Second');
    await page.keyboard.press('z');
    await row(page, 'First').waitFor();
    await remove(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => rows(page)).toEqual(['First', 'Second']);
    await page.clock.fastForward(UNDO_MS);
    await page.keyboard.press('z');
    await page.locator('.toast', { hasText: 'There is nothing to undo.' }).waitFor();
    expect(await kept(name)).toEqual(['First', 'Second']);
  });

  test('the Delete button and the Delete key delete all selected emails', async () => {
    const { name, page } = await opened(['First', 'Second', 'Third', 'Fourth', 'Fifth']);
    await isShown(page, 'First');
    await page.getByRole('button', { name: 'Select emails' }).click();
    await row(page, 'Second').click({ position: { x: 60, y: 10 } });
    await row(page, 'Fourth').focus();
    await page.keyboard.press('Space');
    await page.getByText('2 selected').waitFor();
    expect(await row(page, 'Fourth').getAttribute('aria-checked')).toBe('true');
    expect(await page.locator('.mail .title').textContent()).toBe('First');
    await page.getByRole('group', { name: 'Selected emails' }).getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => rows(page)).toEqual(['First', 'Third', 'Fifth']);

    await row(page, 'Fifth').focus();
    await row(page, 'Fifth').click({ position: { x: 60, y: 10 } });
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('x');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Delete');
    await expect.poll(() => rows(page)).toEqual(['First']);
    await page.clock.fastForward(UNDO_MS);
    await expect.poll(() => kept(name)).toEqual(['First']);
  });

  test.each([401, 404])('an email whose deletion fails with %i from a proxy is listed again', async (status) => {
    const { name, page } = await opened(['First', 'Second']);
    await isShown(page, 'First');
    await page.route('**/api/inbox/**', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status, json: { error: 'no' } }) : route.fallback(),
    );
    await page.keyboard.press('Delete');
    await isShown(page, 'Second');
    await page.clock.fastForward(UNDO_MS);
    await page.locator('.toast', { hasText: '1 email could not be deleted.' }).waitFor();
    await row(page, 'First').waitFor();
    expect(await kept(name)).toEqual(['First', 'Second']);
  });

  test('closing the page during the time to undo deletes the email, with the API key of the inbox', async () => {
    const { name, page } = await opened(['First', 'Second'], { name: 'acme-leaving' });
    await isShown(page, 'First');
    await page.keyboard.press('Delete');
    await isShown(page, 'Second');
    await page.goto(`${mayfly.url}/healthz`);
    await expect.poll(() => kept(name)).toEqual(['Second']);
  });

  test('another API key during the time to undo deletes the email, with the API key of the inbox', async () => {
    const { name, page } = await opened(['First', 'Second'], { name: 'acme-another-key' });
    await isShown(page, 'First');
    await page.keyboard.press('Delete');
    await isShown(page, 'Second');
    await openMore(page, 'API key');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('API key of your workspace').fill('');
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('heading', { name: 'This inbox needs an API key' }).waitFor();
    await expect.poll(() => kept(name)).toEqual(['Second']);
  });

  test('a deletion in all mail can be undone during a search that does not list the email', async () => {
    const { name, page } = await opened(['First', 'Second'], { name: 'acme-searched' });
    await page.goto(`${mayfly.url}/all`);
    const own = (subject: string) => page.locator('.row', { hasText: name }).filter({ hasText: subject });
    await openRow(own('First'));
    await isShown(page, 'First');
    await remove(page);
    await page.getByRole('searchbox').fill(`${name} Second`);
    await page.clock.runFor(500);
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('searchbox').fill(name);
    await own('First').waitFor();
    await page.clock.fastForward(UNDO_MS);
    expect(await kept(name)).toEqual(['First', 'Second']);
  });

  test('on a phone, the page returns to the list after a deletion', async () => {
    const { page } = await opened(['First', 'Second'], PHONE);
    await row(page, 'First').tap({ position: { x: 60, y: 10 } });
    await remove(page);
    await row(page, 'Second').waitFor();
    expect(await page.locator('.mail').count()).toBe(0);
    expect(await rows(page)).toEqual(['Second']);
  });
});
