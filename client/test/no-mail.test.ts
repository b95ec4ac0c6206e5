/** What a wait in vain says of the attempts that the service saw: one case for each cause. */
import { describe, expect, test } from 'vitest';
import { askWhy, type Seen, whyNoMail } from '../src/no-mail.js';
import type { Attempt } from '../src/wire-attempts.js';

const NOW = '2026-01-31T09:30:00.000Z';

const SMTP = { port: 2525, domains: ['inbox.example.com'], startTls: false, authWithoutTls: true };

const SESSION: Attempt = {
  ...{ at: NOW, way: 'smtp', client: '10.0.0.7', tls: 'no', auth: 'no', lastCommand: null },
  ...{ from: null, to: null, outcome: 'no-command', error: null, receivedAt: null },
  stages: { connect: null, rcpt: null, data: null, content: null, kept: null, handedOut: null },
  handed: [],
};

const REFUSED: Attempt = {
  ...SESSION,
  to: 'a@example.com',
  outcome: 'foreign-domain',
  error: { code: 550, enhanced: '5.7.1', text: 'This service only accepts mail for inbox.example.com' },
};

function why(seen: Partial<Seen>): string {
  const sessions = { attempts: [], counts: {} };
  const none = { attempts: [], elsewhere: [], newSpace: false };
  return whyNoMail({ smtp: SMTP, ...none, sessions, windowMs: 50_000, isEmpty: true, ...seen });
}

/** What is said of sessions that ended so. */
function ofSessions(outcome: string, smtp = SMTP): string {
  const attempts = [{ ...SESSION, outcome }];
  return why({ smtp, sessions: { attempts, counts: { [outcome]: 1 } } });
}

describe('attempts that named the inbox', () => {
  test('a refusal tells the reply, how often, and the cure', () => {
    expect(why({ attempts: [REFUSED] })).toBe(
      '1 attempt to send to a@example.com was refused: 550 5.7.1 This service only accepts mail for inbox.example.com. ' +
        'Or use an address in a domain of Mayfly (domain, MAYFLY_DOMAIN).',
    );
    expect(why({ attempts: [REFUSED, REFUSED] })).toMatch(/^2 attempts to send to a@example\.com were refused: 550/);
  });

  test('a mail that was kept, and is not shown', () => {
    const kept = { ...REFUSED, outcome: 'kept', error: null, receivedAt: NOW };
    expect(why({ attempts: [{ ...kept, to: 'a@inbox.example.com' }] })).toMatch(/ is gone\. Was it deleted/);
    expect(why({ attempts: [{ ...kept, to: 'a--451x1--hold@inbox.example.com' }] })).toContain(
      'inbox.release() shows it',
    );
    expect(why({ attempts: [{ ...kept, to: 'a--hold@inbox.example.com' }], isEmpty: false })).toBe('');
  });

  test.each<[outcome: string, said: RegExp]>([
    ['inbox-full', /inbox\.clear\(\)/],
    ['message-too-large', /--max-message/],
    ['too-many-mails', /--smtp-limit/],
    ['store-full', /--store-budget/],
  ])('%s', (outcome, said) => {
    expect(why({ attempts: [{ ...REFUSED, outcome, error: { code: 452, enhanced: null, text: 'No' } }] })).toMatch(
      said,
    );
  });

  test.each<[outcome: string, said: RegExp]>([
    ['mail-lost', /broke off in the middle of the mail\. Check the timeout/],
    ['no-data', /ended before the mail was sent/],
    ['new-outcome', /came to nothing: new-outcome\./],
  ])('%s', (outcome, said) => {
    expect(why({ attempts: [{ ...REFUSED, outcome, error: null }] })).toMatch(said);
  });

  test('a send API is named', () => {
    expect(why({ attempts: [{ ...REFUSED, way: 'resend' }] })).toContain('by the send API (resend) to send to');
  });

  test('mail that was kept, where the inbox has none', () => {
    const kept = { ...REFUSED, outcome: 'kept', error: null, receivedAt: NOW };
    expect(why({ attempts: [kept] })).toBe(
      `Mail to a@example.com was kept at ${NOW} and is gone. Was it deleted, or has it expired?`,
    );
    expect(why({ attempts: [kept], isEmpty: false })).toBe('');
  });

  test('where the inbox has mail, only they are told', () => {
    const sessions = { attempts: [SESSION], counts: { 'no-command': 1 } };
    expect(why({ sessions, isEmpty: false })).toBe('');
    expect(why({ attempts: [REFUSED], sessions, isEmpty: false })).not.toContain('10.0.0.7');
  });
});

test('mail that came to the same name in another domain is told with the call that finds it', () => {
  expect(why({ elsewhere: [{ to: 'jane@example.com', at: NOW }] })).toBe(
    "Mail came to jane@example.com, which is another inbox: ask for mayfly.inbox('jane@example.com').",
  );
});

