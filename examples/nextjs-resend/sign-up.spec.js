import { expect, test } from 'mayfly-client/playwright';

test('sign up with the code that Resend would have sent', async ({ page, inbox }) => {
  await page.goto('/');
  await page.getByLabel('Email').fill(inbox.address);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByLabel('Code').fill(await inbox.waitForOtp());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: `Welcome, ${inbox.address}` })).toBeVisible();
});

test("the application shows Resend's own errors", async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Email').fill('ann@not-served.test');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('alert').first()).toContainText('not-served.test');
});
