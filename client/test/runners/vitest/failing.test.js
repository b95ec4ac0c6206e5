import { test } from 'mayfly-client/vitest';

// Less than a wait takes by itself, and more than its explanation.
test('explains itself', { timeout: 3_000 }, async ({ inbox }) => {
  await inbox.waitForOtp();
});
