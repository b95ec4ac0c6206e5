const { test } = require('mayfly-client/jest');

// Shorter than a wait's default timeout.
test('explains itself', async ({ inbox }) => {
  await inbox.waitForOtp();
}, 10_000);
