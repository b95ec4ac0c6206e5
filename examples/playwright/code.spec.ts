import { expect, test } from 'mayfly-client/playwright';

test('sign up with the code of the email', async ({ page, inbox }) => {
  await page.goto('/');
  await page.getByLabel('Email').fill(inbox.address);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByLabel('Code').fill(await inbox.waitForOtp());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText(`Welcome, ${inbox.address}`)).toBeVisible();
});
