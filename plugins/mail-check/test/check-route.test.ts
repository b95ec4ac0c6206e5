import { Mayfly } from 'mayfly-client';
import { startMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import type { Answer } from '../../shared/test/compat-api.js';

/** The message of the example in the API document. */
const RAW = [
  'From: App <hello@app.test>',
  'To: demo@inbox.example.com',
  'Subject: Sign in',
  'List-Unsubscribe: <https://app.test/unsubscribe/9f1e7c2a>',
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p style="max-width:none;max-height:none"><img src="https://app.test/logo.png"><img src="https://app.test/line.png" alt="">Sign in</p>',
].join('\r\n');

test('the API document shows the actual response for the check of an email as an example', async () => {
  await using mayfly = await startMayfly();
  const to = 'demo@inbox.example.com';
  const { port } = mayfly.smtp;
  await createTransport({ port }).sendMail({ envelope: { from: 'hello@app.test', to }, raw: RAW });
  const json = async (path: string): Promise<Answer> => (await fetch(mayfly.url + path)).json();
  const { emails } = await json('/api/inbox/demo');
  const { paths } = await json('/openapi.json');
  const [media] = Object.values<Answer>(paths['/api/inbox/{name}/{receivedAt}/check'].get.responses['200'].content);
  expect(await json(`/api/inbox/demo/${emails[0].receivedAt}/check`)).toEqual(media.example);
  expect((await fetch(`${mayfly.url}/api/inbox/demo/2026-01-31T09:30:00Z/check`)).headers.get('mayfly-error')).toBe(
    'no-such-email',
  );
});

test('the check of an email in a private inbox requires the secret of the inbox', async () => {
  await using mayfly = await startMayfly();
  const { name } = new Mayfly({ baseUrl: mayfly.url }).createInbox({ private: true });
  const { status, headers } = await fetch(`${mayfly.url}/api/inbox/${name}/2026-01-31T09:30:00Z/check`);
  expect([status, headers.get('mayfly-error')]).toEqual([401, 'private-inbox']);
});
