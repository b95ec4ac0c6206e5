import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Mayfly } from 'mayfly-client';
import { startMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';

let service;
let mayfly;

before(async () => {
  service = await startMayfly();
  mayfly = new Mayfly({ baseUrl: service.url, domain: service.domain });
});

after(() => service?.stop());

/** Stands in for your application, which emails a code to new users. */
async function signUp(email) {
  const mail = createTransport(service.smtp);
  await mail.sendMail({ from: 'app@example.test', to: email, subject: 'Welcome', text: 'Your code is 482913' });
}

test('sign-up sends a code by email', async () => {
  const inbox = mayfly.createInbox();
  await signUp(inbox.address);
  assert.equal(await inbox.waitForOtp(), '482913');
});
