const { test } = require('mayfly-client/jest');

// The timeout of the test is shorter than a wait's default timeout.
test('explains itself', async ({ inbox }) => {
  await inbox.waitForOtp();
}, 10_000);
