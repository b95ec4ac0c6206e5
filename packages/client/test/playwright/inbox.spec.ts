import { expect, test } from 'mayfly-client/playwright';
import { createTransport } from 'nodemailer';

const mail = createTransport({ host: '127.0.0.1', port: Number(process.env.SMTP_PORT) });

test.beforeEach(({ inbox }, testInfo) => {
  testInfo.annotations.push({ type: 'address', description: inbox.address });
});

test('passes with a code', async ({ inbox, mayfly }) => {
  await mail.sendMail({ from: 'app@app.test', to: inbox.address, subject: 'Your code', text: 'Your code is 482913' });
  expect(await inbox.waitForOtp()).toBe('482913');
  expect(inbox.address).toMatch(new RegExp(`@${mayfly.domain}$`));
});

test('passes on the retry', async ({ inbox }, testInfo) => {
  const text = 'Your code is 771204. Or open https://app.test/verify?token=abc';
  await mail.sendMail({ from: 'app@app.test', to: inbox.address, subject: 'Grüße', text });
  await inbox.waitForEmail();
  expect(testInfo.retry).toBe(1);
});

test('fails because no email arrives', async ({ inbox }) => {
  await inbox.waitForEmail({ timeout: 10_000 });
});

test('is expected to fail', async ({ inbox }) => {
  test.fail();
  await inbox.waitForEmail({ timeout: 10_000 });
});
