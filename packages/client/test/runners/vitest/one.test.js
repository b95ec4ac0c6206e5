import { expect, test } from 'mayfly-client/vitest';
import { meet, sendCode } from '../together.cjs';

test('gets its code', { timeout: 120_000 }, async ({ inbox }) => {
  await sendCode(inbox.address, '482913');
  expect(await inbox.waitForOtp()).toBe('482913');
  await meet('one', 'two', inbox.address);
});
