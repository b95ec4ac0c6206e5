import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, PATIENCE_MS, type RunningService, startService } from './provider.js';

const run = promisify(execFile);

/** Python takes seconds to read the SDK of AWS. */
const PYTHON_MS = 180_000;

const isCI = process.env.CI === 'true';
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A Python that has the packages of requirements.txt, and the program in Go, as `.ci/run` makes them. */
const PYTHON = pathOf('../../node_modules/.cache/send-api-sdks/bin/python');
const GO = pathOf('../../node_modules/.cache/send-api-sdks-go');

const CODE = '482913';

let service: RunningService;

beforeAll(async () => {
  service = await startService();
}, PATIENCE_MS);
afterAll(() => service.stop());

async function check(output: string, errors: Readonly<Record<string, RegExp>>): Promise<void> {
  const sent: Readonly<Record<string, Answer>> = JSON.parse(output);
  for (const [name, { address, id, error }] of Object.entries(sent)) {
    const [email, ...more] = await service.emails(address);
    expect([name, email?.otp, more], name).toEqual([name, CODE, []]);
    expect(email.id, name).toContain(id);
    const expected = errors[name];
    if (expected !== undefined) expect(error, name).toMatch(expected);
  }
  expect(Object.keys(sent)).toEqual(expect.arrayContaining(Object.keys(errors)));
}

describe.skipIf(!isCI && !existsSync(PYTHON))('Python', () => {
  test(
    'resend, sendgrid, postmarker, boto3 (ses, sesv2) and requests (Mailgun) send unmodified',
    async () => {
      const { stdout } = await run(PYTHON, [pathOf('sdks/send.py'), service.url, CODE]);
      await check(stdout, {
        resend: /domain of a@else\.test/,
        sendgrid: /domain of a@else\.test/,
        postmark: /406|inactive addresses: a@else\.test/,
        ses: /MessageRejected.*a@else\.test/,
        sesv2: /MessageRejected.*a@else\.test/,
      });
      expect((await service.parts('py-mailgun@inbox.test')).parts).toContainEqual(
        expect.objectContaining({ filename: 'héllo.txt', size: 5 }),
      );
      for (const name of ['resend', 'sendgrid']) {
        expect((await service.parts(`py-${name}@inbox.test`)).parts).toContainEqual(
          expect.objectContaining({ filename: 'héllo.txt', size: 5 }),
        );
      }
    },
    PYTHON_MS,
  );
});

describe.skipIf(!isCI && !existsSync(GO))('Go', () => {
  test('sendgrid-go and aws-sdk-go-v2 send unmodified', async () => {
    const { stdout } = await run(GO, [service.url, CODE]);
    await check(stdout, { sendgrid: /domain of a@else\.test/, sesv2: /MessageRejected.*a@else\.test/ });
  });
});
