/** Tests how a timeout is explained from the delivery log, one case per cause. */
import { describe, expect, test } from 'vitest';
import type { Attempt } from '../../protocol/src/wire-attempts.js';
import { askWhy, ofClocks, type Seen, whyNoMail } from '../src/wait/no-mail.js';

const NOW = '2026-01-31T09:30:00.000Z';

const SMTP = { port: 2525, domains: ['inbox.example.com'], startTls: false, authWithoutTls: true };

const SESSION: Attempt = {
  ...{ at: NOW, way: 'smtp', client: '10.0.0.7', tls: 'no', auth: 'no', lastCommand: null },
  ...{ from: null, to: null, outcome: 'no-command', error: null, receivedAt: null, reply: null },
  stages: { connect: null, rcpt: null, data: null, content: null, kept: null, handedOut: null },
  handed: [],
};

const REFUSED: Attempt = {
  ...SESSION,
  to: 'a@example.com',
  outcome: 'foreign-domain',
  error: { code: 550, enhanced: '5.7.1', text: 'This service only accepts mail for inbox.example.com' },
};

const TIME = { now: NOW, waitedMs: 20_000, beforeMs: 30_000 };

function why(seen: Partial<Seen>): string {
  const sessions = { attempts: [], counts: {} };
  const none = { attempts: [], elsewhere: [], newSpace: false };
  return whyNoMail({ ...TIME, smtp: SMTP, ...none, sessions, isEmpty: true, ...seen });
}

/** The explanation for sessions with this outcome. */
function ofSessions(outcome: string, smtp = SMTP): string {
  const attempts = [{ ...SESSION, outcome }];
  return why({ smtp, sessions: { attempts, counts: { [outcome]: 1 } } });
}

describe('the explanation of delivery attempts that named the inbox', () => {
  test('includes the number of rejected attempts, the SMTP reply and the fix', () => {
    expect(why({ attempts: [REFUSED] })).toBe(
      '1 attempt to send to a@example.com was refused: 550 5.7.1 This service only accepts mail for inbox.example.com. ' +
        'Or use an address in a domain of Mayfly (domain, MAYFLY_DOMAIN).',
    );
    expect(why({ attempts: [REFUSED, REFUSED] })).toMatch(/^2 attempts to send to a@example\.com were refused: 550/);
  });

  test('says that a message was stored but is hidden', () => {
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
  ])('includes the fix for the outcome %s', (outcome, said) => {
    expect(why({ attempts: [{ ...REFUSED, outcome, error: { code: 452, enhanced: null, text: 'No' } }] })).toMatch(
      said,
    );
  });

  test.each<[outcome: string, said: RegExp]>([
    ['mail-lost', /broke off in the middle of the message\. Did the application crash\?/],
    ['no-data', /ended before the message was sent/],
    ['new-outcome', /came to nothing: new-outcome\./],
  ])('explains the outcome %s', (outcome, said) => {
    expect(why({ attempts: [{ ...REFUSED, outcome, error: null }] })).toMatch(said);
  });
});

