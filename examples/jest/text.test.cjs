const { test } = require('mayfly-client/jest');

/** Stands in for your application, which texts a code to new users through Twilio. */
async function signUp(number) {
  const url = `${process.env.MAYFLY_URL}/2010-04-01/Accounts/ACany/Messages.json`;
  const body = new URLSearchParams({ To: number, From: '+15005550006', Body: 'Your code is 482913' });
  await fetch(url, { method: 'POST', body });
}

test('sign-up sends a code by text message', async ({ phone }) => {
  await signUp(phone.number);
  expect(await phone.waitForOtp()).toBe('482913');
});
