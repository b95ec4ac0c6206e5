import { expect, test } from 'mayfly-client/playwright';

test('sign up with the code of a text message', async ({ page, phone }) => {
  await page.goto('/');
  await page.getByLabel('Phone').fill(phone.number);
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await page.getByLabel('Code').fill(await phone.waitForOtp());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText(`Welcome, ${phone.number}`)).toBeVisible();
});

test('a number that cannot get texts', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Phone').fill('+15005550009');
  await page.getByRole('button', { name: 'Text me a code' }).click();
  await expect(page.getByRole('alert')).toHaveText('We cannot text that number.');
});
