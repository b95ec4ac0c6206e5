import type { Page } from '@playwright/test';
import { Mayfly } from 'mayfly-client';
import { newRunSecret } from 'mayfly-protocol/run-secret';
import { hide, openMore, openRow, pressIn, SHOWN_FRAME, show } from './browser.js';
import { goWithKey } from './shared-mayfly.js';

/** The names of states of the page, each with the action that leads to the state. */
export type Tour = Readonly<Record<string, (page: Page) => Promise<unknown>>>;

/** A run with tests. */
export const RUN = newRunSecret();

const PRIVATE = new Mayfly({ baseUrl: 'http://127.0.0.1' }).createInbox({ private: true });

const TAB_NAMES = ['Text', 'Links', 'Headers', 'HTML', 'Source', 'Check', 'Why this code?'];

/** How long a deletion can be undone. */
const UNDO_MS = 5_000;

/** Closes the menu of a phone. Without one, Escape would close the email. */
async function closeMenu(page: Page): Promise<void> {
  if (await page.locator(':popover-open').isVisible()) await page.keyboard.press('Escape');
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click();
  await page.getByRole('tabpanel', { name }).locator('.scroll').first().waitFor();
}

/** The states of each page in order, by the page's path. */
export const TOURS: Readonly<Record<string, Tour>> = {
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
  '/?': {
    'all mail of an ad-hoc workspace without mail': async (page) => {
      await goWithKey(page, page.url(), 'run-1:secret-of-run-1');
      await page.getByText('Waiting for mail to').waitFor();
    },
    'the start page of a service that is away': async (page) => {
      await page.route('**/api/**', (route) => route.abort());
      await page.reload();
      await page.getByText('Mayfly cannot be reached. Trying again…').first().waitFor();
    },
  },
  '/inbox/nobody': {
    'an empty inbox': (page) => page.getByRole('heading', { name: 'Waiting for mail' }).waitFor(),
  },
  '/inbox/demo': {
    'a list': async (page) => {
      await page.locator('.row').nth(1).waitFor();
      // In a wide window, the newest email is next to the list.
      if (await page.locator('.mail').isVisible()) await page.locator(SHOWN_FRAME).waitFor();
    },
    'a filter without matches': (page) => page.getByRole('searchbox').fill('nothing of it'),
    'an email': async (page) => {
      await page.getByRole('searchbox').fill('');
      await openRow(page.locator('.row'));
      await page.frameLocator(SHOWN_FRAME).getByText('Your code is').waitFor();
    },
    'a preview without styles': async (page) => {
      const option = page.getByText('No styles');
      if (!(await option.isVisible())) await page.getByRole('button', { name: 'View options' }).click();
      await option.click();
      await page.frameLocator(SHOWN_FRAME).getByText('Your code is').waitFor();
    },
    'a copied code': async (page) => {
      await closeMenu(page);
      await page.locator('.code').click();
    },
    ...Object.fromEntries(TAB_NAMES.map((name) => [`the tab ${name}`, (page: Page) => openTab(page, name)])),
    'the list of shortcuts': async (page) => {
      await page.keyboard.press('?');
      await page.getByText('copies the code').waitFor();
    },
    'the question before clearing the inbox': async (page) => {
      await page.keyboard.press('Escape');
      await openMore(page, 'Empty this inbox');
    },
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
      await openRow(page.locator('.row'));
      await page.getByText('terms.txt').waitFor();
    },
    'the uses of an email': (page) => pressIn(page, 'More', 'Use this email'),
    'a comparison': async (page) => {
      await page.getByRole('button', { name: 'Compare with the previous email' }).click();
      await page.getByRole('region', { name: 'Changes of the text' }).waitFor();
    },
    'an attachment': async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'View terms.txt' }).click();
      await page.getByRole('dialog').locator('pre').waitFor();
    },
    'a deletion that can be undone': async (page) => {
      await page.keyboard.press('Escape');
      // Offers undo for longer than the checks of this state take.
      await page.evaluate((undoMs) => {
        const { setTimeout } = window;
        const slower = (act: () => void, ms = 0) => setTimeout(act, ms === undoMs ? 100 * ms : ms);
        Object.assign(window, { setTimeout: slower });
      }, UNDO_MS);
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
    },
  },
  '/inbox/invited': {
    'the line with the last failure': (page) => page.locator('.last-failure').waitFor(),
    'an invitation': async (page) => {
      await openRow(page.locator('.row'));
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
      await closeMenu(page);
      await page.getByRole('button', { name: 'View invite.ics' }).click();
      await page.getByRole('dialog').getByText('Room 4.12').first().waitFor();
    },
    'the failures in the delivery log': async (page) => {
      await page.keyboard.press('Escape');
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
  [`/inbox/${PRIVATE.name}`]: {
    'a private inbox without mail': async (page) => {
      await page.getByLabel('Secret of the inbox').fill(PRIVATE.secret as string);
      await page.getByRole('button', { name: 'Open the inbox' }).click();
      await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor();
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
    'an email of all mail': async (page) => {
      await openRow(page.locator('.row', { hasText: 'Your code' }));
      await page.frameLocator(SHOWN_FRAME).getByText('Your code is').waitFor();
    },
    'a row with the focus': async (page) => {
      await page.keyboard.press('Escape');
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
  [`/run/${newRunSecret()}`]: {
    'a run without tests': (page) => page.getByRole('heading', { name: 'No test yet' }).waitFor(),
  },
  [`/run/${RUN}`]: {
    'the report of a run': (page) => page.getByText('1 of 2 tests failed').waitFor(),
    'no test of a file': async (page) => {
      await page.getByLabel('File').selectOption('b.spec.ts');
      await page.getByRole('searchbox').fill('nothing of it');
      await page.getByText('No test matches.').waitFor();
    },
    'passed tests': async (page) => {
      await page.getByRole('searchbox').fill('');
      await page.getByLabel('File').selectOption('');
      await page.getByRole('radio', { name: '1 passed' }).check({ force: true });
    },
    'an email of a test': async (page) => {
      await page.getByRole('radio', { name: '1 failed' }).check({ force: true });
      await page.locator('.row-open').first().click();
      await page.frameLocator(SHOWN_FRAME).getByText('Your code is').waitFor();
    },
  },
  '/nowhere': { 'a path that does not exist': (page) => page.getByRole('heading').waitFor() },
  [`/inbox/${'x'.repeat(70)}`]: { 'no inbox': (page) => page.getByRole('heading').waitFor() },
};
