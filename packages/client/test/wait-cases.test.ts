import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type StartedMayfly, startMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Inbox, Mayfly, type ReceivedEmail } from '../src/index.js';
import { createPhone } from '../src/phone.js';
import { inVain } from './in-vain.js';

interface Mail {
  readonly from?: string;
  readonly subject?: string;
  readonly text?: string;
}

interface WaitCase {
  readonly name: string;
  /** Domain of the inbox, if not the service's domain. */
  readonly domain?: string;
  readonly private?: boolean;
  /** Whether the inbox is that of a phone number. */
  readonly phone?: boolean;
  /** Secret to open the inbox with, if not the inbox's own secret. */
  readonly secret?: string | null;
  /** Whether the test has credentials, and uses them to send mail. */
  readonly hasCredentials?: boolean;
  readonly simulate?: readonly string[];
  readonly before?: readonly Mail[];
  /** Mail to the same name in another domain. */
  readonly elsewhere?: readonly Mail[];
  /** Mail to the same address, but in no ad-hoc workspace (`outside`), or in another test's (`inOther`). */
  readonly outside?: readonly Mail[];
  readonly inOther?: readonly Mail[];
  /** Mail to another inbox of the test. */
  readonly besides?: readonly Mail[];
  readonly refused?: readonly Mail[];
  readonly mark?: boolean;
  /** Mail that is sent after the wait has begun. */
  readonly during?: readonly Mail[];
  readonly call: keyof Inbox;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly gives?: unknown;
  readonly fails?: string;
  readonly says?: readonly string[];
  readonly saysNot?: string;
}

const CASES: WaitCase[] = JSON.parse(readFileSync(new URL('wait-cases.json', import.meta.url), 'utf8'));

let service: StartedMayfly;

beforeAll(async () => {
  service = await startMayfly({ adHocWorkspaces: true });
});

afterAll(() => service.stop());

/** Sends mail. With credentials, sends it into an ad-hoc workspace. */
async function send(to: string, mails: readonly Mail[] = [], credentials = ''): Promise<void> {
  const [user = '', pass = ''] = credentials.split(':');
  const transport = createTransport({ ...service.smtp, ...(credentials && { auth: { user, pass } }) });
  for (const { from = 'app@app.test', subject = 'Hello', text = 'Hello' } of mails) {
    const raw = `From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`;
    await transport.sendMail({ envelope: { from: 'app@app.test', to }, raw });
  }
}

function newCredentials(): string {
  return `run-${randomUUID()}:secret-${randomUUID()}`;
}

function openInbox(one: WaitCase, mayfly: Mayfly): Inbox {
  if (one.phone) return createPhone(mayfly);
  const made = mayfly.createInbox({ simulate: one.simulate, private: one.private });
  if (one.domain !== undefined) return mayfly.inbox(`${made.name}@${one.domain}`);
  return one.secret === undefined ? made : mayfly.inbox(made.address, { secret: one.secret ?? undefined });
}

async function prepare(one: WaitCase, { address, name }: Inbox, credentials: string | undefined): Promise<void> {
  await send(address, one.before, credentials);
  await send(`${name}@example.com`, one.elsewhere);
  await send(address, one.outside);
  await send(address, one.inOther, newCredentials());
  await send(`besides-${name}@inbox.example.com`, one.besides, credentials);
  for (const mail of one.refused ?? []) await expect(send(address, [mail])).rejects.toThrow();
}

/** JSON cannot hold a pattern, so wait-cases.json has an object instead. */
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
  test.concurrent.each(CASES)('$name', async (one) => {
    const credentials = one.hasCredentials ? newCredentials() : undefined;
    const mayfly = new Mayfly({ baseUrl: service.url, domain: service.domain, credentials });
    const wait = async (timeout = one.options?.timeout) => {
      const inbox = openInbox(one, mayfly);
      await prepare(one, inbox, credentials);
      const options = Object.entries({ ...one.options, ...(timeout !== undefined && { timeout }) }).map(
        ([name, value]) => [name, optionOf(value)],
      );
      const marked = one.mark ? { after: await inbox.mark() } : {};
      const call = inbox[one.call] as (options: object) => Promise<unknown>;
      const waiting = call.call(inbox, { ...Object.fromEntries(options), ...marked });
      const [found] = await Promise.all([waiting, send(inbox.address, one.during, credentials)]);
      return found;
    };
    const check = (error: Error) => {
      expect(error.name).toBe(one.fails);
      for (const part of one.says ?? []) expect(error.message).toContain(part);
      if (one.saysNot) expect(error.message).not.toContain(one.saysNot);
    };
    if (one.fails === 'MayflyTimeoutError') await inVain(wait, check);
    else if (one.fails) await wait().then(() => expect.unreachable(), check);
    else expect(given(await wait(), one.gives)).toEqual(one.gives);
  });
});
