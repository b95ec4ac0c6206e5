import { test } from 'mayfly-client/playwright';

test('explains itself', async ({ inbox }) => {
  await inbox.waitForOtp({ timeout: 1_000 });
});
