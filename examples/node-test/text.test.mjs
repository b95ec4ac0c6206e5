import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Mayfly } from 'mayfly-client';
import { createPhone } from 'mayfly-client/phone';
import { startMayfly } from 'mayfly-inbox';

let service;

before(async () => {
  service = await startMayfly();
});

after(() => service?.stop());

/** Stands in for your application, which texts a code to new users through Twilio. */
async function signUp(number) {
  const url = `${service.sending.twilio.TWILIO_BASE_URL}/2010-04-01/Accounts/ACany/Messages.json`;
  const body = new URLSearchParams({ To: number, From: '+15005550006', Body: 'Your code is 482913' });
  await fetch(url, { method: 'POST', body });
}

test('sign-up sends a code by text message', async () => {
  const phone = createPhone(new Mayfly({ baseUrl: service.url }));
  await signUp(phone.number);
  assert.equal(await phone.waitForOtp(), '482913');
});
