import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';
import { clipboard, describeInBrowser } from './browser.js';

/** Long enough that summaries omit the text after it. */
const BEGINNING = 'It begins with a long greeting. '.repeat(20);

const MAILS = [
  { from: 'Ada <ada@shop.example>', subject: 'Your receipt', text: `${BEGINNING}Thank you for the blue kettle.` },
  { from: 'Bob <bob@shop.example>', subject: 'Your code', text: 'Your code is 482913.' },
  {
    from: 'login@nimbus.example',
    subject: 'Sign in',
    text: 'Your verification code is A7K-2QX, valid for 10 minutes.',
  },
  {
    from: 'team@nimbus.example',
    subject: 'Kettle invoice',
    text: 'It is attached.',
    attachments: [{ filename: 'Contract-2026.txt', content: 'x' }],
  },
  {
    from: 'hr@nimbus.example',
    subject: 'Come in',
    html: '<p>Hello.</p><p><a href="https://nimbus.example/x1">Accept invitation</a></p>',
  },
];

/** Search texts, each with the subjects of the emails that match. */
const SEARCHES: Readonly<Record<string, readonly string[]>> = {
  kettle: ['Kettle invoice', 'Your receipt'],
  'ada kettle': ['Your receipt'],
  'kettle ada receipt': ['Your receipt'],
  '"blue kettle"': ['Your receipt'],
  '"kettle blue"': [],
  'kettle -blue': ['Kettle invoice'],
  'from:nimbus': ['Come in', 'Kettle invoice', 'Sign in'],
  'from:"ada"': ['Your receipt'],
  '-from:nimbus': ['Your code', 'Your receipt'],
  'subject:kettle': ['Kettle invoice'],
  'to:demo@inbox.example.com subject:your': ['Your code', 'Your receipt'],
  'to:nobody': [],
  'has:attachment': ['Kettle invoice'],
  'has:code': ['Sign in', 'Your code'],
  '-has:code -has:link': ['Kettle invoice', 'Your receipt'],
  'has:link': ['Come in'],
  'contract-2026': ['Kettle invoice'],
  'a7k-2qx': ['Sign in'],
};

