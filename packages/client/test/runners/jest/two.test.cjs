const { it } = require('mayfly-client/jest');
const { meet, sendCode } = require('../together.cjs');

it('reads the code sent to the inbox of the test', async ({ inbox }) => {
  await sendCode(inbox.address, '771204');
  expect(await inbox.waitForOtp()).toBe('771204');
  await meet('two', 'one', inbox.address);
}, 120_000);
