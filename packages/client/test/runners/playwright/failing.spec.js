import { test } from 'mayfly-client/playwright';

// Less than a wait takes by itself.
test.describe.configure({ timeout: 10_000 });

test('explains itself', async ({ inbox }) => {
  await inbox.waitForOtp();
});
