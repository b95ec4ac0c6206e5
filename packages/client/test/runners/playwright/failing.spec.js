import { test } from 'mayfly-client/playwright';

// Shorter than a wait's default timeout, so the fixture must end the wait before the test ends.
test.describe.configure({ timeout: 10_000 });

test('explains itself', async ({ inbox }) => {
  await inbox.waitForOtp();
});
