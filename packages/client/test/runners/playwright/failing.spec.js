import { test } from 'mayfly-client/playwright';

// The timeout of the test is shorter than a wait's default timeout.
test.describe.configure({ timeout: 10_000 });

test('explains itself', async ({ inbox }) => {
  await inbox.waitForOtp();
});