describeInBrowser('the search of an inbox', (browser) => {
  let mayfly: RunningMayfly;

  beforeAll(async () => {
    mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off']);
    const smtp = transportTo(mayfly);
    for (const mail of MAILS) await smtp.sendMail({ to: 'demo@inbox.example.com', ...mail });
    await smtp.sendMail({
      to: 'rtl@inbox.example.com',
      from: 'a@app.test',
      subject: 'رمز الدخول إلى حسابك في التطبيق هو المذكور أدناه ولا تشاركه مع أي شخص آخر',
      text: 'مرحبا '.repeat(100),
    });
    smtp.close();
  });

  afterAll(endAll);

  const subjects = (page: Page) => page.locator('.row .row-subject').allTextContents();

  test('the search matches words, fields, flags and negations in summaries, texts and file names', async () => {
    const page = await browser.open(`${mayfly.url}/inbox/demo`);
    await page
      .locator('.row')
      .nth(MAILS.length - 1)
      .waitFor();
    for (const [search, found] of Object.entries(SEARCHES)) {
      await page.getByRole('searchbox').fill(search);
      await expect.poll(() => subjects(page), { message: search }).toEqual(found);
    }
    await page.getByRole('searchbox').fill('');
    await expect.poll(async () => (await subjects(page)).length).toBe(MAILS.length);
  });

  test.each(['/inbox/demo', '/all'])(
    'in %s, a search shows its first match, but keeps an email that was chosen',
    async (path) => {
      const page = await browser.open(`${mayfly.url}${path}`);
      const shows = (subject: string) => page.locator('.mail .title', { hasText: subject }).waitFor();
      const search = async (words: string, found: readonly string[]) => {
        await page.getByRole('searchbox', { name: 'Search' }).fill(words);
        await page.waitForURL((url) => url.searchParams.get('q') === words);
        await expect.poll(() => subjects(page)).toEqual(found);
      };
      await page
        .locator('.row')
        .nth(MAILS.length - 1)
        .waitFor();
      await search('kettle', SEARCHES.kettle ?? []);
      await shows('Kettle invoice');
      await search('nobody', []);
      await page.locator('.mail').waitFor({ state: 'detached' });
      await search('shop', ['Your code', 'Your receipt']);
      await shows('Your code');
      await page.reload();
      await shows('Your code');
      await page.keyboard.press('ArrowDown');
      await shows('Your receipt');
      await search('nimbus', SEARCHES['from:nimbus'] ?? []);
      await shows('Your receipt');
      await page.reload();
      await expect.poll(() => subjects(page)).toEqual(SEARCHES['from:nimbus']);
      await shows('Your receipt');
    },
  );

  test('a search of all mail that is changed, and changed back during its request, lists only its matches', async () => {
    const page = await browser.open(`${mayfly.url}/all`);
    await page
      .locator('.row')
      .nth(MAILS.length - 1)
      .waitFor();
    let isFirst = true;
    const asked = new Promise<void>((resolve) => {
      page.route('**/api/emails?*search=*', (route) => {
        if (isFirst) resolve();
        else route.continue();
        isFirst = false;
      });
    });
    await page.getByRole('searchbox').fill('kettle');
    await asked;
    await page.getByRole('searchbox').evaluate(async (field: HTMLInputElement) => {
      for (const search of ['', 'kettle']) {
        field.value = search;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
    await expect.poll(() => subjects(page)).toEqual(SEARCHES.kettle);
  });

  test('a row in the list of emails shows a code with letters, and opens an action link in a new tab', async () => {
    // A narrow screen shows only the list, so the code is not that of an open email.
    const page = await browser.open(`${mayfly.url}/inbox/demo`, { viewport: { width: 390, height: 844 } });
    const row = (subject: string) => page.locator('.row', { hasText: subject });
    await row('Sign in').getByRole('button', { name: 'Copy code A7K-2QX' }).click();
    expect(await clipboard(page)).toBe('A7K-2QX');
    expect(await row('Your receipt').locator('.chip').count()).toBe(0);
    await page.context().route('https://nimbus.example/**', (route) => route.fulfill({ body: 'accepted' }));
    const opensLink = async (act: () => Promise<void>) => {
      const [opened] = await Promise.all([page.context().waitForEvent('page'), act()]);
      expect(opened.url()).toBe('https://nimbus.example/x1');
      expect(await opened.evaluate(() => window.opener)).toBe(null);
      await opened.close();
    };
    await opensLink(() => row('Come in').getByRole('button', { name: 'Open the link' }).click());
    await page.goto(`${mayfly.url}/all`);
    await row('Come in').locator('.row-open').focus();
    await opensLink(() => page.keyboard.press('o'));
  });

  test('a row shows the beginning of Arabic text, and an ellipsis if the text is truncated', async () => {
    const page = await browser.open(`${mayfly.url}/inbox/rtl`);
    const line = page.locator('.row-line');
    await line.waitFor();
    expect(await line.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    // The first letter is at the right end, so the line is cut off at its left end.
    const [first, end] = await line.evaluate((element) => {
      const range = document.createRange();
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text;
      range.setStart(text, 0);
      range.setEnd(text, 1);
      return [range.getBoundingClientRect().right, element.getBoundingClientRect().right];
    });
    expect(Math.abs((first ?? 0) - (end ?? 0))).toBeLessThan(4);
    expect(await page.locator('.row-text').textContent()).toMatch(/…$/);
    expect(await page.locator('.mail .title').evaluate((title) => getComputedStyle(title).direction)).toBe('rtl');
    const all = await browser.open(`${mayfly.url}/all`, { viewport: { width: 390, height: 844 } });
    const subject = all.locator('.row-subject', { hasText: 'رمز الدخول' });
    expect(await subject.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
  });
});
