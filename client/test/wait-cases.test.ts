/** The cases that the clients for JavaScript and for Python both pass: mails, a wait, and what it gives or says. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type StartedMayfly, startMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Inbox, Mayfly, type ReceivedEmail } from '../src/index.js';

interface Mail {
  readonly from?: string;
  readonly subject?: string;
  readonly text?: string;
}

interface WaitCase {
  readonly name: string;
  readonly rehearse?: readonly string[];
  readonly before?: readonly Mail[];
  /** Mail to the same name in another domain. */
  readonly elsewhere?: readonly Mail[];
  /** Mail that the service refuses. */
  readonly refused?: readonly Mail[];
  readonly mark?: boolean;
  /** Mail that is sent once the wait has begun. */
  readonly during?: readonly Mail[];
  readonly call: keyof Inbox;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly gives?: unknown;
  readonly fails?: string;
  readonly says?: readonly string[];
}

const CASES: WaitCase[] = JSON.parse(readFileSync(new URL('wait-cases.json', import.meta.url), 'utf8'));

const PYTHON_FOLDER = fileURLToPath(new URL('../../clients/python', import.meta.url));
const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;

let service: StartedMayfly;

beforeAll(async () => {
  service = await startMayfly();
});

afterAll(() => service.stop());

async function send(to: string, { from = 'app@app.test', subject = 'Hello', text = 'Hello' }: Mail): Promise<void> {
  const raw = `From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`;
  await createTransport(service.smtp).sendMail({ envelope: { from: 'app@app.test', to }, raw });
}

/** A pattern is an object in JSON. */
function optionOf(value: unknown): unknown {
  const { pattern } = Object(value);
  return pattern === undefined ? value : new RegExp(pattern);
}

function given(found: unknown, wanted: unknown): unknown {
  if (Array.isArray(found)) return found.map(({ subject }: ReceivedEmail) => subject);
  if (typeof wanted !== 'object' || wanted === null) return found ?? null;
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, (found as Record<string, unknown>)[name]]));
}

describe('waits', () => {
  test.each(CASES)('$name', async (one) => {
    const inbox = new Mayfly({ baseUrl: service.url, domain: service.domain }).createInbox({ rehearse: one.rehearse });
    for (const mail of one.before ?? []) await send(inbox.address, mail);
    for (const mail of one.elsewhere ?? []) await send(`${inbox.name}@example.com`, mail);
    for (const mail of one.refused ?? []) await expect(send(inbox.address, mail)).rejects.toThrow();
    const options = Object.entries(one.options ?? {}).map(([name, value]) => [name, optionOf(value)]);
    const marked = one.mark ? { after: await inbox.mark() } : {};
    const call = inbox[one.call] as (options: object) => Promise<unknown>;
    const waiting = call.call(inbox, { ...Object.fromEntries(options), ...marked }).then(
      (found) => ({ found }),
      (error: Error) => ({ error }),
    );
    for (const mail of one.during ?? []) await send(inbox.address, mail);
    const end: { found?: unknown; error?: Error } = await waiting;
    expect(end.error?.name).toBe(one.fails);
    for (const part of one.says ?? []) expect(end.error?.message).toContain(part);
    if (!one.fails) expect(given(end.found, one.gives)).toEqual(one.gives);
  });
});

test.skipIf(!hasPytest)('the Python client passes them, and its own tests', { timeout: 180_000 }, async () => {
  const { MAYFLY_API_KEY: _, ...others } = process.env;
  const env = {
    ...others,
    PYTHONPATH: `${PYTHON_FOLDER}/src`,
    PYTHONDONTWRITEBYTECODE: '1',
    MAYFLY_URL: service.url,
    MAYFLY_DOMAIN: service.domain,
    SMTP_HOST: service.smtp.host,
    SMTP_PORT: `${service.smtp.port}`,
  };
  // The entry point of an installed version makes room for this one.
  const plugins = ['-p', 'no:mayfly', '-p', 'mayfly_client.pytest_plugin', '-p', 'no:cacheprovider'];
  const run = promisify(execFile)('python3', ['-m', 'pytest', '-q', ...plugins], { cwd: PYTHON_FOLDER, env });
  const { stdout } = await run.catch((error) => error);
  expect(stdout).toMatch(/^\d+ passed/m);
  expect(stdout).not.toMatch(/failed|error/i);
});
