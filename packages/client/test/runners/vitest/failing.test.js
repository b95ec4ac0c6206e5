import { test } from 'mayfly-client/vitest';

// Less than a wait takes by itself.
test('explains itself', { timeout: 10_000 }, async ({ inbox }) => {
  await inbox.waitForOtp();
});
