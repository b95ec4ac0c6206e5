import { test } from 'mayfly-client/vitest';

// Shorter than a wait's default timeout, so the fixture must end the wait before the test ends.
test('waits for a code that never arrives', { timeout: 10_000 }, async ({ inbox }) => {
  await inbox.waitForOtp();
});
