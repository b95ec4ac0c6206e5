import { expect, test } from 'mayfly-client/playwright';
import { meet, sendCode } from '../together.cjs';

test('reads the code sent to the inbox of the test', async ({ inbox }) => {
  test.setTimeout(120_000);
  await sendCode(inbox.address, '771204');
  expect(await inbox.waitForOtp()).toBe('771204');
  await meet('two', 'one', inbox.address);
});
