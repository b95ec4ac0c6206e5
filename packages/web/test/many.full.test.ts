import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, type RunningMayfly, serve, temporaryFolder, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser } from './browser.js';

const EMAILS = 1_000;

const MESSAGES = 1_000;
const RECIPIENTS = 100;
const ALL = MESSAGES * RECIPIENTS;

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

  test('a long list renders only visible rows, and can be scrolled to its end and used by keyboard', async () => {
    const page = await browser.open(`${mayfly.url}/inbox/demo`);
    await page.locator('.search-count', { hasText: EMAILS.toLocaleString('en') }).waitFor();
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

describeInBrowser(`a list of all ${ALL.toLocaleString()} emails`, (browser) => {
  let mayfly: RunningMayfly;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    mayfly = await serve(['--store', `lmdb:${folder.path}`]);
    const smtp = transportTo(mayfly, { pool: true, maxConnections: 10, maxMessages: Number.POSITIVE_INFINITY });
    await Promise.all(
      Array.from({ length: MESSAGES }, (_, n) =>
        smtp.sendMail({
          from: 'shop@app.test',
          to: Array.from({ length: RECIPIENTS }, (_, r) => `n${n}-${r}@inbox.example.com`),
          subject: `Mail ${n}`,
          text: `Your order has shipped. ${'It is on its way to you. '.repeat(10)}`,
        }),
      ),
    );
    smtp.close();
  });

  afterAll(async () => {
    endAll();
    await folder.remove();
  });

  test('the list of all mail scrolls to its last row with few rendered rows and bounded memory', async () => {
    const before = await residentBytes(mayfly);
    const page = await browser.open(`${mayfly.url}/all`);
    await page.locator('.row').nth(5).waitFor();
    const rows = page.locator('.row');
    const list = page.locator('.list');
    for (let count = ''; count !== ALL.toLocaleString('en'); ) {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      expect(await rows.count()).toBeLessThan(40);
      count = (await page.locator('.search-count').textContent()) ?? '';
    }
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.locator(`.row[aria-posinset="${ALL}"]`).waitFor();
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(800);
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await page.locator(`.row[aria-posinset="${ALL / 2}"]`).waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    expect(usedSize).toBeLessThan(150 * 2 ** 20);
    expect((await residentBytes(mayfly)) - before).toBeLessThan(150 * 2 ** 20);

    await list.evaluate((element) => element.scrollTo(0, 0));
    await transportTo(mayfly).sendMail({
      from: 'a@app.test',
      to: 'newest@inbox.example.com',
      subject: 'Hello',
      text: 'Hello.',
    });
    await page.locator('.row', { hasText: 'newest@inbox.example.com' }).waitFor();
    await page.getByRole('searchbox').fill('n0-7@');
    await page.locator('.search-count', { hasText: /^1$/ }).waitFor({ timeout: 120_000 });
  });
});

async function residentBytes({ process }: RunningMayfly): Promise<number> {
  const status = await readFile(`/proc/${process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
