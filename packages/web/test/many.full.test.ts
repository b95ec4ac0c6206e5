import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser } from './browser.js';

const EMAILS = 1_000;

describeInBrowser('an inbox of 1,000 emails', (browser) => {
  let mayfly: RunningMayfly;

  beforeAll(async () => {
    mayfly = await serve(['--store', 'memory:']);
    const smtp = transportTo(mayfly, { pool: true, maxConnections: 20, maxMessages: Number.POSITIVE_INFINITY });
    for (let n = 0; n < EMAILS; n += 100) {
      const batch = Array.from({ length: 100 }, (_, i) =>
        smtp.sendMail({
          to: 'demo@inbox.example.com',
          from: 'shop@app.test',
          subject: `mail ${n + i}`,
          text: `Your order has shipped. ${'It is on its way to you. '.repeat(20)}`,
          html: `<p>Your order has shipped.</p>${'<p>It is on its way to you.</p>'.repeat(20)}`,
        }),
      );
      await Promise.all(batch);
    }
    smtp.close();
  });

  afterAll(endAll);

  test('is painted before its rows are there', async () => {
    const page = await browser.open(`${mayfly.url}/inbox/demo`);
    await page.locator('.row').first().waitFor();
    const rowsAt = await page.evaluate(() => performance.now());
    const painted = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
    expect(painted).toBeLessThan(rowsAt);
  });

  test('has only those rows that can be seen, scrolls to the last, and goes on by the keyboard', async () => {
    const page = await browser.open(`${mayfly.url}/inbox/demo`);
    await page.locator('.search-count', { hasText: String(EMAILS) }).waitFor();
    const rows = page.locator('.row');
    expect(await rows.count()).toBeLessThan(40);
    const positionOf = (row: number) => rows.nth(row).getAttribute('aria-posinset');
    expect(await positionOf(0)).toBe('1');

    await page.locator('.list').evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await page.locator(`.row[aria-posinset="${EMAILS}"]`).waitFor();
    expect(await rows.count()).toBeLessThan(40);
    await page.locator(`.row[aria-posinset="${EMAILS}"]`).click();
    await page.keyboard.press('ArrowUp');
    const isChosen = `.row[aria-posinset="${EMAILS - 1}"] [aria-current="true"]`;
    await page.locator(isChosen).waitFor();
    await page.waitForFunction((selector) => document.activeElement?.matches(selector), isChosen);

    for (let n = 0; n < 30; n++) await page.keyboard.press('ArrowUp');
    const shown = page.locator(`.row[aria-posinset="${EMAILS - 31}"]`);
    await shown.locator('[aria-current="true"]').waitFor();
    const [row, list] = [await shown.boundingBox(), await page.locator('.list').boundingBox()];
    expect(row?.y).toBeGreaterThanOrEqual(list?.y ?? Number.POSITIVE_INFINITY);
  });
});
