/** Tests the delivery log of the send APIs. */
import { expect, test } from 'vitest';
import { saysInVain } from '../../../packages/client/test/in-vain.js';
import { freshAddress, serviceOfFile } from './provider.js';

const service = await serviceOfFile({ maxEmails: 1, maxMessage: '8KiB' });

const resend = (to: string | readonly string[], text = 'Your code is 482913') =>
  service.post('/emails', { from: 'app@app.test', to, subject: 'Hello', text }, { authorization: 'Bearer re_any' });

const attempts = (address: string) => service.client.inbox(address.split('@')[0] ?? '').attempts();

test('the delivery log lists a stored message, and a message that is rejected because the inbox is full', async () => {
  const address = freshAddress();
  expect((await resend(address)).status).toBe(200);
  const refused = await resend(address);
  const { receivedAt } = (await service.emails(address))[0];
  expect(await attempts(address)).toMatchObject([
    { way: 'resend', client: '127.0.0.1', from: 'app@app.test', to: address, outcome: 'kept', receivedAt, error: null },
    { way: 'resend', outcome: 'inbox-full', error: { code: refused.status, enhanced: null }, receivedAt: null },
  ]);
});

test('if one recipient has a foreign domain, the delivery log lists a rejection for every recipient', async () => {
  const [here, elsewhere] = [freshAddress(), freshAddress('example.com')];
  const refused = await resend([here, elsewhere]);
  expect(refused.ok).toBe(false);
  const error = { code: refused.status, text: expect.stringContaining('--domain') };
  expect(await attempts(here)).toMatchObject([{ to: here, outcome: 'foreign-domain', error }]);
  expect(await attempts(elsewhere)).toMatchObject([{ to: elsewhere, outcome: 'foreign-domain', error }]);
});

test('the delivery log lists the messages of one request separately', async () => {
  const [first, second] = [freshAddress(), freshAddress('example.com')];
  const messages = [first, second].map((To) => ({ From: 'app@app.test', To, Subject: 'Hello', TextBody: 'Hello' }));
  await service.post('/email/batch', messages, { 'x-postmark-server-token': 'any' });
  expect(await attempts(first)).toMatchObject([{ way: 'postmark', outcome: 'kept' }]);
  expect(await attempts(second)).toMatchObject([{ way: 'postmark', outcome: 'foreign-domain' }]);
});

test('the delivery log lists every message of a batch as rejected if the batch fails', async () => {
  const [first, full] = [freshAddress(), freshAddress()];
  const mails = [first, full, full].map((to) => ({ from: 'app@app.test', to, subject: 'Hello', text: 'Hello' }));
  expect((await service.post('/emails/batch', mails, { authorization: 'Bearer re_any' })).ok).toBe(false);
  expect(await attempts(first)).toMatchObject([{ outcome: 'inbox-full', receivedAt: null }]);
  expect(await attempts(full)).toMatchObject([{ outcome: 'inbox-full' }, { outcome: 'inbox-full' }]);
});

test('the delivery log marks simulated rejections, and lists a message with a lost reply as stored', async () => {
  const refused = service.client.createInbox({ simulate: ['550x1', 'data451x1', 'twice'] });
  for (let times = 0; times < 2; times += 1) await resend(refused.address);
  expect(await attempts(refused.address)).toMatchObject([
    { outcome: 'rehearsed', error: { text: expect.stringMatching(/^550 /) } },
    { outcome: 'rehearsed', error: { text: expect.stringMatching(/^451 /) } },
  ]);
  const lost = service.client.createInbox({ simulate: ['lost250'] });
  await expect(resend(lost.address)).rejects.toThrow('fetch failed');
  expect(await attempts(lost.address)).toMatchObject([{ outcome: 'kept', error: null }]);
});

test('the delivery log lists a request with an invalid recipient, and names no inbox for it', async () => {
  await service.post('/emails', { from: 'app@app.test', to: 7 }, { authorization: 'Bearer re_any' });
  const sessions = (await (await fetch(`${service.url}/api/attempts`)).json()) as { attempts: unknown[] };
  expect(sessions.attempts[0]).toMatchObject({ way: 'resend', to: null, error: { code: 422 } });
});

const fails = [
  ['resend', '/emails', (to: string) => ({ to: [`Jane <${to}>`], subject: 'Hello', text: 'Hello' }), 'missing'],
  ['resend', '/emails/batch', (to: string) => [{ to, subject: 'Hello', text: 'Hello' }], 'missing'],
  ['postmark', '/email', (To: string) => ({ To, From: 'app@app.test', TextBody: 7 }), 'invalid'],
  [
    'sendgrid',
    '/v3/mail/send',
    (email: string) => ({ personalizations: [{ to: [{ email }] }], from: { email: 'app@app.test' } }),
    'missing',
  ],
  [
    'ses',
    '/v2/email/outbound-emails',
    (to: string) => ({ Destination: { ToAddresses: [to] }, Content: 7, FromEmailAddress: 'app@app.test' }),
    'invalid',
  ],
] as const;

test.each(fails)('%s, %s: the delivery log lists a request that is rejected before composition', async (...row) => {
  const [way, path, body, outcome] = row;
  const address = freshAddress();
  expect((await service.post(path, body(address), { authorization: 'Bearer any' })).ok).toBe(false);
  expect(await attempts(address)).toMatchObject([{ way, to: address, outcome, receivedAt: null }]);
});

test.each([
  ['mailgun', '/v3/app.test/messages', (to: string) => ({ to, from: 'app@app.test', subject: 'Hello' })],
  ['ses', '/', (to: string) => ({ Action: 'SendEmail', 'Destination.ToAddresses.member.1': to })],
])('the delivery log of an inbox lists a rejected form sent to the API of %s', async (way, path, fields) => {
  const address = freshAddress();
  const body = new URLSearchParams(fields(address));
  expect((await fetch(service.url + path, { method: 'POST', body })).ok).toBe(false);
  expect(await attempts(address)).toMatchObject([{ way, to: address, receivedAt: null }]);
});

test.each([
  ['another type', 'media-type', { headers: { 'content-type': 'text/plain' }, body: 'x' }],
  ['no JSON', 'malformed', { headers: { 'content-type': 'application/json' }, body: '{' }],
  [
    'a body that is too large',
    'body-too-large',
    { headers: { 'content-type': 'application/json' }, body: `"${'x'.repeat(1e6)}"` },
  ],
  ['an unknown path', 'not-found', { headers: { authorization: 'Bearer re_any' } }, '/emails/nothing/here'],
  ['the page of another site', 'cross-site', { headers: { origin: 'https://evil.test' } }, '/emails/nothing/here'],
])('the delivery log of the service lists a request with %s once', async (_what, outcome, init, path = '/emails') => {
  const count = async () => {
    const response = await fetch(`${service.url}/api/attempts`);
    const { attempts } = (await response.json()) as { attempts: { way: string; to: null; outcome: string }[] };
    return attempts.filter((one) => one.way === 'resend' && one.to === null && one.outcome === outcome).length;
  };
  const before = await count();
  await fetch(service.url + path, { method: 'POST', ...init });
  expect(await count()).toBe(before + 1);
});

test('a timeout of the client reports requests that were rejected', async () => {
  const address = freshAddress('example.com');
  await resend(address);
  const inbox = service.client.inbox(address.split('@')[0] ?? '');
  await saysInVain(
    (timeout) => inbox.waitForEmail({ timeout }),
    `1 attempt by the send API (resend) to send to ${address} was refused:`,
  );
});
