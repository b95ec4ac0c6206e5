/** Attempts to send mail through a provider's API, as an inbox tells them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshAddress, type RunningService, startService } from './provider.js';

let service: RunningService;

beforeAll(async () => {
  service = await startService({ maxEmails: 1, maxMessage: '8KiB' });
});

afterAll(() => service.stop());

const resend = (to: string | readonly string[], text = 'Your code is 482913') =>
  service.post('/emails', { from: 'app@app.test', to, subject: 'Hello', text }, { authorization: 'Bearer re_any' });

const attempts = (address: string) => service.client.inbox(address.split('@')[0] ?? '').attempts();

test('a mail that is kept, and one that the full inbox refuses', async () => {
  const address = freshAddress();
  expect((await resend(address)).status).toBe(200);
  const refused = await resend(address);
  const { receivedAt } = (await service.emails(address))[0];
  expect(await attempts(address)).toMatchObject([
    { way: 'resend', client: '127.0.0.1', from: 'app@app.test', to: address, outcome: 'kept', receivedAt, error: null },
    { way: 'resend', outcome: 'inbox-full', error: { code: refused.status, enhanced: null }, receivedAt: null },
  ]);
});

test('another domain, for which all of the mail is refused', async () => {
  const [here, elsewhere] = [freshAddress(), freshAddress('example.com')];
  const refused = await resend([here, elsewhere]);
  expect(refused.ok).toBe(false);
  const error = { code: refused.status, text: expect.stringContaining('--domain') };
  expect(await attempts(here)).toMatchObject([{ to: here, outcome: 'foreign-domain', error }]);
  expect(await attempts(elsewhere)).toMatchObject([{ to: elsewhere, outcome: 'foreign-domain', error }]);
});

test('a mail that is too large', async () => {
  const address = freshAddress();
  expect((await resend(address, 'x'.repeat(10_000))).ok).toBe(false);
  expect(await attempts(address)).toMatchObject([{ outcome: 'message-too-large' }]);
});

test('of several mails in one request each by itself', async () => {
  const [first, second] = [freshAddress(), freshAddress('example.com')];
  const messages = [first, second].map((To) => ({ From: 'app@app.test', To, Subject: 'Hello', TextBody: 'Hello' }));
  await service.post('/email/batch', messages, { 'x-postmark-server-token': 'any' });
  expect(await attempts(first)).toMatchObject([{ way: 'postmark', outcome: 'kept' }]);
  expect(await attempts(second)).toMatchObject([{ way: 'postmark', outcome: 'foreign-domain' }]);
});

test('a wait in vain tells them', async () => {
  const address = freshAddress('example.com');
  await resend(address);
  const inbox = service.client.inbox(address.split('@')[0] ?? '');
  await expect(inbox.waitForEmail({ timeout: 4_000 })).rejects.toThrow(
    `1 attempt by the send API (resend) to send to ${address} was refused:`,
  );
});
