import { test } from 'mayfly-client/playwright';

// Shorter than a wait's default timeout.
test.describe.configure({ timeout: 10_000 });

test('explains itself', async ({ inbox }) => {
  await inbox.waitForOtp();
});
