import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { newRunSecret } from 'mayfly-protocol/run-secret';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser, hide, openMore, pressIn, SHOWN_FRAME, show } from './browser.js';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Excludes frames, because axe would wait half a second for a reply of the email's frame, which runs no scripts. */
const OPTIONS: axe.RunOptions = {
  runOnly: { type: 'tag', values: RULES },
  resultTypes: ['violations'],
  selectors: false,
  iframes: false,
};

/** The names of states of the page, each with the action that leads to the state. */
type Tour = Readonly<Record<string, (page: Page) => Promise<unknown>>>;

const [RUN, UNKNOWN_RUN] = [newRunSecret(), newRunSecret()];

const INVITATION =
  'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261203T093000Z\nSUMMARY:Planning\nLOCATION:Room 4.12\nEND:VEVENT';

const TAB_NAMES = ['Text', 'Links', 'Headers', 'HTML', 'Source', 'Check', 'Why this code?'];

/** The states of each page in order, by the page's path. */
const TOURS: Readonly<Record<string, Tour>> = {
  '/': {
    'the start page without a list': async (page) => {
      await page.route('**/api/settings', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), allMail: false } });
      });
      await page.reload();
      await page.getByRole('heading', { name: 'SMTP settings for your application' }).waitFor();
    },
    'an invalid name': async (page) => {
      await page.getByLabel('Or choose a name').fill('a..b');
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      await page.getByText('is not an inbox name').waitFor();
    },
    'an invalid address': async (page) => {
      await page.getByLabel('Notify me when Workspaces launch').fill('nobody');
      await page.getByRole('button', { name: 'Join the waitlist' }).click();
      await page.getByText('That does not look like an email address.').waitFor();
    },
    'a key': (page) => page.getByText('I have an API key').click(),
  },
  '/inbox/nobody': {
    'an empty inbox': (page) => page.getByRole('heading', { name: 'Waiting for mail' }).waitFor(),
  },
  '/inbox/demo': {
    'a list': (page) => page.locator('.row').nth(1).waitFor(),
    'a filter without matches': (page) => page.getByRole('searchbox').fill('nothing of it'),
    'an email': async (page) => {
      await page.getByRole('searchbox').fill('');
      await page
        .locator('.row-open')
        .first()
        .click({ position: { x: 200, y: 10 } });
      await page.frameLocator(SHOWN_FRAME).getByText('Your code is').waitFor();
    },
    'a preview without styles': async (page) => {
      await page.keyboard.press('Escape');
      const option = page.getByText('No styles');
      if (!(await option.isVisible())) await page.getByRole('button', { name: 'View options' }).click();
      await option.click();
      await page.frameLocator(SHOWN_FRAME).getByText('Your code is').waitFor();
    },
    'a copied code': (page) => page.locator('.code').click(),
    ...Object.fromEntries(
      TAB_NAMES.map((tab) => [`the tab ${tab}`, (page: Page) => page.getByRole('tab', { name: tab }).click()]),
    ),
    'the list of shortcuts': async (page) => {
      await page.keyboard.press('?');
      await page.getByText('copies the code').waitFor();
      await page.keyboard.press('Escape');
    },
    'the question before clearing the inbox': (page) => openMore(page, 'Empty this inbox'),
    'the form for a key': async (page) => {
      await page.getByRole('button', { name: 'Close' }).click();
      await openMore(page, 'API key');
    },
    'the menu of an email': async (page) => {
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'More', exact: true }).click();
    },
    'an email that another tab deleted': async (page) => {
      await page.keyboard.press('Escape');
      await page.evaluate(() => {
        new BroadcastChannel('mayfly-inbox-demo/').postMessage({ keys: [location.hash.slice(1)] });
      });
      await page.getByText('This email was deleted.').waitFor();
    },
    'a service that is away': async (page) => {
      await page.route('**/api/**', (route) => route.abort());
      // The old stream still works, so this hides and shows the page, which must then open a new stream.
      await hide(page);
      await show(page);
      await page.getByText('Mayfly cannot be reached. Trying again…').waitFor();
    },
  },
  '/inbox/demo?': {
    'the list again': (page) => page.locator('.row').nth(1).waitFor(),
    'an email with an attachment': async (page) => {
      await page
        .locator('.row-open')
        .first()
        .click({ position: { x: 200, y: 10 } });
      await page.getByText('terms.txt').waitFor();
    },
    'the uses of an email': (page) => pressIn(page, 'More', 'Use this email'),
    'a comparison': async (page) => {
      await page.getByRole('button', { name: 'Compare with the previous email' }).click();
      await page.getByRole('region', { name: 'Changes of the text' }).waitFor();
      await page.keyboard.press('Escape');
    },
    'an attachment': async (page) => {
      await page.getByRole('button', { name: 'View terms.txt' }).click();
      await page.getByRole('dialog').locator('pre').waitFor();
      await page.keyboard.press('Escape');
    },
    'a deletion that can be undone': async (page) => {
      await pressIn(page, 'More', 'Delete this email');
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
    'selected emails': async (page) => {
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Select emails' }).click();
      await page.getByRole('button', { name: 'All' }).click();
      await page.getByText('2 selected').waitFor();
    },
    'a comparison of two selected emails': async (page) => {
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByRole('region', { name: 'Changes of the text' }).waitFor();
    },
    'the choice of notifications': async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Done' }).click();
      await openMore(page, 'Notifications');
      await page.getByLabel('Show notifications').waitFor();
      await page.keyboard.press('Escape');
    },
  },
  '/inbox/invited': {
    'the line with the last failure': (page) => page.locator('.last-failure').waitFor(),
    'an invitation': async (page) => {
      await page.locator('.row-open').click({ position: { x: 200, y: 10 } });
      await page.locator('.event-name').waitFor();
    },
    'the facts of an email': async (page) => {
      const folded = page.locator('.mail-fold summary');
      if (await folded.isVisible()) await folded.click();
      await page.getByText('Reply-To', { exact: true }).waitFor();
    },
    'the options of the preview': async (page) => {
      const options = page.getByRole('button', { name: 'View options' });
      if (await options.isVisible()) await options.click();
      await page.getByLabel('Load remote images').waitFor();
    },
    'the facts of an invitation': async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'View invite.ics' }).click();
      await page.getByRole('dialog').getByText('Room 4.12').first().waitFor();
      await page.keyboard.press('Escape');
    },
    'the failures in the delivery log': async (page) => {
      await page.keyboard.press('l');
      await page.getByRole('dialog').getByText('Failed 1').click();
      await page.getByRole('dialog').getByText('550 5.7.1').waitFor();
    },
  },
  [`/inbox/p-${'a'.repeat(26)}`]: {
    'a private inbox without its secret': (page) => page.getByRole('heading', { name: 'is private' }).waitFor(),
    'a private inbox with a wrong secret': async (page) => {
      await page.getByLabel('Secret of the inbox').fill('a-wrong-secret-of-this-inbox');
      await page.getByRole('button', { name: 'Open the inbox' }).click();
      await page.getByRole('heading', { name: 'Wrong secret' }).waitFor();
    },
  },
  '/inbox/demo#': {
    'the delivery log': async (page) => {
      await page.evaluate(() => void fetch('/api/inbox/demo/stream?subject=none'));
      await page.getByRole('button', { name: 'Delivery log 1 waiting' }).click();
      await page.getByRole('region', { name: 'Waiting now' }).waitFor();
    },
  },
  '/all': {
    'all mail': (page) => page.locator('.row').nth(1).waitFor(),
    'a row with the focus': async (page) => {
      await page.locator('.row a').first().focus();
      await page.keyboard.press('ArrowDown');
    },
    'a search without matches': async (page) => {
      await page.getByRole('searchbox').fill('nothing of it');
      await page.getByText('No email matches.').waitFor();
    },
    'the inboxes': async (page) => {
      await page.getByRole('button', { name: 'Inboxes' }).click();
      await page.getByRole('button', { name: 'New private address' }).waitFor();
    },
    'further entries': (page) => page.getByRole('button', { name: 'More', exact: true }).click(),
    'the guide': (page) => page.getByRole('button', { name: 'Send an email' }).click(),
    'the delivery log of all inboxes': async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Delivery log' }).click();
      await page.getByRole('dialog').getByRole('table').waitFor();
    },
  },
  '/inbox/acme-box': {
    'an inbox that needs a key': (page) => page.getByRole('alert').first().waitFor(),
    'an inbox with a wrong key': async (page) => {
      const form = page.getByRole('main');
      await form.getByLabel('API key of your workspace').fill('acme=another-key-of-16');
      await form.getByRole('button', { name: 'Use this key' }).click();
      await page.getByRole('heading', { name: 'Wrong API key' }).waitFor();
    },
    'an inbox of an ad-hoc workspace': async (page) => {
      const form = page.getByRole('main');
      await form.getByLabel('API key of your workspace').fill('run-1:secret');
      await form.getByRole('button', { name: 'Use this key' }).click();
      await page.getByRole('button', { name: 'Copy password' }).waitFor();
    },
  },
  '/inbox/demo#2026-01-01T00:00:00.000Z': {
    'the address of a deleted email': (page) => page.getByRole('heading', { name: 'This email is gone' }).waitFor(),
  },
  [`/run/${UNKNOWN_RUN}`]: {
    'a run without tests': (page) => page.getByRole('heading', { name: 'No test yet' }).waitFor(),
  },
  [`/run/${RUN}`]: {
    'the report of a run': (page) => page.getByText('1 of 2 tests failed').waitFor(),
    'passed tests': (page) => page.getByRole('radio', { name: '1 passed' }).check({ force: true }),
    'an email of a test': async (page) => {
      await page.getByRole('radio', { name: '1 failed' }).check({ force: true });
      await page.locator('.row-open').first().click();
      await page.frameLocator(SHOWN_FRAME).getByText('Your code is').waitFor();
    },
  },
  '/nowhere': { 'a path that does not exist': (page) => page.getByRole('heading').waitFor() },
  '/inbox/a..b': { 'no inbox': (page) => page.getByRole('heading').waitFor() },
};

