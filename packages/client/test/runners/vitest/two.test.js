import { expect, it } from 'mayfly-client/vitest';
import { meet, sendCode } from '../together.cjs';

it('reads the code sent to the inbox of the test', { timeout: 120_000 }, async ({ inbox }) => {
  await sendCode(inbox.address, '771204');
  expect(await inbox.waitForOtp()).toBe('771204');
  await meet('two', 'one', inbox.address);
});
