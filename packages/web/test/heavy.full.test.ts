import type { Page } from '@playwright/test';
import type { SendMailOptions } from 'nodemailer';
import { expect, test } from 'vitest';
import { describeInBrowser, freshName, openRow, SHOWN_FRAME } from './browser.js';
import { sharedMayfly } from './shared-mayfly.js';
import { check } from './tour-checks.js';

/** A page with more elements would be slow on a phone. */
const MAX_ELEMENTS = 12_000;

/** How long another email may take to open, on a busy machine. */
const OPENING_MS = 10_000;

interface Heavy {
  readonly mail: SendMailOptions;
  /** What the tabs say about what they do not show. */
  readonly says?: Readonly<Record<string, string>>;
  /** A text above the tabs. */
  readonly top?: string;
}

const BEGINNING = 'Only the beginning is shown.';

function files(count: number, nameOf: (n: number) => string): SendMailOptions {
  return { attachments: Array.from({ length: count }, (_, n) => ({ filename: nameOf(n), content: 'x' })) };
}

function calendar(events: number): SendMailOptions {
  const event = (n: number) => `BEGIN:VEVENT\nDTSTART:20261203T093000Z\nSUMMARY:Event ${n}\nEND:VEVENT\n`;
  const content = `BEGIN:VCALENDAR\n${Array.from({ length: events }, (_, n) => event(n)).join('')}END:VCALENDAR\n`;
  return { attachments: [{ filename: 'all.ics', content, contentType: 'text/calendar' }] };
}

const link = (n: number) => `<a href="https://app.test/${n}">Link ${n}</a> `;

/** Emails at or above the limits of what Mayfly lists (D20). */
const HEAVY: Readonly<Record<string, Heavy>> = {
  'a calendar of 10,000 events': { mail: calendar(10_000), top: 'all.ics' },
  'an invitation of 2,000 events': { mail: calendar(2_000), top: 'and at least 19 more events' },
  '500 attachments': { mail: files(500, (n) => `file ${n}.txt`), top: 'file 499.txt' },
  '1,500 attachments': { mail: files(1_500, (n) => `file ${n}.txt`), top: 'The first 500 attachments are listed.' },
  'hostile file names': {
    mail: files(20, (n) => `\u202e\u2066שלום ${'gpj.'.repeat(n)}\u0007<img src=x onerror=alert(1)>\u200b.exe`),
    top: 'exe',
  },
  'a subject of 100,000 characters': { mail: { subject: 'Word '.repeat(20_000) } },
  'a subject of one word of 100,000 characters': { mail: { subject: 'W'.repeat(100_000) } },
  '2,000 recipients': {
    mail: { to: Array.from({ length: 2_000 }, (_, n) => `"Person ${n}" <p${n}@app.test>`) },
    top: 'and more than 480 more',
  },
  'HTML of 5 MB': {
    mail: { html: `<p class="${'x'.repeat(90)}">Hello</p>`.repeat(50_000) },
    says: { Preview: BEGINNING, HTML: BEGINNING },
  },
  '20,000 links': {
    mail: { html: Array.from({ length: 20_000 }, (_, n) => link(n)).join('') },
    says: { Links: 'This email has more links than listed.' },
  },
  'a line of 2 MB': { mail: { text: 'x'.repeat(2_000_000) }, says: { Preview: BEGINNING, Text: BEGINNING } },
  '1,000 nested tables': {
    mail: { html: `${'<table border="1"><tr><td>'.repeat(1_000)}Hello${'</td></tr></table>'.repeat(1_000)}` },
  },
};

const TABS = ['Preview', 'Text', 'Links', 'Headers', 'HTML', 'Source', 'Check', 'Why this code?'];

describeInBrowser('an email at the limits', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  const row = (page: Page, subject: string) => page.locator('.row', { hasText: subject });

  test.each(
    Object.entries(HEAVY).flatMap(([what, heavy]) => [1440, 390].map((width) => [what, width, heavy] as const)),
  )('%s fits into a window of %i pixels, and leads to the next email', async (_, width, { mail, says, top }) => {
    const to = `${freshName()}@inbox.example.com`;
    const envelope = { from: 'a@app.test', to };
    await mayfly.smtp.sendMail({ to, from: 'a@app.test', subject: 'Light', text: 'A light email.' });
    await mayfly.smtp.sendMail({ to, from: 'a@app.test', subject: 'Heavy', text: 'Heavy.', ...mail, envelope });
    const page = await browser.open(`${mayfly.url}/inbox/${to}`, { viewport: { width, height: 900 } });
    await row(page, 'Light').waitFor();
    await openRow(page.locator('.row'));
    const email = page.getByRole('article', { name: 'Email' });
    if (width < 500) await email.locator('.mail-fold summary').click();
    if (top !== undefined) await email.getByText(top).first().waitFor();
    const found: Record<string, string[]> = {};
    for (const tab of TABS) {
      await page.getByRole('tab', { name: tab }).click();
      const panel = page.getByRole('tabpanel', { name: tab });
      await panel.locator(`.scroll, .hint, ${SHOWN_FRAME}`).first().waitFor();
      if (says?.[tab] !== undefined) await panel.getByText(says[tab]).waitFor();
      const all = [...(await check(page, 'wide')), ...(await check(page, 'cut'))];
      if (all.length > 0) found[tab] = all;
    }
    expect(found).toEqual({});
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(MAX_ELEMENTS);
    if (width < 500) await page.getByRole('button', { name: 'Inbox', exact: true }).click();
    await openRow(row(page, 'Light'));
    await email.getByRole('heading', { name: 'Light' }).waitFor({ timeout: OPENING_MS });
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.frameLocator(SHOWN_FRAME).getByText('A light email.').waitFor({ timeout: OPENING_MS });
  });
});
