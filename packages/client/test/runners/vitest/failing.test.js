import { test } from 'mayfly-client/vitest';

// The timeout of the test is shorter than a wait's default timeout.
test('explains itself', { timeout: 10_000 }, async ({ inbox }) => {
  await inbox.waitForOtp();
});
