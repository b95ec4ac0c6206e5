import { expect, test } from 'mayfly-client/vitest';
import { createTransport } from 'nodemailer';
import { byDefault, forOneClick, NEWS, sendWelcome } from './app.mjs';

const { SMTP_HOST: host, SMTP_PORT: port } = process.env;
const mail = createTransport({ host, port: Number(port) });

test('the welcome email has a code and a link, and matches its snapshot', async ({ inbox }) => {
  await sendWelcome(mail, inbox.address);
  const email = await inbox.waitForEmail();
  expect(email).toHaveOtp(/^\d{6}$/);
  expect(email).toHaveMagicLink('app.example.test');
  await expect(email).toHaveTextPart();
  await expect(email).toHaveSafeLinks({ trackers: ['click.example.net'] });
  await expect(email).toMatchEmailSnapshot();
});

test('readers can unsubscribe from the newsletter with one click', async ({ inbox }) => {
  await mail.sendMail({ ...NEWS, to: inbox.address, dkim: forOneClick });
  const email = await inbox.waitForEmail();
  expect(email).toHaveOneClickUnsubscribe();
  expect(email).not.toHaveOtp();
  await expect(email).toHaveSafeLinks();
});

/** Changes that make the newsletter faulty, each with the message of the matcher that rejects it. */
const FAULTS = [
  [{ headers: {} }, 'it has no header List-Unsubscribe'],
  [{ headers: { 'List-Unsubscribe': '<https://app.example.test/u>' } }, 'it has no header List-Unsubscribe-Post'],
  [{ dkim: byDefault }, 'its DKIM-Signature does not sign List-Unsubscribe-Post (h=)'],
];

test.for(FAULTS)('the matcher rejects a newsletter with %o', async ([fault, says], { inbox }) => {
  await mail.sendMail({ ...NEWS, to: inbox.address, ...fault });
  const email = await inbox.waitForEmail();
  expect(() => expect(email).toHaveOneClickUnsubscribe()).toThrow(says);
});

test('rejects a newsletter that has no text part and that links to a tracker and a local host', async ({ inbox }) => {
  const html = '<a href="https://click.example.net/1">Read</a> <a href="http://localhost:3000/u">Unsubscribe</a>';
  await mail.sendMail({ ...NEWS, to: inbox.address, text: undefined, html });
  const email = await inbox.waitForEmail();
  await expect(expect(email).toHaveTextPart()).rejects.toThrow('it has only text/html');
  await expect(expect(email).toHaveSafeLinks({ trackers: ['example.net'] })).rejects.toThrow(
    'https://click.example.net/1 leads to the tracker example.net, http://localhost:3000/u leads to a host that only',
  );
});
