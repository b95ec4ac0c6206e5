import { test as base, expect, type TestInfo } from '@playwright/test';
import type { ReceivedEmail } from './email.js';
import { say } from './environment.js';
import { type MayflyFixtures, type MayflyTestOptions, reached, testTime } from './fixtures.js';
import type { Inbox } from './inbox.js';
import { type MayflyWebServer, mayflyServer } from './playwright-web-server.js';
import { now } from './real-time.js';
import { mayflyOfTest, runReported, type TestEnd } from './run.js';
import type { MayflyStartOptions } from './run-service.js';

export {
  expect,
  type MayflyFixtures,
  type MayflyStartOptions,
  type MayflyTestOptions,
  type MayflyWebServer,
  mayflyServer,
};

/** How many emails of a failed test are attached, the newest ones. */
const MAX_ATTACHED = 10;

/** How long asking for them may take. */
const ATTACH_TIMEOUT_MS = 5_000;

/**
 * Playwright's `test` with an inbox. By default, a wait ends before the test's timeout. If a test fails, the report has
 * the emails of its inbox attached.
 */
export const test = base.extend<
  MayflyFixtures & MayflyTestOptions & { mayflyTestStart: number },
  { mayflyRun: undefined }
>({
  mayflyOptions: [{}, { option: true }],
  // Set up before all others: the time of a test includes its hooks and the fixtures of its browser.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright demands an object pattern, also where nothing is used.
  mayflyTestStart: [async ({}, use) => use(now()), { auto: true }],
  mayflyRun: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright demands an object pattern, also where nothing is used.
    async ({}, use) => {
      await use(undefined);
      await runReported();
    },
    { scope: 'worker' },
  ],
  mayfly: async ({ mayflyOptions, mayflyRun: _, mayflyTestStart }, use, testInfo) => {
    // A test may change its timeout at any time.
    const time = testTime(() => testInfo.timeout, mayflyTestStart);
    const { mayfly, ended } = mayflyOfTest(mayflyOptions, titleOf(testInfo), time);
    await reached(mayflyOptions, 'or let the run start one: webServer: mayflyServer() in playwright.config', time);
    await use(mayfly);
    const shown = await ended(endOf(testInfo));
    if (shown === null) return;
    say(shown);
    testInfo.annotations.push({ type: 'Mayfly', description: shown });
  },
  inbox: async ({ mayfly }, use, testInfo) => {
    const inbox = mayfly.createInbox();
    await use(inbox);
    if (testInfo.status !== testInfo.expectedStatus) await attachEmails(inbox, testInfo);
  },
});

/** A retry is a test of its own, with an inbox of its own. */
function titleOf({ project, titlePath, retry }: TestInfo): string {
  const browser = project.name === '' ? '' : `[${project.name}] `;
  return `${browser}${titlePath.join(' › ')}${retry === 0 ? '' : ` (retry ${retry})`}`;
}

function endOf({ status, expectedStatus, error }: TestInfo): TestEnd {
  if (status !== expectedStatus) return { outcome: 'failed', error: error ?? status };
  return { outcome: status === 'skipped' ? 'skipped' : 'passed' };
}

async function attachEmails(inbox: Inbox, testInfo: TestInfo): Promise<void> {
  const attach = (name: string, body: string, contentType = 'text/plain') =>
    testInfo.attach(name, { body, contentType });
  try {
    const emails = await inbox.emails({ signal: AbortSignal.timeout(ATTACH_TIMEOUT_MS) });
    await attach('inbox', `${emails.length === 0 ? 'Nothing' : `${emails.length} in all`} came to ${inbox}.`);
    for (const [index, email] of emails.slice(0, MAX_ATTACHED).entries()) {
      await attach(`email ${index + 1}`, summary(email));
      await attach(`email ${index + 1}.eml`, email.rawBody, 'message/rfc822');
    }
  } catch (error) {
    await attach('inbox', `What came to ${inbox} could not be read: ${error}`);
  }
}

function summary({ subject, from, receivedAt, otp, magicLink, body }: ReceivedEmail): string {
  return [
    `Subject: ${subject}`,
    `From: ${from}`,
    `Received: ${receivedAt.toISOString()}`,
    `Code: ${otp ?? 'none'}`,
    `Link: ${magicLink ?? 'none'}`,
    '',
    body,
  ].join('\n');
}
