import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeInBrowser } from './browser.js';
import { sharedMayfly } from './shared-mayfly.js';
import { check } from './tour-checks.js';
import { RUN, TOURS } from './tours.js';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Excludes frames, because axe would wait half a second for a reply of the email's frame, which runs no scripts. */
const OPTIONS: axe.RunOptions = { resultTypes: ['violations'], selectors: false, iframes: false };

/** The colors in which axe tests a state: contrast in the first two, and all rules in the last. */
const COLORS = [
  { colorScheme: 'dark', forcedColors: 'active' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'none' },
] as const;

/** The size of a finger in CSS pixels. */
const TARGET_PX = 44;

/** Windows up to this width are those of phones. */
const PHONE_PX = 390;

/** Far more presses of Tab than any state needs, including those within the frame of an email. */
const MAX_TABS = 200;

const TABS_AT_ONCE = 8;

interface Size {
  readonly width: number;
  readonly height: number;
  /** Widths of other windows at 200 %, which have the same layout. */
  readonly zoomed: readonly number[];
}

const SIZES: readonly Size[] = [
  { width: 1440, height: 900, zoomed: [] },
  { width: 768, height: 1024, zoomed: [720] },
  { width: 390, height: 844, zoomed: [384, 195] },
];

const INVITATION =
  'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261203T093000Z\nSUMMARY:Planning\nLOCATION:Room 4.12\nEND:VEVENT';

describeInBrowser('every state of the page', (browser) => {
  const options = ['--fetch-limit', 'off', '--ad-hoc-workspaces', '--waitlist', '--domain', 'inbox.example.com'];
  const mayfly = sharedMayfly(options);

  beforeAll(async () => {
    const { smtp } = mayfly;
    const to = 'demo@inbox.example.com';
    await smtp.sendMail({ to, from: 'news@paper.example', subject: 'The news', text: 'Nothing new.' });
    await smtp.sendMail({
      to,
      from: 'login@nimbus.example',
      subject: 'Your code',
      attachments: [{ filename: 'terms.txt', content: 'Terms' }],
      text: 'Your code is 482913, or https://nimbus.example/verify?token=1',
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
      { id: 'two', title: 'b.spec.ts › passes', outcome: 'passed', inboxes: [], error: null, waits: [] },
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
  });

  async function violations(page: Page, runOnly: axe.RunOnly): Promise<unknown[]> {
    const run = async (options: axe.RunOptions) => {
      const isForced = matchMedia('(forced-colors: active)').matches;
      // Where the browser forces colors, axe takes them for those of the style sheet.
      const isOwn = (one: Element) => !isForced || getComputedStyle(one).forcedColorAdjust === 'none';
      const include = isForced ? [...document.body.querySelectorAll('*')].filter(isOwn) : [document];
      const { axe: own } = window as unknown as { axe: typeof axe };
      return include.length === 0 ? [] : (await own.run({ include } as axe.ContextObject, options)).violations;
    };
    const found = await page.evaluate(run, { ...OPTIONS, runOnly });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
  }

  /** Presses Tab until it has reached all controls. */
  async function unreached(page: Page): Promise<string[]> {
    let left = await check(page, 'beginTabs');
    for (let presses = 0; left.length > 0 && presses < MAX_TABS; presses += 1) {
      await page.keyboard.press('Tab');
      if (presses % TABS_AT_ONCE === 0) left = await check(page, 'unreached');
    }
    return left;
  }

  /** Everything that is wrong with a state, by the check that finds it. */
  async function problems(page: Page, { width, height, zoomed }: Size): Promise<Record<string, unknown[]>> {
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
    const found: Record<string, unknown[]> = {};
    for (const colors of COLORS) {
      await page.emulateMedia(colors);
      const isLast = colors === COLORS.at(-1);
      const runOnly = { type: isLast ? 'tag' : 'rule', values: isLast ? RULES : ['color-contrast'] } as const;
      found[`axe, ${Object.values(colors)}`] = await violations(page, runOnly);
    }
    for (const narrow of [width, ...zoomed]) {
      await page.setViewportSize({ width: narrow, height: narrow === width ? height : height / 2 });
      for (const name of ['wide', 'cut'] as const) found[`${name} at ${narrow}`] = await check(page, name);
    }
    await page.setViewportSize({ width, height });
    found.moving = await check(page, 'moving');
    if (width <= PHONE_PX) found.small = await check(page, 'small', TARGET_PX);
    found.unreached = await unreached(page);
    found.unfocused = await check(page, 'unfocused');
    return Object.fromEntries(Object.entries(found).filter(([, all]) => all.length > 0));
  }

  describe.each(SIZES)('in a window of $width pixels', (size) => {
    test.each(Object.entries(TOURS))('has no problem at %s', async (path, tour) => {
      const { width, height } = size;
      const options = { viewport: { width, height }, hasTouch: width <= PHONE_PX, reducedMotion: 'reduce' } as const;
      const page = await browser.open(mayfly.url + path, options);
      const found: Record<string, unknown> = {};
      for (const [state, lead] of Object.entries(tour)) {
        await lead(page);
        const all = await problems(page, size);
        if (Object.keys(all).length > 0) found[state] = all;
      }
      expect(found).toEqual({});
    });
  });
});