describe('sessions that named no inbox', () => {
  test.each<[outcome: string, said: RegExp]>([
    ['tls-ended', /left after STARTTLS: the client does not trust the certificate.*nodemailer: ignoreTLS: true/],
    ['no-start-tls', /requires? STARTTLS|required STARTTLS, which is not offered.*requireTLS: false.*--tls-cert/],
    ['no-mail', /left after EHLO.*STARTTLS, which is not offered/],
    ['tls-first', /credentials without TLS.*STARTTLS.*--trust-proxy/],
    ['unknown-mechanism', /PLAIN or LOGIN/],
    ['bad-credentials', /malformed credentials/],
    ['bad-space', /no space can have/],
    ['sign-in-first', /tried AUTH.*not signed in.*530.*docs\/spaces\.md.*after STARTTLS/],
    ['not-smtps', /nodemailer: secure: false/],
    ['not-http', /spoke HTTP to the SMTP port/],
    ['http-port', /Set the SMTP port of the application to 2525/],
    ['no-command', /left without a command/],
    ['message-too-large', /--max-message/],
    ['too-many-mails', /--smtp-limit/],
    ['too-many-connections', /--smtp-connections/],
    ['bad-recipient-name', /Check the address/],
    ['new-outcome', /ended so: new-outcome/],
  ])('%s', (outcome, said) => {
    const text = ofSessions(outcome);
    expect(text).toMatch(/^In the last 50 s, 1 connection from 10\.0\.0\.7 /);
    expect(text).toMatch(said);
  });

  test('a request to a send API, and what it was told', () => {
    const error = { code: 415, enhanced: null, text: 'The Content-Type must be application/json' };
    const attempts = [{ ...SESSION, way: 'resend', outcome: 'media-type', error }];
    expect(why({ sessions: { attempts, counts: { 'media-type': 1 } } })).toBe(
      'In the last 50 s, 1 request from 10.0.0.7 to the send API (resend) named no recipient and was refused: 415 The Content-Type must be application/json.',
    );
    expect(why({ sessions: { attempts: null, counts: { 'media-type': 1 } } })).toContain(
      'a body of a wrong type (415)',
    );
  });

  test('what is offered decides what a client may have missed', () => {
    const text = ofSessions('no-mail', { ...SMTP, startTls: true, authWithoutTls: false });
    expect(text).toMatch(/another kind of TLS or AUTH, or AUTH without TLS/);
  });

  test('others get what came from their own address', () => {
    const sessions = { attempts: null, counts: { 'tls-ended': 2, kept: 1 } };
    expect(why({ sessions })).toMatch(
      /^In the last 50 s, 2 connections from this test's address left after STARTTLS.* 1 email came to other inboxes/,
    );
  });

  test('none at all', () => {
    expect(why({})).toMatch(/^In the last 50 s, no client connected to the SMTP port 2525: set/);
    expect(why({ sessions: { attempts: null, counts: {} } })).toContain("2525 from this test's address: set");
  });

  test('mail that came to others', () => {
    const sessions = { attempts: [], counts: { kept: 3 } };
    expect(why({ sessions })).toBe('In the last 50 s, 3 emails came to other inboxes: was it sent to this address?');
  });

  test('mail on the other side of a space', () => {
    const signedIn = why({ sessions: { attempts: [], counts: { 'in-spaces': 2 } } });
    expect(signedIn).toMatch(/^In the last 50 s, 2 attempts to send mail came into spaces: .* MAYFLY_SPACE/);
    const notSignedIn = why({ sessions: { attempts: [], counts: { 'outside-spaces': 1 } } });
    expect(notSignedIn).toMatch(/^In the last 50 s, 1 attempt to send mail came without a space: .*AUTH/);
    const refused = { attempts: [], counts: { 'refused-sign-ins': 1 } };
    expect(why({ sessions: refused })).toMatch(
      /^In the last 50 s, 1 attempt to send mail came with AUTH that was refused/,
    );
    expect(why({ sessions: refused, newSpace: true })).toMatch(
      /^No mail has ever come to this space.* AUTH that was refused/,
    );
    for (const text of [signedIn, notSignedIn]) expect(text).not.toContain('no client connected');
  });

  test('are told by kind, the most frequent first, and no more than a few', () => {
    const outcomes = ['a', 'b', 'b', 'c', 'd', 'e'];
    const attempts = outcomes.map((outcome) => ({ ...SESSION, outcome }));
    const text = why({ sessions: { attempts, counts: { a: 1 } } });
    expect(text).toMatch(/^In the last 50 s, 2 connections from 10\.0\.0\.7 ended so: b/);
    expect(text.match(/ended so/g)).toHaveLength(4);
  });
});

test('a port check is told behind what says more', () => {
  const attempts = ['no-command', 'no-command', 'tls-ended'].map((outcome) => ({ ...SESSION, outcome }));
  const text = why({ sessions: { attempts, counts: { 'no-command': 2, 'tls-ended': 1 } } });
  expect(text).toMatch(/^In the last 50 s, 1 connection from 10\.0\.0\.7 left after STARTTLS/);
});

test('what strangers chose is made harmless and cut', () => {
  const text = why({ attempts: [{ ...REFUSED, to: `\u001b[31m\u202e${'x'.repeat(5_000)}` }] });
  for (const character of ['\u001b', '\u202e']) expect(text).not.toContain(character);
  expect(text.length).toBeLessThan(1_000);
});

describe('what is asked', () => {
  test("counts from before the wait, by the service's clock", async () => {
    const asked: string[] = [];
    const old = { ...REFUSED, at: '2026-01-31T09:29:09.999Z' };
    const api = {
      attempts: async () => ({
        node: 'n',
        now: NOW,
        smtp: SMTP,
        attempts: [old],
        waits: [],
        elsewhere: [{ to: 'a@b.test', at: old.at }],
        newSpace: false,
      }),
      sessions: async (after: string) => {
        asked.push(after);
        return { node: 'n', now: NOW, smtp: SMTP, attempts: [], counts: {} };
      },
    };
    const text = await askWhy(api, { isEmpty: true, timeoutMs: 20_000 }, new AbortController().signal);
    expect(asked).toEqual(['2026-01-31T09:29:10.000Z']);
    expect(text).toContain('no client connected');
    expect(await askWhy(api, { isEmpty: false, timeoutMs: 20_000 }, new AbortController().signal)).toBe('');
    expect(asked).toHaveLength(1);
  });
});
