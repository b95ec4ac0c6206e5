/** Attempts to send mail with `POST /api/v1/send`, as an inbox tells them. */
import { Mayfly } from 'mayfly-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshAddress, type RunningCatcher, startCatcher } from './catcher.js';

let catcher: RunningCatcher;

beforeAll(async () => {
  catcher = await startCatcher('mailpit', { domain: 'inbox.test', maxEmails: 1 });
});

afterAll(() => catcher.stop());

const send = (to: string) =>
  catcher.ask('/api/v1/send', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ From: { Email: 'app@app.test' }, To: [{ Email: to }], Subject: 'Hello', Text: 'Hello' }),
  });

const attempts = (address: string) =>
  new Mayfly({ baseUrl: catcher.url }).inbox(address.split('@')[0] ?? '').attempts();

test('kept, and refused by the full inbox', async () => {
  const address = freshAddress('inbox.test');
  expect((await send(address)).status).toBe(200);
  expect((await send(address)).status).toBe(400);
  expect(await attempts(address)).toMatchObject([
    { way: 'catcher', outcome: 'kept', from: 'app@app.test' },
    { way: 'catcher', outcome: 'inbox-full', error: { code: 400 } },
  ]);
});

test('another domain', async () => {
  const address = freshAddress('example.com');
  expect((await send(address)).status).toBe(400);
  expect(await attempts(address)).toMatchObject([{ to: address, outcome: 'foreign-domain' }]);
});
