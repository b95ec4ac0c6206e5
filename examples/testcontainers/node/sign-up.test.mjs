import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MayflyContainer } from 'mayfly-client/testcontainers';
import { createTransport } from 'nodemailer';

let container;
let mayfly;

before(async () => {
  container = await new MayflyContainer().withSettings({ domain: 'acme.test' }).start();
  mayfly = container.mayfly();
});

after(() => container?.stop());

/** Stands in for your application, which emails a code to new users. */
async function signUp(email) {
  const mail = createTransport({ host: container.getSmtpHost(), port: container.getSmtpPort() });
  await mail.sendMail({ from: 'app@example.test', to: email, subject: 'Welcome', text: 'Your code is 482913' });
}

test('sign-up sends a code by email', async () => {
  const inbox = mayfly.createInbox();
  await signUp(inbox.address);
  assert.equal(await inbox.waitForOtp(), '482913');
});
