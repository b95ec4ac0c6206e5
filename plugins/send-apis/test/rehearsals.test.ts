/** Tests that an inbox name can make a provider's API fail: with the provider's text and status, and retries. */
import { describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { type Answer, load, PATIENCE_MS, serviceOfFile, startService } from './provider.js';

const service = await serviceOfFile();
const inboxWith = (...simulate: string[]) => service.client.createInbox({ simulate });

const mailTo = (to: string) => ({ from: 'app@acme.test', to, subject: 'Hi', text: 'Your code is 482913' });

describe("Resend's SDK, for an inbox name that simulates a failure,", needs('SDKs for Node'), () => {
  const send = async (to: string): Promise<Answer> => {
    const { Resend } = load('resend');
    return new Resend('re_123', { baseUrl: service.url }).emails.send(mailTo(to));
  };

  test.each([
    ['421x1', 'rate_limit_exceeded'],
    ['limit1per600s', 'rate_limit_exceeded'],
    ['550x1', 'validation_error'],
    ['data554x1', 'validation_error'],
  ])('reports the simulated failure %s as the error %s', async (step, name) => {
    const inbox = inboxWith(step);
    if (step.startsWith('limit')) expect((await send(inbox.address)).error).toBeNull();
    const { error } = await send(inbox.address);
    expect(error).toMatchObject({ name });
    if (step.endsWith('x1')) expect((await send(inbox.address)).error).toBeNull();
    expect(await inbox.waitForEmails({ count: 1 })).toHaveLength(1);
  });

  test('reports 451 as a server error, and sends successfully on the second try', async () => {
    const inbox = inboxWith('451x1');
    expect((await send(inbox.address)).error.statusCode).toBeGreaterThanOrEqual(500);
    expect((await send(inbox.address)).error).toBeNull();
    expect(await inbox.waitForOtp()).toBe('482913');
  });

  test('reports greylisting as a server error until the greylist time has passed', async () => {
    const inbox = inboxWith('greylist1s');
    expect((await send(inbox.address)).error.statusCode).toBeGreaterThanOrEqual(500);
    await expect.poll(async () => (await send(inbox.address)).error, { timeout: PATIENCE_MS }).toBeNull();
    expect(await inbox.waitForOtp()).toBe('482913');
  });
});

test('a simulated lost reply stores the message, and closes the connection without a response', async () => {
  const inbox = inboxWith('lost250');
  await expect(service.post('/emails', mailTo(inbox.address))).rejects.toThrow('fetch failed');
  expect((await service.post('/emails', mailTo(inbox.address))).status).toBe(200);
  expect(await inbox.waitForEmails({ count: 2 })).toHaveLength(2);
});

test('a simulated delay of one reply does not delay other requests, and ends when the service stops', async () => {
  const other = await startService();
  try {
    const late = [1, 2, 3, 4].map(() => other.client.createInbox({ simulate: ['delay60s'] }));
    const [first, second, ...batch] = late.map(({ address }) => mailTo(address));
    const replies = [other.post('/emails', first), other.post('/emails', second), other.post('/emails/batch', batch)];
    for (const inbox of late) await inbox.waitForOtp();
    const sent = other.post('/emails', mailTo('demo@inbox.example.com'));
    const winner = await Promise.race([
      sent.then(() => 'on time'),
      ...replies.map((reply) => reply.then(() => 'late')),
    ]);
    expect(winner).toBe('on time');
    await other.stop();
    for (const reply of replies) expect((await reply).status).toBe(200);
  } finally {
    await other.stop();
  }
});

test.each(['550', 'data554'])('no message of a batch is stored if one recipient name simulates %s', async (step) => {
  const [plain, refused] = [inboxWith(), inboxWith(step)];
  const batch = [plain, refused].map(({ address }) => mailTo(address));
  expect((await service.post('/emails/batch', batch)).status).toBe(403);
  expect(await plain.emails()).toEqual([]);
});

test('a recipient with a mistyped failure simulation in its name is rejected as an invalid address', async () => {
  const sent = await service.post('/emails', mailTo('jo--451-x2@inbox.example.com'));
  const message = 'jo--451-x2@inbox.example.com is not the address of a Mayfly inbox.';
  expect([sent.status, sent.headers.get('mayfly-hint')]).toEqual([403, message]);
  expect(await sent.json()).toMatchObject({ name: 'validation_error', message });
});

test("Postmark's API lists a recipient that simulates a rejection as inactive", async () => {
  const [plain, refused] = [inboxWith(), inboxWith('data554')];
  const sent = await service.post('/email', POSTMARK(`${plain}, ${refused}`), { 'x-postmark-server-token': 'any' });
  expect(((await sent.json()) as { Message: string }).Message).toContain(`Found inactive addresses: ${refused}.`);
});

const POSTMARK = (to: string) => ({ From: 'a@acme.test', To: to, Subject: 'Hi', TextBody: 'Hi' });
const SENDGRID = (to: string) => ({
  personalizations: [{ to: [{ email: to }] }],
  from: { email: 'a@acme.test' },
  subject: 'Hi',
  content: [{ type: 'text/plain', value: 'Hi' }],
});

test.each([
  // Postmark's SDK parses the address from the message of error 406.
  ['Postmark', '/email', POSTMARK, { status: 422, body: { ErrorCode: 406 } }],
  ['SendGrid', '/v3/mail/send', SENDGRID, { status: 400, body: { errors: [{ field: null }] } }],
] as const)(
  "the API of %s reports a simulated 550 in the provider's format, and a simulated 451 with HTTP status 503",
  async (_, path, body, refused) => {
    const post = async (step: string) => {
      const response = await service.post(path, body(inboxWith(step).address), { 'x-postmark-server-token': 'any' });
      return { status: response.status, hint: response.headers.get('mayfly-hint'), body: await response.json() };
    };
    const hint = expect.stringContaining('550 5.1.1');
    expect(await post('550')).toMatchObject({ ...refused, hint });
    expect(await post('451')).toMatchObject({ status: 503 });
  },
);
