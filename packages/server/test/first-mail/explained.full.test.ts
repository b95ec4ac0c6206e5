/**
 * If an application's first mail does not arrive, the test's timeout explains why and what to do. The mail libraries
 * are real, and so are their failures.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Inbox, Mayfly } from 'mayfly-client';
import { createTransport } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import { afterAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { saysInVain } from '../../../client/test/in-vain.js';
import { endAll, serve } from '../service/process.js';

const run = promisify(execFile);

const PATIENCE_MS = 240_000;

/** Time limit for a client to report its failure. */
const SENDING_MS = 60_000;

afterAll(endAll);

/** Starts a service and creates an inbox. */
async function start(...args: readonly string[]) {
  const service = await serve(['--store', 'memory:', ...args]);
  return { service, inbox: new Mayfly({ baseUrl: service.url }).createInbox() };
}

/** Sends with nodemailer's defaults except for `options`. Resolves to the error message, or to "sent". */
async function fail(port: number, to: string, options: SMTPTransport.Options = {}): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port, ...options });
  return await transport.sendMail({ from: 'app@app.test', to, subject: 'Hello', text: 'Hello' }).then(
    () => 'sent',
    (error: Error) => error.message,
  );
}

/** Repeats a short wait until the wait's error contains this text. */
async function explains(inbox: Inbox, said: string | RegExp) {
  await saysInVain((timeout) => inbox.waitForEmail({ timeout }), said);
}

/** Runs a program that must fail. The program must be installed in CI. */
async function failing(program: string, args: readonly string[], input = ''): Promise<void> {
  const running = run(program, [...args], { timeout: SENDING_MS });
  running.child.stdin?.on('error', () => {}).end(input);
  await running.then(
    () => Promise.reject(new Error(`${program} did not fail`)),
    () => {},
  );
}

describe.concurrent('a timeout error after nodemailer failed to send', { timeout: PATIENCE_MS }, () => {
  test('explains a certificate that the client does not trust', async () => {
    const { service, inbox } = await start('--tls', 'self-signed');
    expect(await fail(service.smtpPort, inbox.address)).toContain('self-signed');
    await explains(
      inbox,
      /No email came to .*\. (?:Before this wait began|Since this wait began), 1 connection from 127\.0\.0\.1 left after STARTTLS: the client does not trust the certificate\..*nodemailer: ignoreTLS: true/,
    );
  });

  test('explains that the client requires STARTTLS and the service does not offer it', async () => {
    const { service, inbox } = await start();
    expect(await fail(service.smtpPort, inbox.address, { requireTLS: true })).toContain('STARTTLS');
    await explains(inbox, /required STARTTLS, which is not offered\. .*requireTLS: false.*--tls-cert/);
  });
});

describe("a timeout error after Python's smtplib failed to send", { ...needs('python3'), timeout: PATIENCE_MS }, () => {
  const python = (port: number, ...lines: readonly string[]) =>
    failing('python3', ['-c', ['import smtplib', `smtp = smtplib.SMTP("127.0.0.1", ${port})`, ...lines].join('\n')]);

  test('asks if the client requires STARTTLS, which the service does not offer', async () => {
    const { service, inbox } = await start();
    await python(service.smtpPort, 'smtp.starttls()');
    await explains(inbox, /left after EHLO\. Does the client require STARTTLS, which is not offered/);
  });
});
