import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type StartedMayfly, startMayfly } from 'mayfly-inbox';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Mayfly } from '../src/index.js';

const run = promisify(execFile);

let service: StartedMayfly;

beforeAll(async () => {
  service = await startMayfly();
}, 120_000);

afterEach(() => void vi.useRealTimers());

afterAll(() => service.stop());

function send(to: string, text: string): Promise<unknown> {
  const mail = { from: 'app@app.test', to, subject: 'Your code', text };
  const script = `require('nodemailer').createTransport(${JSON.stringify(service.smtp)}).sendMail(${JSON.stringify(mail)})`;
  return run(process.execPath, ['-e', script]);
}

test('fake timers of the test affect neither a successful wait nor a timeout nor expectNoEmail', async () => {
  const inbox = new Mayfly({ baseUrl: service.url }).createInbox();
  vi.useFakeTimers();
  await inbox.expectNoEmail({ within: 100 });
  const waiting = inbox.waitForOtp({ timeout: 60_000 });
  await send(inbox.address, 'Your code is 482913.');
  expect(await waiting).toBe('482913');
  const email = await inbox.waitForEmail();
  expect(await inbox.waitForLink({ timeout: 1_000 }).catch(({ name }) => name)).toBe('MayflyTimeoutError');
  expect(await inbox.emails({ after: new Date(email.receivedAt.getTime() - 1) })).toHaveLength(1);
}, 120_000);
