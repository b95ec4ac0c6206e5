const { test } = require('mayfly-client/jest');
const { createTransport } = require('nodemailer');

/** Stands in for your application, which emails a code to new users. */
async function signUp(email) {
  const { SMTP_HOST: host, SMTP_PORT: port } = process.env;
  const mail = createTransport({ host, port: Number(port) });
  await mail.sendMail({ from: 'app@example.test', to: email, subject: 'Welcome', text: 'Your code is 482913' });
}

test('sign-up sends a code by email', async ({ inbox }) => {
  await signUp(inbox.address);
  expect(await inbox.waitForOtp()).toBe('482913');
});
