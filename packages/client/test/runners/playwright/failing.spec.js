import { test } from 'mayfly-client/playwright';

// Shorter than a wait's default timeout, so the fixture must end the wait before the test ends.
test.describe.configure({ timeout: 10_000 });

test('waits for a code that never arrives', async ({ inbox }) => {
  await inbox.waitForOtp();
});
