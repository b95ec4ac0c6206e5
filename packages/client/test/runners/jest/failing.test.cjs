const { test } = require('mayfly-client/jest');

// Its 10 s are shorter than a wait's default timeout, so the fixture must end the wait before the test ends.
test('waits for a code that never arrives', async ({ inbox }) => {
  await inbox.waitForOtp();
}, 10_000);
