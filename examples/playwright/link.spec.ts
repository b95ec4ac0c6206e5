import { expect, test } from 'mayfly-client/playwright';

test('sign up with the link of the email, and get no other email', async ({ page, inbox }) => {
  await page.goto('/');
  await page.getByLabel('Email').fill(inbox.address);
  await page.getByRole('button', { name: 'Sign up' }).click();
  const email = await inbox.waitForEmail({ subject: 'confirm', hasMagicLink: true });
  await page.goto(email.magicLink ?? '');
  await expect(page.getByText(`Welcome, ${inbox.address}`)).toBeVisible();
  await inbox.expectNoEmail({ after: email.receivedAt });
});

test('sign up twice, and the second code is the one that counts', async ({ page, inbox }) => {
  const signUp = async () => {
    await page.goto('/');
    await page.getByLabel('Email').fill(inbox.address);
    await page.getByRole('button', { name: 'Sign up' }).click();
  };
  await signUp();
  const first = await inbox.waitForEmail({ hasOtp: true });
  await signUp();
  const second = await inbox.waitForOtp({ after: first.receivedAt });

  await page.getByLabel('Code').fill(first.otp ?? '');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('alert')).toHaveText('That code is not right.');
  await page.getByLabel('Code').fill(second);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText(`Welcome, ${inbox.address}`)).toBeVisible();
});
