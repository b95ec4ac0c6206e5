import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser } from './browser.js';

const EMAILS = 40;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describeInBrowser('the keyboard', (browser) => {
  let mayfly: RunningMayfly;

  beforeAll(async () => {
    mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off']);
    const smtp = transportTo(mayfly);
    for (let n = 1; n <= EMAILS; n++) {
      await smtp.sendMail({
        to: 'demo@inbox.example.com',
        from: 'a@app.test',
        subject: `mail ${n}`,
        html: '<p>A line.</p>'.repeat(200),
        headers: { 'X-Long': 'word '.repeat(40) },
      });
    }
    smtp.close();
  });

  afterAll(endAll);

  const open = (options = {}) => browser.open(`${mayfly.url}/inbox/demo`, options);
  const shows = (page: Page, n: number) =>
    page.locator('.mail .title', { hasText: new RegExp(`^mail ${n}$`) }).waitFor();
  const focusIsOnRow = (page: Page, n: number) =>
    page.waitForFunction(
      (subject) => document.activeElement?.querySelector('.row-subject')?.textContent === subject,
      `mail ${n}`,
    );

  test('Home, End and the page keys move through the list', async () => {
    const page = await open();
    await shows(page, EMAILS);
    await page.keyboard.press('End');
    await shows(page, 1);
    await focusIsOnRow(page, 1);
    await page.keyboard.press('Home');
    await shows(page, EMAILS);
    await focusIsOnRow(page, EMAILS);
    await page.keyboard.press('PageDown');
    const down = Number((await page.locator('.mail .title').textContent())?.slice('mail '.length));
    expect(down).toBeLessThan(EMAILS - 2);
    await page.keyboard.press('PageUp');
    await shows(page, EMAILS);
  });

  test('keyboard shortcuts work after a click on a tab of the email, or on the contents of the tab', async () => {
    const page = await open();
    await shows(page, EMAILS);
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.keyboard.press('c');
    await page.locator('.toast', { hasText: 'This email has no code.' }).waitFor();
    await page.getByRole('tab', { name: 'HTML' }).click();
    await page
      .getByRole('tabpanel', { name: 'HTML' })
      .locator('pre')
      .click({ position: { x: 20, y: 20 } });
    await page.keyboard.press('o');
    await page.locator('.toast', { hasText: 'This email has no link to open.' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await shows(page, EMAILS);
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.keyboard.press('ArrowDown');
    await shows(page, EMAILS - 1);
  });

  test('the page handles the key c, but leaves c with Control, Alt or Meta to the browser', async () => {
    const page = await open();
    await shows(page, EMAILS);
    await page.evaluate(() => {
      addEventListener('keydown', (event) => {
        document.documentElement.dataset.taken = `${event.key} ${event.defaultPrevented}`;
      });
    });
    const taken = async (key: string) => {
      await page.keyboard.press(key);
      return page.evaluate(() => document.documentElement.dataset.taken);
    };
    expect(await taken('c')).toBe('c true');
    for (const modifier of ['Control', 'Alt', 'Meta']) expect(await taken(`${modifier}+c`)).toBe('c false');
  });

  test('Enter and → lead into the email, digits select its tabs, and Escape returns to its row', async () => {
    const page = await open();
    await shows(page, EMAILS);
    await page.keyboard.press('ArrowDown');
    await focusIsOnRow(page, EMAILS - 1);
    const focusIsOnTitle = () => page.waitForFunction(() => document.activeElement?.matches('.mail .title'));
    for (const key of ['Enter', 'ArrowRight']) {
      await page.keyboard.press(key);
      await focusIsOnTitle();
      await page.keyboard.press('Escape');
      await focusIsOnRow(page, EMAILS - 1);
      await shows(page, EMAILS - 1);
    }
    await page.keyboard.press('4');
    await page.getByRole('tabpanel', { name: 'Headers' }).getByText('X-Long').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Headers');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'HTML', selected: true }).waitFor();
    await page.keyboard.press('Escape');
    await focusIsOnRow(page, EMAILS - 1);
  });

  test('the tabs of any email are within 6 Tab presses of the search', async () => {
    const smtp = transportTo(mayfly);
    const mail = {
      to: 'full@inbox.example.com',
      from: 'a@app.test',
      subject: 'A code and a link',
      text: 'Your code is 482913. Open https://app.test/verify?token=1',
      attachments: ['a.txt', 'b.txt', 'c.txt'].map((filename) => ({ filename, content: 'x' })),
    };
    for (let n = 0; n < 12; n++) await smtp.sendMail(mail);
    const page = await browser.open(`${mayfly.url}/inbox/full`);
    await page.getByText('c.txt').waitFor();
    await smtp.sendMail(mail);
    smtp.close();
    await page.locator('.new-mail:visible').waitFor();
    await page.keyboard.press('/');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('role'));
    let steps = 0;
    while ((await focused()) !== 'tab' && steps < 20) {
      await page.keyboard.press('Tab');
      steps += 1;
    }
    expect(steps).toBeLessThanOrEqual(6);
    // The arrow keys reach the other controls of a toolbar.
    await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button').first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Delete this email');
    await page.keyboard.press('n');
    await expect.poll(() => page.title()).toBe('full – Mayfly');
  });

  test.each([1440, 390])('%i px wide, the focus goes on if its control disappears', async (width) => {
    const smtp = transportTo(mayfly);
    for (const subject of ['mail 1', 'mail 2'])
      await smtp.sendMail({ to: `focus-${width}@inbox.example.com`, from: 'a@app.test', subject, text: 'Hello.' });
    smtp.close();
    const page = await browser.open(`${mayfly.url}/inbox/focus-${width}`, { viewport: { width, height: 844 } });
    await page.locator('.row').nth(1).waitFor();
    const press = (name: string) => page.getByRole('button', { name, exact: true }).first().press('Enter');
    const focusIsOn = (name: string) =>
      page.waitForFunction((text) => {
        const { ariaLabel, textContent } = document.activeElement ?? {};
        return [ariaLabel, textContent].includes(text);
      }, name);
    await press('Select emails');
    await focusIsOn('All');
    await press('Done');
    await focusIsOn('Select emails');
    await press('More');
    await press('API key');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await focusIsOn('More');
    await page.locator('.row-open').first().press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('.mail .title'));
    await press('Delete this email');
    await focusIsOnRow(page, 1);
    await press('Undo');
    await focusIsOnRow(page, 2);
  });

  test('a screen reader hears a new email with its code once, how many a search finds, and short names', async () => {
    const page = await browser.open(`${mayfly.url}/inbox/heard`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.evaluate(() => {
      const heard: (string | null)[] = [];
      const note = (changes: readonly MutationRecord[]) => {
        for (const { target } of changes) {
          const element = target instanceof Element ? target : target.parentElement;
          const region = element?.closest('[role=status], [role=alert], [aria-live=polite]');
          if (region) heard.push(region.textContent);
        }
      };
      new MutationObserver(note).observe(document.body, { subtree: true, characterData: true, childList: true });
      Object.assign(window, { heard });
    });
    const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard.splice(0));
    const smtp = transportTo(mayfly);
    const mail = { to: 'heard@inbox.example.com', from: 'App <a@app.test>', subject: 'Sign in' };
    for (const code of ['482913', '593024']) {
      await smtp.sendMail({ ...mail, text: `Your code is ${code}` });
      await page.locator('.row-code', { hasText: code }).waitFor();
    }
    smtp.close();
    expect(await heard()).toEqual([
      'New email from App: Sign in. Code 482913.',
      'New email from App: Sign in. Code 593024.',
    ]);
    await page.getByRole('searchbox').fill('593024');
    await expect.poll(heard).toEqual(['Emails: 1 of 2']);
    await page.getByRole('link', { name: /^(New: )?App Sign in (now|\d+ s)$/ }).waitFor();
  });

  test('the selection is visible with forced colors', async () => {
    const page = await open({ forcedColors: 'active' });
    await shows(page, EMAILS);
    const colours = (selector: string) => page.$eval(selector, (element) => getComputedStyle(element).backgroundColor);
    expect(await colours('.row-open[aria-current=true]')).not.toBe(await colours('.row-open[aria-current=false]'));
    expect(await colours('[role=tab][aria-selected=true]')).not.toBe(await colours('[role=tab][aria-selected=false]'));
    expect(await colours('.choice label:has(:checked)')).not.toBe(await colours('.choice label:not(:has(:checked))'));
  });

  test('on a phone, the focus moves to the opened email, and later back to its row in the inbox', async () => {
    const page = await open(PHONE);
    await page.locator('.row').first().waitFor();
    const row = page.locator('.row-open').nth(3);
    const subject = await row.locator('.row-subject').textContent();
    await row.focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      (text) => document.activeElement?.matches('.mail .title') && document.activeElement.textContent === text,
      subject,
    );
    await page.getByRole('button', { name: 'Inbox', exact: true }).click();
    await focusIsOnRow(page, Number(subject?.slice('mail '.length)));
  });
});
