import { describe, expect, test } from 'vitest';
import type { EmailSummary } from '../../protocol/src/wire.js';
import { type Inbox, Mayfly } from '../src/index.js';
import { type Answer, recordingFetch } from './recording-fetch.js';
import { freshName, serviceOfFile } from './service.js';

const service = await serviceOfFile();

function inboxBehind(answer: Answer) {
  const { fetch, requests } = recordingFetch(answer);
  return { inbox: new Mayfly({ baseUrl: service.url, fetch }).inbox(freshName()), requests };
}

const GONE = { status: 404, headers: { 'mayfly-error': 'no-such-email' } };
const gone = () => Response.json({ error: 'This inbox has no such email. It may have expired.' }, GONE);
const noStream = (request: string) => (request.startsWith('stream') ? Response.error() : null);

describe('an email deleted after it was listed and before it is fetched', () => {
  /** Lists the newest email, and then reports it as gone. */
  const newestGone = () => {
    let reads = 0;
    return inboxBehind((request) => {
      if (request !== 'email') return noStream(request);
      reads += 1;
      return reads === 1 ? gone() : null;
    });
  };

  test.each([
    ['emails()', async (inbox: Inbox) => (await inbox.emails()).map((one) => one.subject)],
    ['waitForEmail()', async (inbox: Inbox) => [(await inbox.waitForEmail({ subject: /mail/ })).subject]],
    ['latest()', async (inbox: Inbox) => [(await inbox.latest({ subject: /mail/ }))?.subject]],
  ] as const)('is skipped by %s', async (_, call) => {
    const { inbox } = newestGone();
    for (const subject of ['mail 1', 'mail 2']) await service.mail(inbox.name, { subject });
    expect(await call(inbox)).toEqual(['mail 1']);
  });
});

test('expectNoEmail rejects if its stream delivers an email that the later list omits', async () => {
  const { inbox } = inboxBehind((request) =>
    request.startsWith('summary') ? Response.json({ emails: [], count: 0 }) : null,
  );
  const rejected = expect(inbox.expectNoEmail({ within: 86_400_000 })).rejects.toThrow('but 1 email came to');
  await service.mail(inbox.name, { subject: 'short-lived' });
  await rejected;
});

describe('a field that a summary truncates', () => {
  const long = 'x'.repeat(2_000);

  test.each([
    ['subject', { subject: `${long} wanted` }, { subject: /wanted$/ }],
    ['magicLink', { text: `Reset: https://app.test/reset?token=${long}` }, { hasMagicLink: true, subject: /Hello/ }],
  ])('makes a wait fetch the full email to check the field (%s)', async (field, mail, filter) => {
    const { inbox, requests } = inboxBehind((request) => noStream(request));
    await service.mail(inbox.name, mail);
    const summaries = await fetch(`${service.url}/api/inbox/${inbox.name}/summary`);
    const { emails } = (await summaries.json()) as { emails: EmailSummary[] };
    expect(emails[0]?.cut).toContain(field);
    expect(await inbox.waitForEmail(filter)).toMatchObject({ to: inbox.address });
    expect(requests).toContain('email');
  });
});
