const { test } = require('mayfly-client/jest');

// Less than a wait takes by itself.
test('explains itself', async ({ inbox }) => {
  await inbox.waitForOtp();
}, 10_000);
