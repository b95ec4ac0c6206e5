import { expect, test } from 'mayfly-client/vitest';
import { meet, sendCode } from '../together.cjs';

test('reads the code sent to the inbox of the test', { timeout: 120_000 }, async ({ inbox }) => {
  await sendCode(inbox.address, '482913');
  expect(await inbox.waitForOtp()).toBe('482913');
  await meet('one', 'two', inbox.address);
});