describe('the explanation of sessions without a recipient', () => {
  test.each<[outcome: string, said: RegExp]>([
    ['open', /stayed open without sending a message; the newest began 0 s ago, and its last command was none/],
    ['tls-ended', /left after STARTTLS: the client does not trust the certificate.*nodemailer: ignoreTLS: true/],
    ['no-start-tls', /requires? STARTTLS|required STARTTLS, which is not offered.*requireTLS: false.*--tls-cert/],
    ['no-mail', /left after EHLO.*STARTTLS, which is not offered.*password.*Go: unencrypted connection.*no user/],
    ['tls-first', /credentials without TLS.*STARTTLS.*--trust-proxy/],
    ['not-smtps', /nodemailer: secure: false/],
    ['tls-only', /plain SMTP to the port for TLS.*Use port \d+.*secure: true/],
    ['http-port', /Set the SMTP port of the application to 2525/],
    ['no-command', /ended without a command/],
    ['message-too-large', /--max-message/],
    ['too-many-mails', /--smtp-limit/],
    ['new-outcome', /ended: new-outcome/],
  ])('names the cause if the outcome is %s', (outcome, said) => {
    const text = ofSessions(outcome);
    if (outcome !== 'http-port') expect(text).toMatch(/^In the last 50 s, no client named this address on the SMTP/);
    expect(text).toMatch(
      / (?:Since this wait began, 1 connection from 10\.0\.0\.7|In the last 50 s, 1 connection) |^Since/,
    );
    expect(text).toMatch(said);
    expect(text).toMatch(/so it may be another test's\.$/);
    expect(text).not.toContain('no client connected');
  });

  test('calls a session with only EHLO and QUIT a test of the connection', () => {
    const attempts = [{ ...SESSION, outcome: 'no-mail', lastCommand: 'QUIT' }];
    expect(why({ sessions: { attempts, counts: { 'no-mail': 1 } } })).toMatch(/said EHLO and QUIT: a test of the conn/);
  });

  test('omits sessions without mail if other sessions sent mail, but keeps sessions refused by a limit', () => {
    const attempts = ['not-smtps', 'no-mail', 'too-many-connections'].map((outcome) => ({ ...SESSION, outcome }));
    const counts = { 'not-smtps': 1, 'no-mail': 1, 'too-many-connections': 1_000, kept: 3 };
    const text = why({ sessions: { attempts, counts } });
    expect(text).toMatch(/In the last 50 s, 1000 connections met a limit \(421\)/);
    expect(text).not.toMatch(/TLS|EHLO/);
    expect(why({ sessions: { attempts, counts }, ownKept: 3 })).toMatch(/started with TLS/);
  });

  test('includes a request to a send API and its response', () => {
    const error = { code: 415, enhanced: null, text: 'The Content-Type must be application/json' };
    const attempts = [{ ...SESSION, way: 'resend', outcome: 'media-type', error }];
    expect(why({ sessions: { attempts, counts: { 'media-type': 1 } } })).toContain(
      ' Since this wait began, 1 request from 10.0.0.7 to the send API (resend) named no recipient and was refused: 415 The Content-Type must be application/json. ',
    );
    expect(why({ sessions: { attempts: null, counts: { 'media-type': 1 } } })).toContain(
      'a wrong Content-Type to a send API (415)',
    );
  });

  test('says that no client connected if there are no sessions', () => {
    expect(why({})).toMatch(/^In the last 50 s, no client connected to the SMTP port 2525: set/);
    expect(why({ sessions: { attempts: null, counts: {} } })).toContain(
      "2525 from this test's address (Mayfly's log lists clients at other addresses, such as a container's): set",
    );
  });

  test('says that other inboxes received mail, without their names', () => {
    const sessions = { attempts: [], counts: { kept: 3 } };
    expect(why({ sessions })).toMatch(
      /^In the last 50 s, no client named this address on the SMTP port 2525\. The application sent nothing, /,
    );
  });

  test('reports mail sent into an ad-hoc workspace, without credentials, or with rejected credentials', () => {
    const signedIn = why({ acrossSpaces: 2, sessions: { attempts: [], counts: { 'in-spaces': 3 } } });
    expect(signedIn).toMatch(
      /^In the last 50 s, 2 attempts to send mail to this address came into ad-hoc workspaces: .* MAYFLY_CREDENTIALS/,
    );
    const notSignedIn = why({ acrossSpaces: 1, sessions: { attempts: [], counts: { 'outside-spaces': 1 } } });
    expect(notSignedIn).toMatch(
      /^In the last 50 s, 1 attempt to send mail to this address came without credentials: .*AUTH/,
    );
    expect(why({ sessions: { attempts: [], counts: { 'in-spaces': 3 } } })).not.toContain('into spaces');
    const refused = { attempts: [], counts: { 'refused-sign-ins': 1 } };
    expect(why({ sessions: refused })).toMatch(
      /^In the last 50 s, 1 attempt to send mail came with AUTH that was refused/,
    );
    expect(why({ sessions: refused, newSpace: true })).toMatch(
      /^This service remembers no mail in this ad-hoc workspace.* AUTH that was refused/,
    );
    for (const text of [signedIn, notSignedIn]) expect(text).not.toContain('no client connected');
  });

  test('lists at most four outcomes of sessions, the most frequent first', () => {
    const outcomes = ['a', 'b', 'b', 'c', 'd', 'e'];
    const attempts = outcomes.map((outcome) => ({ ...SESSION, outcome }));
    const text = why({ sessions: { attempts, counts: { a: 1 } } });
    expect(text).toMatch(/ Since this wait began, 2 connections from 10\.0\.0\.7 ended: b/);
    expect(text.match(/ended: /g)).toHaveLength(4);
  });
});

test('the explanation of missing mail escapes and truncates addresses that a client sent', () => {
  const text = why({ attempts: [{ ...REFUSED, to: `\u001b[31m\u202e${'x'.repeat(5_000)}` }] });
  for (const character of ['\u001b', '\u202e']) expect(text).not.toContain(character);
  expect(text.length).toBeLessThan(1_000);
});

describe('the explanation of a missing text message', () => {
  const address = '+12015550142@inbox.example.com';

  test('names the SMS provider and not SMTP, even if a client only said EHLO there', () => {
    const attempts = [{ ...SESSION, outcome: 'no-mail' }];
    const said = why({ address, sessions: { attempts, counts: { 'no-mail': 1 } } });
    expect(said).toMatch(/no text message to this number reached Mayfly\. .*SMS provider.*country code/);
    expect(said).not.toMatch(/SMTP|EHLO/);
  });

  test('includes the refusal of a request for another number', () => {
    const error = { code: 400, enhanced: null, text: 'The field To has no phone number with a country code' };
    const attempts = [{ ...SESSION, way: 'twilio', outcome: 'recipient', error }];
    const said = why({ address, sessions: { attempts, counts: { recipient: 1 } } });
    expect(said).toMatch(/1 request from 10\.0\.0\.7 .*twilio.* refused: 400 The field To has no phone number/);
  });
});

describe('the request for delivery attempts', () => {
  test("covers the wait and a short time before it, by the service's clock", async () => {
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
        acrossSpaces: 0,
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

  test('leads to a warning if the clocks of client and service differ, or if `after` is in the future', () => {
    const after = new Date(NOW);
    const at = Date.parse(NOW);
    expect(ofClocks(NOW, { after, askedAt: at + 3_600_000, answeredAt: at + 3_600_000 })).toBe(
      "The clock of this machine is 3600 s ahead of the service's: set `after` to what mark() returns, or to the time of an email.",
    );
    expect(ofClocks(NOW, { after, askedAt: at - 1_700, answeredAt: at - 1_500 })).toMatch(
      /is 1\.6 s behind the service's/,
    );
    // The response took so long that the clocks may agree.
    expect(ofClocks(NOW, { after, askedAt: at - 200, answeredAt: at + 5_000 })).toBe('');
    const future = new Date(at + 2_500);
    expect(ofClocks(NOW, { after: future, askedAt: at, answeredAt: at })).toMatch(
      /^`after` is 2\.5 s in the future: set/,
    );
  });
});
