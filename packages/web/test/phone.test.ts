import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { describeInBrowser, freshName, openMore, SHOWN_FRAME } from './browser.js';
import { sharedMayfly } from './shared-mayfly.js';

const SUBJECTS = {
  'a short subject': 'Your code',
  'a subject of one long word': 'Donaudampfschiffahrt'.repeat(15),
  'a subject from right to left': 'رمز الدخول إلى حسابك في التطبيق هو المذكور أدناه ولا تشاركه مع أي شخص آخر',
};

const HTML =
  '<p>Your code is 482913. <a href="https://app.test/verify?token=9f1e7c2ab0d34865">Verify</a></p>' +
  '<img src="https://a.test/a.png">';

const INVITATION = [
  'BEGIN:VCALENDAR',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'DTSTART:20261203T093000Z',
  'SUMMARY:Planning with the whole team',
  'LOCATION:Room 4.12',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

/** The size of a finger in CSS pixels. */
const TARGET_PX = 44;

/** Returns visible controls of the open dialog, menu or email that are smaller than `leastPx`, or than their text. */
function tooSmall(leastPx: number): string[] {
  const scope =
    document.querySelector('dialog[open]') ??
    document.querySelector(':popover-open') ??
    document.querySelector('.mail');
  // A label is the target of its field. Links in a text are as high as its lines.
  const controls = scope?.querySelectorAll<HTMLElement>('button, summary, label, .button, a.attachment, input') ?? [];
  return [...controls].flatMap((one) => {
    const { width, height } = one.getBoundingClientRect();
    const isOwn = one.checkVisibility() && !(one.matches('input') && one.closest('label'));
    const isSmall =
      isOwn && (width < leastPx || height < leastPx || (one.role === 'tab' && one.scrollWidth > width + 1));
    return isSmall ? [`${one.ariaLabel ?? one.textContent} ${width} x ${height}`] : [];
  });
}

describeInBrowser('an email on a phone', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  const open = async (mail: object, width: number, height: number, options: object = {}) => {
    const name = freshName();
    await mayfly.smtp.sendMail({ to: `${name}@inbox.example.com`, from: 'App <a@app.test>', html: HTML, ...mail });
    const page = await browser.open(`${mayfly.url}/inbox/${name}`, { viewport: { width, height }, ...options });
    await page.locator('.row-open').click({ position: { x: 60, y: 10 } });
    await page.frameLocator(SHOWN_FRAME).getByText('Your code is').waitFor();
    await page.locator('.found-link').waitFor();
    return page;
  };

  const bar = (page: Page) => page.locator('.phone-bar');

  test.each([
    [390, 844],
    [320, 568],
    // At 200 %.
    [195, 422],
  ])('in a window of %i × %i pixels, one bar replaces the toolbar, and nothing is cut off', async (width, height) => {
    const bars = new Set<string>();
    for (const [what, subject] of Object.entries(SUBJECTS)) {
      const page = await open({ subject }, width, height);
      expect(await page.getByRole('navigation').isVisible()).toBe(false);
      const preview = await page.locator(SHOWN_FRAME).boundingBox();
      if (width >= 320) expect(preview?.y).toBeLessThanOrEqual(300);
      const isWide = () => document.documentElement.scrollWidth > innerWidth;
      expect({ what, isWide: await page.evaluate(isWide) }).toEqual({ what, isWide: false });
      const [title, more, box] = await Promise.all(
        [bar(page).getByRole('heading'), bar(page).getByRole('button', { name: 'More' }), bar(page)].map((one) =>
          one.boundingBox(),
        ),
      );
      expect((title?.y ?? 0) + (title?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0));
      bars.add(JSON.stringify([more, box]));
      await page.close();
    }
    // The controls have the same place next to any subject.
    expect(bars.size).toBe(1);
  });

  test.each([
    [390, 844],
    [320, 568],
  ])('in a window of %i × %i pixels, each control is large enough for a finger', async (width, height) => {
    const attachments = [
      { filename: 'invite.ics', content: INVITATION, contentType: 'text/calendar' },
      { filename: 'terms.txt', content: 'Terms' },
      { filename: 'data.bin', content: 'x' },
    ];
    const page = await open({ subject: 'Your code', attachments }, width, height);
    await page.getByText('Planning with the whole team').waitFor();
    const press = (name: string) => () => page.getByRole('button', { name, exact: true }).first().click();
    const states: Readonly<Record<string, () => Promise<unknown>>> = {
      'the preview': async () => {},
      'the facts': () => page.locator('.mail-fold summary').click(),
      'its options': press('View options'),
      'the links': async () => {
        await page.keyboard.press('Escape');
        await page.getByRole('tab', { name: 'Links' }).click();
      },
      'the attachment': async () => {
        await press('View invite.ics')();
        await page.getByRole('dialog').waitFor();
      },
      'the menu': async () => {
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await press('More')();
      },
      'the uses': press('Use this email in a test'),
    };
    const found: Record<string, string[]> = {};
    for (const [state, lead] of Object.entries(states)) {
      await lead();
      found[state] = await page.evaluate(tooSmall, TARGET_PX);
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(states).map((state) => [state, []])));
  });

  test('an open email takes one tap for dark colors, and one tap each to be deleted and to be back', async () => {
    const page = await open({ subject: 'Your code' }, 390, 844);
    await page.getByRole('checkbox', { name: 'Dark' }).click();
    await expect.poll(() => page.locator(SHOWN_FRAME).getAttribute('src')).toMatch(/\?scheme=dark$/);
    await page.getByRole('button', { name: 'Delete this email' }).click();
    await page.locator('.row').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.row', { hasText: 'Your code' }).waitFor();
  });

  test('at 200 %, the open options of the preview stay in the window when the email is scrolled', async () => {
    const page = await open({}, 195, 422);
    await page.getByRole('button', { name: 'View options' }).click();
    await page.getByLabel('Load remote images').waitFor();
    const isWithin = await page.evaluate(async () => {
      const email = document.querySelector('.mail') as Element;
      const menu = document.querySelector(':popover-open') as Element;
      email.scrollTo(0, email.scrollHeight);
      // The browser moves what is anchored in the next frame.
      for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
      const { top, bottom } = menu.getBoundingClientRect();
      return email.scrollTop > 0 && top >= 0 && bottom <= innerHeight;
    });
    expect(isWithin).toBe(true);
  });

  test('at 200 %, the list of keys has room for what each key does', async () => {
    const page = await open({}, 195, 422);
    await page.keyboard.press('?');
    await page.getByText('copies the code').waitFor();
  });

  test('the facts of an email unfold, and its menu leads to the delivery log and empties the inbox', async () => {
    const page = await open({ subject: SUBJECTS['a subject of one long word'] }, 390, 844);
    expect(await page.getByText('To', { exact: true }).isVisible()).toBe(false);
    await page.locator('.mail-fold summary').click();
    await page.getByText('To', { exact: true }).waitFor();
    // The bar has room for two lines of the subject.
    await page.locator('.mail-facts').getByText(SUBJECTS['a subject of one long word']).waitFor();
    await openMore(page, 'Delivery log');
    await page.getByRole('dialog', { name: 'Delivery log' }).getByRole('cell').first().waitFor();
    await page.keyboard.press('Escape');
    await openMore(page, 'Empty this inbox');
    await page.getByRole('dialog').getByRole('button', { name: 'Empty this inbox' }).click();
    await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor();
  });
});
