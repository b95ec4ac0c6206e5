import { expect, test } from 'mayfly-client/vitest';
import { sendCode, sendMail, untilOneFailed } from '../together.cjs';

test('gives up', async ({ mayfly }) => {
  const inbox = mayfly.inbox('late');
  await sendMail(inbox.address, 'Hello', 'Hello there');
  await inbox.waitForEmail({ subject: 'Hello' });
  await inbox.waitForOtp({ timeout: 500 });
});

test('mails a code after that', async ({ mayfly }) => {
  await untilOneFailed();
  const inbox = mayfly.inbox('late');
  await sendCode(inbox.address, '482913');
  expect(await inbox.waitForOtp()).toBe('482913');
});
