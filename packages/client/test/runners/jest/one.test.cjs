const { test } = require('mayfly-client/jest');
const { meet, sendCode } = require('../together.cjs');

test('reads the code sent to the inbox of the test', async ({ inbox }) => {
  await sendCode(inbox.address, '482913');
  expect(await inbox.waitForOtp()).toBe('482913');
  await meet('one', 'two', inbox.address);
}, 120_000);
