const { test } = require('mayfly-client/jest');

test('explains itself', async ({ inbox }) => {
  await inbox.waitForOtp({ timeout: 1_000 });
});