describeInBrowser('axe reports no violation', (browser) => {
  let mayfly: RunningMayfly;

  beforeAll(async () => {
    mayfly = await serve([
      '--store',
      'memory:',
      '--fetch-limit',
      'off',
      '--workspace',
      'acme=key-of-16-letters',
      '--ad-hoc-workspaces',
      '--waitlist',
      '--domain',
      'inbox.example.com',
    ]);
    const smtp = transportTo(mayfly);
    const to = 'demo@inbox.example.com';
    await smtp.sendMail({ to, from: 'news@paper.example', subject: 'The news', text: 'Nothing new.' });
    await smtp.sendMail({
      to,
      from: 'login@nimbus.example',
      subject: 'Your code',
      attachments: [{ filename: 'terms.txt', content: 'Terms' }],
      html: '<html lang="en"><p>Your code is <b>482913</b>, or <a href="https://nimbus.example/verify?token=1">verify</a>.</p>',
    });
    const wait = {
      to,
      text: 'Waited.',
      asked: 'an email with a link',
      arrived: [{ subject: 'The news', why: 'no link' }],
    };
    const error = 'Waited.\n\nExpected: 1\nReceived: 2';
    const tests = [
      { id: 'one', title: 'a.spec.ts › fails', outcome: 'failed', inboxes: [to], error, waits: [wait] },
      { id: 'two', title: 'a.spec.ts › passes', outcome: 'passed', inboxes: [], error: null, waits: [] },
    ];
    const headers = { 'content-type': 'application/json' };
    await fetch(`${mayfly.url}/api/run/${RUN}`, { method: 'POST', headers, body: JSON.stringify({ tests }) });
    await smtp.sendMail({
      to: 'invited@inbox.example.com',
      from: 'Ada <ada@nimbus.example>',
      replyTo: 'office@nimbus.example',
      subject: 'Planning',
      html: '<p>Join us.</p><img src="https://nimbus.example/a.png">',
      attachments: [{ filename: 'invite.ics', content: INVITATION, contentType: 'text/calendar' }],
    });
    await smtp.sendMail({ to: 'invited@example.com', from: 'a@nimbus.example', text: 'Hello.' }).catch(() => {});
    smtp.close();
  });

  afterAll(endAll);

  async function violations(page: Page): Promise<unknown[]> {
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
    const found = await page.evaluate(
      (options) => (window as unknown as { axe: typeof axe }).axe.run(options),
      OPTIONS,
    );
    return found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  }

  describe.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('the accessibility of the UI in %s colors, at %i px', (colorScheme, width) => {
    test.each(Object.entries(TOURS))('has no violation on %s', async (path, tour) => {
      const page = await browser.open(mayfly.url + path, { colorScheme, viewport: { width, height: 800 } });
      for (const [state, lead] of Object.entries(tour)) {
        await lead(page);
        expect({ state, found: await violations(page) }).toEqual({ state, found: [] });
      }
    });
  });
});
