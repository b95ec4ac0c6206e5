import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { SendMailOptions } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, type RunningMayfly, serve, temporaryFolder, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser } from './browser.js';

/** More than four pages of an inbox. */
const EMAILS = 10_500;

const MESSAGES = 1_000;
const RECIPIENTS = 100;
const ALL = MESSAGES * RECIPIENTS;

/** The height of a row. */
const ROW_PX = 56;

function recipients(n: number): string[] {
  return Array.from({ length: RECIPIENTS }, (_, r) => `n${n}-${r}@inbox.example.com`);
}

async function fill(mayfly: RunningMayfly, count: number, mailOf: (n: number) => SendMailOptions): Promise<void> {
  const smtp = transportTo(mayfly, { pool: true, maxConnections: 10, maxMessages: Number.POSITIVE_INFINITY });
  await Promise.all(Array.from({ length: count }, (_, n) => smtp.sendMail({ from: 'shop@app.test', ...mailOf(n) })));
  smtp.close();
}

describeInBrowser(`an inbox of ${EMAILS.toLocaleString()} emails`, (browser) => {
  let mayfly: RunningMayfly;

  beforeAll(async () => {
    mayfly = await serve(['--store', 'memory:', '--max-emails', '20000', '--smtp-limit', 'off']);
    await fill(mayfly, EMAILS, (n) => ({
      to: 'demo@inbox.example.com',
      subject: `mail ${n}`,
      text: `Your order has shipped. ${'It is on its way to you. '.repeat(20)}`,
      html: `<p>Your order has shipped.</p>${'<p>It is on its way to you.</p>'.repeat(20)}`,
    }));
  });

  afterAll(endAll);

  test('a long list renders only visible rows, and can be scrolled to its end and used by keyboard', async () => {
    const page = await browser.open(`${mayfly.url}/inbox/demo`);
    await page.locator('.search-count', { hasText: new RegExp(`: ${EMAILS.toLocaleString('en')}$`) }).waitFor();
    expect(await page.locator('.list').evaluate((list) => list.scrollHeight)).toBe(EMAILS * ROW_PX);
    const rows = page.locator('.row');
    expect(await rows.count()).toBeLessThan(40);
    expect(await rows.first().getAttribute('aria-posinset')).toBe('1');

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

describeInBrowser('a list of 5,000 emails while bursts of mail arrive', (browser) => {
  const before = 5_000;
  const arriving = 100;
  const burst = 10;

  afterAll(endAll);

  test.each(['/', '/inbox/busy'])('stays in its place at %s, with the chosen email, in two tabs', async (path) => {
    const mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off', '--max-emails', '10000']);
    const send = (count: number, from: number) =>
      fill(mayfly, count, (n) => ({ to: 'busy@inbox.example.com', subject: `Number ${from + n}`, text: 'Hello.' }));
    await send(before, 0);
    const page = await browser.open(mayfly.url + path);
    const beside = await browser.openBeside(page, mayfly.url + path);
    await page.bringToFront();
    const total = (tab: Page, count: number) =>
      tab.locator('.search-count', { hasText: count.toLocaleString('en') }).waitFor();
    await total(page, before);
    await page.locator('.list').evaluate((list) => list.scrollTo(0, list.scrollHeight / 2));
    const row = page.locator(`.row[aria-posinset="${before / 2 + 6}"] .row-open`);
    const key = await row.getAttribute('data-key');
    await row.click({ position: { x: 60, y: 10 } });
    const subject = await page.locator('.mail .title').textContent();
    const below = page.locator(`.row[aria-posinset="${before / 2 + 8}"]`);
    await below.hover();
    // Compares the place of the row, and what is under the mouse, at each frame.
    const { x = 0, y = 0, height = 0 } = (await below.boundingBox()) ?? {};
    await page.evaluate(
      ([wanted, x, y]) => {
        const state = () => {
          const top = document.querySelector(`[data-key="${wanted}"]`)?.getBoundingClientRect().top;
          const under = document.elementFromPoint(x, y)?.closest('.row')?.querySelector('a')?.dataset.key;
          return `${top} ${under}`;
        };
        const first = state();
        const look = () => {
          if (state() !== first) document.documentElement.dataset.moved = `${state()} rather than ${first}`;
          requestAnimationFrame(look);
        };
        look();
      },
      [key, x + 60, y + height / 2] as const,
    );
    for (let n = before; n < before + arriving; n += burst) {
      await send(burst, n);
      await total(beside, n + burst);
    }
    for (const tab of [page, beside]) await total(tab, before + arriving);
    expect(await page.locator('html').getAttribute('data-moved')).toBeNull();
    expect(await page.locator('[aria-current="true"]').getAttribute('data-key')).toBe(key);
    expect(await page.locator('.mail .title').textContent()).toBe(subject);
    await expect.poll(() => page.title()).toMatch(/^\(100\) /);
    await beside.locator('.row[aria-posinset="1"]', { hasText: /Number 50\d\d/ }).waitFor();
    await mayfly.end('SIGTERM');
  });
});

describeInBrowser('a list of all mail that expires', (browser) => {
  afterAll(endAll);

  test('loses expired emails, even those that it has not loaded', async () => {
    const mayfly = await serve(['--store', 'memory:', '--retention', '30s']);
    const page = await browser.open(mayfly.url, { viewport: { width: 390, height: 844 } });
    await page.getByText('Waiting for mail to any address').waitFor();
    await fill(mayfly, 15, (n) => ({ to: recipients(n), subject: 'Hello', text: 'Hello.' }));
    await page.reload();
    await page.locator('.search-count', { hasText: '1,500' }).waitFor();
    await page.getByText('Waiting for mail to any address').waitFor();
  });
});

describeInBrowser(`a list of all ${ALL.toLocaleString()} emails`, (browser) => {
  let mayfly: RunningMayfly;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    mayfly = await serve(['--store', `lmdb:${folder.path}`]);
    const text = `Your order has shipped. ${'It is on its way to you. '.repeat(10)}`;
    await fill(mayfly, MESSAGES, (n) => ({ to: recipients(n), subject: `Mail ${n}`, text }));
  });

  afterAll(async () => {
    endAll();
    await folder.remove();
  });

  test('the list of all mail shows its size, any of its rows after a jump, and the same row after a reload', async () => {
    const before = await residentBytes(mayfly);
    const page = await browser.open('about:blank');
    const cursors: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/emails') cursors.push(searchParams.get('cursor'));
    });
    await page.goto(mayfly.url);
    const total = page.locator('.search-count', { hasText: ALL.toLocaleString('en') });
    await total.waitFor();
    const list = page.locator('.list');
    expect(await list.evaluate((element) => element.scrollHeight)).toBe(ALL * ROW_PX);
    const jump = async (position: number) => {
      await list.evaluate((element, top) => element.scrollTo(0, top), position * ROW_PX);
      await page.locator(`.row[aria-posinset="${position + 2}"]`).waitFor();
      expect(await page.locator('.row').count()).toBeLessThan(40);
    };
    for (const share of [0.999, 0.5, 0.25, 0.75, 0.1, 0.9, 0.3, 0.6, 0.2, 0.8, 0.4]) await jump(ALL * share);
    await list.press('End');
    await page.locator(`.row[aria-posinset="${ALL}"]`).waitFor();
    await jump(ALL / 2);
    const isAgain = (cursor: string | null, at: number) => cursor !== null && cursor === cursors[at - 1];
    expect(cursors.filter(isAgain)).toEqual([]);
    const row = page.locator('.row', { hasText: (await page.locator('.row-to').nth(10).textContent()) ?? '' });
    await row.locator('.row-open').click({ position: { x: 60, y: 10 } });
    const top = await list.evaluate((element) => element.scrollTop);
    await page.reload();
    await row.locator('[aria-current="true"]').waitFor();
    await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(top);
    await total.waitFor();
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(800);
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    expect(usedSize).toBeLessThan(50 * 2 ** 20);
    expect((await residentBytes(mayfly)) - before).toBeLessThan(150 * 2 ** 20);

    await list.evaluate((element) => element.scrollTo(0, 0));
    await fill(mayfly, 1, () => ({ to: 'newest@inbox.example.com', text: 'Hello.' }));
    await page.locator('.row', { hasText: 'newest@inbox.example.com' }).waitFor();
    await page.getByRole('searchbox').fill('n0-7@');
    await page.locator('.search-count', { hasText: /: 1$/ }).waitFor({ timeout: 120_000 });

    // One request reads 5,000 emails, five of which match.
    cursors.length = 0;
    await page.getByRole('searchbox').fill('5-55@');
    await page.locator('.search-count', { hasText: /: 100$/ }).waitFor({ timeout: 120_000 });
    expect(cursors.length).toBeLessThan((2 * ALL) / 5_000);
  });
});

async function residentBytes({ process }: RunningMayfly): Promise<number> {
  const status = await readFile(`/proc/${process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
