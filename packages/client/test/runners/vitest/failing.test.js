import { test } from 'mayfly-client/vitest';

// Shorter than a wait's default timeout.
test('explains itself', { timeout: 10_000 }, async ({ inbox }) => {
  await inbox.waitForOtp();
});
