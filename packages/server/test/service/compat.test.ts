import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { endAll, fetchInbox, type RunningMayfly, serve, temporaryFolder, transportTo } from './process.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterEach(endAll);
afterAll(() => folder.remove());

function serveWith(...args: string[]): Promise<RunningMayfly> {
  return serve(['--store', `lmdb:${folder.path}`, '--fetch-limit', 'off', ...args]);
}

async function send(mayfly: RunningMayfly, bytes: number): Promise<void> {
  const raw = `From: app@app.test\r\nSubject: Hello\r\n\r\nYour code is 482913\r\n${'a line of text\r\n'.repeat(bytes / 16)}`;
  await transportTo(mayfly).sendMail({ envelope: { from: 'app@app.test', to: ['demo@inbox.example.com'] }, raw });
}

test('with --compat mail of every size is taken, and it is a matter of showing: mail that was there has raw too', async () => {
  const without = await serveWith();
  await send(without, 1_000);
  await without.end('SIGTERM');

  const compat = await serveWith('--compat');
  for (const bytes of [70_000, 2_000_000]) await send(compat, bytes);
  const { emails } = await fetchInbox(compat, 'demo');
  expect(emails.map(({ otp }) => otp)).toEqual(['482913', '482913', '482913']);
  for (const email of emails) expect(email).toHaveProperty('raw', email.rawBody);
  await compat.end('SIGTERM');

  const again = await serveWith();
  const plain = await fetchInbox(again, 'demo');
  expect(plain.emails).toEqual(emails.map(({ raw, ...email }: (typeof emails)[number] & { raw?: string }) => email));
  await again.end('SIGTERM');
});
