/**
 * Sends an application's first message with each tested library. Only host, port and perhaps user are set, and the
 * message must arrive. One process per language sends all messages of that language.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { endAll, type RunningMayfly, serve } from '../service/process.js';

const run = promisify(execFile);

const SENDERS = fileURLToPath(new URL('senders/', import.meta.url));

const PACKAGES = fileURLToPath(new URL('../../../../node_modules/.cache/aiosmtplib', import.meta.url));

/** How long the messages of one language may take, and how long a Go program may take to compile. */
const PATIENCE_MS = 600_000;
const COMPILING_MS = 300_000;

/** The options of the service, apart from free ports and a temporary store. */
const SERVICES: Readonly<Record<string, readonly string[]>> = {
  serve: [],
  mailpit: ['--compat-api', 'mailpit'],
  mailhog: ['--compat-api', 'mailhog'],
};

const CREDENTIALS = [
  { user: null, password: null },
  { user: 'any', password: 'thing' },
];

const TEXT = 'Your code is 482913';

const running = new Map<string, RunningMayfly>();
const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-first-mail-'));

beforeAll(async () => {
  for (const [name, args] of Object.entries(SERVICES)) running.set(name, await serve(['--store', 'memory:', ...args]));
});

afterAll(() => {
  endAll();
  rmSync(folder, { recursive: true });
});

/** One message for a library to send. */
interface Planned {
  readonly library: string;
  readonly service: RunningMayfly;
  readonly inbox: string;
  readonly mail: {
    readonly host: string;
    readonly port: number;
    readonly to: string;
    readonly text: string;
    readonly user: string | null;
    readonly password: string | null;
  };
}

/** Plans a message to each service with and without credentials, each to a separate inbox. */
function planFor(libraries: readonly string[]): Planned[] {
  return libraries.flatMap((library) =>
    [...running].flatMap(([name, service]) =>
      CREDENTIALS.map(({ user, password }) => {
        const inbox = `${library}-${name}-${user ?? 'nobody'}`.toLowerCase().replace(/[^a-z0-9-]+/g, '-');
        const [host, port] = ['127.0.0.1', service.smtpPort];
        return {
          library,
          service,
          inbox,
          mail: { host, port, to: `${inbox}@inbox.example.com`, text: TEXT, user, password },
        };
      }),
    ),
  );
}

/** Expects that every library reports success, and that every message is in its inbox. */
async function expectAll(plan: readonly Planned[], told: readonly string[]): Promise<void> {
  expect(told).toEqual(plan.map(({ mail }) => `${mail.to} sent`));
  for (const { service, inbox } of plan) {
    const response = await fetch(`${service.url}/api/inbox/${inbox}/summary`);
    expect(await response.json(), inbox).toMatchObject({ emails: [{ subject: 'Hello', otp: '482913' }] });
  }
}

/** Runs a program that sends the messages of its libraries. */
async function sendWith(program: string, args: readonly string[], libraries: readonly string[]): Promise<void> {
  const plan = planFor(libraries);
  const json = JSON.stringify(plan.map(({ library, mail }) => ({ library, ...mail })));
  const env = { ...process.env, PYTHONPATH: PACKAGES };
  const { stdout } = await run(program, [...args, json], { env, timeout: PATIENCE_MS });
  await expectAll(plan, stdout.trim().split('\n'));
}

const sender = (file: string) => path.join(SENDERS, file);

test('nodemailer delivers mail', async () => {
  const plan = planFor(['nodemailer']);
  const told: string[] = [];
  for (const { mail } of plan) {
    const { host, port, to, text, user, password } = mail;
    const auth = user === null || password === null ? {} : { auth: { user, pass: password } };
    const sent = createTransport({ host, port, ...auth }).sendMail({
      from: 'app@app.test',
      to,
      subject: 'Hello',
      text,
    });
    told.push(
      await sent.then(
        () => `${to} sent`,
        (error: Error) => `${to} ${error.message}`,
      ),
    );
  }
  await expectAll(plan, told);
});

const php = needs('PHP with Symfony Mailer and PHPMailer');
test('Symfony Mailer, which Laravel uses, and PHPMailer deliver mail', { ...php, timeout: PATIENCE_MS }, async () => {
  await sendWith('php', [sender('send.php')], ['Symfony Mailer', 'PHPMailer']);
});

test("Ruby's Net::SMTP and mail gem deliver mail", { ...needs('Ruby with mail'), timeout: PATIENCE_MS }, async () => {
  await sendWith('ruby', [sender('send.rb')], ['Ruby Net::SMTP', 'Ruby mail gem']);
});

test('smtplib and aiosmtplib deliver mail', { ...needs('python3', 'aiosmtplib'), timeout: PATIENCE_MS }, async () => {
  await sendWith('python3', [sender('send.py')], ['smtplib', 'aiosmtplib']);
});

describe('Go', needs('go'), () => {
  const compiled = path.join(folder, 'send');
  beforeAll(async () => {
    // Builds without cgo, so that no C compiler is needed.
    const env = { ...process.env, CGO_ENABLED: '0' };
    await run('go', ['build', '-o', compiled, sender('send.go')], { timeout: COMPILING_MS, env });
  }, COMPILING_MS);

  test("Go's net/smtp delivers mail", { timeout: PATIENCE_MS }, async () => {
    await sendWith(compiled, [], ['Go net/smtp']);
  });
});
