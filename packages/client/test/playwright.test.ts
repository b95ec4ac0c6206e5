import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll, serve, temporaryFolder } from '../../server/test/service/process.js';

const FOLDER = fileURLToPath(new URL('playwright', import.meta.url));
const PLAYWRIGHT = fileURLToPath(import.meta.resolve('@playwright/test/cli'));

interface Attachment {
  readonly name: string;
  readonly contentType: string;
  readonly body: string;
}

interface Result {
  readonly status: string;
  readonly attachments: readonly Attachment[];
  readonly annotations: readonly { readonly type: string; readonly description: string }[];
  readonly error?: { readonly message: string };
}

/** The results of each spec by title: one for its first run and one for each retry. */
let results: Record<string, readonly Result[]>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

/** Runs the specs as a user does. They need no browser, because they use no page. */
beforeAll(async () => {
  folder = await temporaryFolder();
  const mayfly = await serve(['--store', 'memory:']);
  const environment = { URL_OF_MAYFLY: mayfly.url, SMTP_PORT: String(mayfly.smtpPort), OUTPUT_FOLDER: folder.path };
  const report = await new Promise<string>((resolve) => {
    const options = { cwd: FOLDER, env: { ...process.env, ...environment } };
    execFile(process.execPath, [PLAYWRIGHT, 'test'], options, (_, stdout) => resolve(stdout));
  });
  const { suites } = JSON.parse(report);
  const specs: { title: string; tests: { results: Result[] }[] }[] = suites[0].specs;
  results = Object.fromEntries(specs.map(({ title, tests }) => [title, tests[0]?.results ?? []]));
});

afterAll(async () => {
  endAll();
  await folder.remove();
});

/** The fixture's attachments by name, without Playwright's own error-context. */
function attachmentsOf(result: Result | undefined): Record<string, string> {
  const attached = (result?.attachments ?? []).filter(({ name }) => name !== 'error-context');
  return Object.fromEntries(attached.map(({ name, body }) => [name, Buffer.from(body, 'base64').toString()]));
}

describe('the Playwright fixtures', () => {
  test('do not change which tests pass, fail and are retried', () => {
    const statuses = Object.entries(results).map(([title, runs]) => [title, runs.map(({ status }) => status)]);
    expect(Object.fromEntries(statuses)).toEqual({
      'passes with a code': ['passed'],
      'passes on the retry': ['failed', 'passed'],
      'fails because no email arrives': ['failed', 'failed'],
      'is expected to fail': ['failed'],
    });
  });

  test('create a separate inbox for every test and every retry', () => {
    const addresses = Object.values(results)
      .flat()
      .map(({ annotations }) => annotations.find(({ type }) => type === 'address')?.description);
    expect(addresses).toHaveLength(6);
    expect(new Set(addresses).size).toBe(6);
  });

  test('attach the received mail if a test fails', () => {
    const attached = attachmentsOf(results['passes on the retry']?.[0]);
    expect(Object.keys(attached)).toEqual(['inbox', 'email 1', 'email 1.eml']);
    expect(attached.inbox).toMatch(/^Emails received at [a-z]+-[a-z]+-[a-z2-7]{12}@inbox\.example\.com: 1\.$/);
    expect(attached['email 1']).toMatch(
      /^Subject: Grüße\nFrom: app@app\.test\nReceived: \d{4}-.*Z\nCode: 771204\nLink: https:\/\/app\.test\/verify\?token=abc\n\nYour code is 771204\./,
    );
    expect(attached['email 1.eml']).toMatch(/^From: app@app\.test\r\n[\s\S]*\r\n\r\nYour code is 771204\./);
    const eml = results['passes on the retry']?.[0]?.attachments.find(({ name }) => name === 'email 1.eml');
    expect(eml?.contentType).toBe('message/rfc822');
  });

  test('report that no mail arrived', () => {
    const [run] = results['fails because no email arrives'] ?? [];
    expect(attachmentsOf(run).inbox).toMatch(/^Emails received at \S+: 0\.$/);
    expect(run?.error?.message).toContain('Waited 10 s for an email. No email came to ');
  });

  test.each(['passes with a code', 'is expected to fail'])('attach nothing to a test that %s', (title) => {
    expect(attachmentsOf(results[title]?.at(-1))).toEqual({});
  });
});
