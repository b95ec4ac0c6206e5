import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import type { EmailParts, EmailSummary, Explanation } from 'mayfly-client';
import { describe, expect, test } from 'vitest';
import { Given } from '../src/given.js';
import { type BriefEmail, type GivenInbox, type Mailboxes, type NewInbox, ToolError } from '../src/mailboxes.js';
import { waitForEmailInput } from '../src/schemas.js';
import { agentServer } from '../src/server.js';
import { waitForEmail } from '../src/wait-for-email.js';

const EMAIL: BriefEmail = {
  id: '<1@app.test>',
  from: 'app@app.test',
  to: 'demo@inbox.example.com',
  subject: 'Welcome',
  body: 'Your code is 482913',
  receivedAt: '2026-01-31T09:30:00.000Z',
  otp: '482913',
  magicLink: null,
};

/** Mailboxes with faults: every method that a test does not replace rejects. */
class TroubledMailboxes implements Mailboxes {
  readonly reported: unknown[] = [];
  nameOf = async ({ inbox }: GivenInbox) => inbox;
  next = async (): Promise<BriefEmail | null> => EMAIL;
  create = async (): Promise<NewInbox> => fail();
  summaries = async (): Promise<readonly EmailSummary[]> => fail();
  whyNothing = async (): Promise<string> => fail();
  contents = async (_email: unknown, _signal: AbortSignal): Promise<EmailParts> => fail();
  explanation = async (): Promise<Explanation> => fail();
  report(error: unknown): void {
    this.reported.push(error);
  }
}

function fail(): never {
  throw new ToolError('Too many messages are being read.');
}

const ARGUMENTS = waitForEmailInput.parse({ inbox: 'demo' });

function call(mailboxes: Mailboxes, given = new Given(), signal = new AbortController().signal) {
  return waitForEmail(ARGUMENTS, { mailboxes, given, signal, report: null });
}

test('wait_for_email returns an email even if its codes and links cannot be read', async () => {
  const given = new Given();
  expect(await call(new TroubledMailboxes(), given)).toMatchObject({
    ...{ found: true, otp: '482913', codes: [], action_link: null },
    advice: expect.stringContaining('Too many messages are being read.'),
  });
  expect(given.has('demo', EMAIL.receivedAt)).toBe(true);
});

test('a wait_for_email that times out returns found: false, even if it cannot read the received mail', async () => {
  const mailboxes = Object.assign(new TroubledMailboxes(), { next: async () => null });
  expect(await call(mailboxes)).toMatchObject({
    ...{ found: false, arrived: [] },
    advice: expect.stringContaining('Too many messages are being read.'),
  });
});

test('wait_for_email counts an email as returned only if the client is still connected', async () => {
  const leaving = new AbortController();
  const given = new Given();
  const mailboxes = new TroubledMailboxes();
  mailboxes.contents = async (_email, signal) => {
    leaving.abort(new Error('left'));
    signal.throwIfAborted();
    return fail();
  };
  await expect(call(mailboxes, given, leaving.signal)).rejects.toThrow('left');
  expect(given.has('demo', EMAIL.receivedAt)).toBe(false);
});

describe('a timeout of wait_for_email', () => {
  function nothing(): TroubledMailboxes {
    const mailboxes = new TroubledMailboxes();
    mailboxes.next = async () => null;
    mailboxes.summaries = async () => [];
    return mailboxes;
  }

  test('returns an explanation from the delivery log, with hidden characters escaped', async () => {
    const mailboxes = nothing();
    mailboxes.whyNothing = async () => 'No client connected\u202e to the SMTP port.';
    expect((await call(mailboxes)).advice).toContain(
      'No email arrived at demo in 25 s. No client connected\\u{202e} to the SMTP port. To keep waiting',
    );
  });
});

test('internal errors of tools are reported only to the operator', async () => {
  const mailboxes = new TroubledMailboxes();
  mailboxes.summaries = async () => {
    throw new TypeError('secret of the inside');
  };
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = agentServer({ mailboxes, given: new Given(), version: '0.0.0' });
  await server.connect(ours);
  const host = new Client({ name: 'test', version: '1' });
  await host.connect(theirs);
  expect(await host.callTool({ name: 'check_inbox', arguments: { inbox: 'demo' } })).toEqual({
    isError: true,
    content: [{ type: 'text', text: 'Something went wrong inside Mayfly. See its log for the cause.' }],
  });
  expect(mailboxes.reported).toEqual([new TypeError('secret of the inside')]);
  await host.close();
});
