import { beforeEach, describe, expect, test } from 'vitest';
import { AttemptBook, MAX_LISTED } from '../../src/attempts/book.js';
import { countsOf, shownAttempts } from '../../src/attempts/shown-attempts.js';
import { smtpErrors } from '../../src/errors.js';
import { refusal } from '../../src/smtp/replies.js';
import { addressingOf } from '../addressing.js';
import { ManualClock } from '../manual-clock.js';

let clock: ManualClock;
let book: AttemptBook;

beforeEach(() => {
  clock = new ManualClock();
  book = new AttemptBook(clock, addressingOf());
});

/** Records a delivery attempt: a message from this client, accepted and stored for each of these addresses. */
function note(client: string, ...addresses: readonly string[]): void {
  const attempt = book.begin({ way: 'smtp', client, from: 'app@app.test' });
  for (const address of addresses) attempt.recipient(address, null);
  attempt.kept(addresses.map(() => clock.now()));
  attempt.end();
}

const of = (inbox: string) => shownAttempts(book.ofInbox(inbox, { after: 0 }), (client) => client);

const STREAM = { way: 'stream', client: '10.0.0.9' } as const;

describe('the delivery log of an inbox', () => {
  test('lists delivery attempts newest first, and omits recipients in other inboxes', () => {
    note('10.0.0.1', 'a@inbox.example.com', 'b@inbox.example.com');
    note('10.0.0.1', 'A@other.test');
    expect(of('a').map(({ to }) => to)).toEqual(['A@other.test', 'a@inbox.example.com']);
    expect(of('b').map(({ to }) => to)).toEqual(['b@inbox.example.com']);
    expect(of('c')).toEqual([]);
  });

  test('records when a client first read each email', async () => {
    note('10.0.0.1', 'a@inbox.example.com');
    const receivedAt = clock.now();
    await clock.advance(40);
    book.handedOut('a', [{ receivedAt: receivedAt + 1 }], STREAM);
    expect(of('a')[0]?.stages.handedOut).toBe(null);
    book.handedOut('a', [{ receivedAt: receivedAt + 1 }, { receivedAt }], STREAM);
    await clock.advance(40);
    book.handedOut('a', [{ receivedAt }], { ...STREAM, client: '10.0.0.8' });
    book.handedOut('a', [{ receivedAt }], { way: 'fetch', client: '10.0.0.8' });
    expect(of('a')[0]?.stages.handedOut).toBe(40);
    expect(of('a')[0]?.handed).toEqual([
      { ...STREAM, ms: 40 },
      { way: 'fetch', client: '10.0.0.8', ms: 80 },
    ]);
  });
});

describe("delivery attempts in another workspace than the caller's", () => {
  const across = (address: string, client: string | null, adHoc: string | null) =>
    book.acrossAdHoc(address, { after: 0, client, adHoc });

  test('are counted by recipient address, and also by client if the caller specifies a client', () => {
    note('10.0.0.1', 'a@inbox.example.com', 'b@inbox.example.com');
    const attempt = book.begin({ way: 'smtp', client: '10.0.0.2', from: '', adHoc: 'pair' });
    attempt.recipient('a@inbox.example.com', null);
    attempt.end();
    expect(across('a@inbox.example.com', null, null)).toBe(1);
    expect(across('a@inbox.example.com', '10.0.0.1', null)).toBe(0);
    expect(across('b@inbox.example.com', null, null)).toBe(0);
    expect(across('b@inbox.example.com', '10.0.0.1', 'pair')).toBe(1);
    expect(across('c@inbox.example.com', null, 'pair')).toBe(0);
  });
});

describe('the outcome of a delivery attempt', () => {
  test('is the rejection of the recipient if there is one, and otherwise the first rejection of the message', () => {
    const attempt = book.begin({ way: 'smtp', client: '10.0.0.1', from: '' });
    attempt.recipient('a@inbox.example.com', null);
    attempt.recipient('b@example.com', refusal(smtpErrors.foreignDomain, { domains: 'inbox.example.com' }));
    attempt.refused(refusal(smtpErrors.inboxFull));
    attempt.refused(refusal(smtpErrors.internal));
    attempt.end();
    expect(of('a')).toMatchObject([
      { outcome: 'inbox-full', error: { code: 452, enhanced: '4.2.2' }, receivedAt: null },
    ]);
    expect(of('b')).toMatchObject([{ outcome: 'foreign-domain', error: { code: 550 } }]);
    expect(countsOf(book.since(0, null))).toEqual({ 'inbox-full': 1, 'foreign-domain': 1 });
  });

  test('is counted for one client if the caller names a client, and otherwise for all clients', () => {
    note('10.0.0.1', 'a@inbox.example.com');
    note('10.0.0.2', 'a@inbox.example.com');
    expect(countsOf(book.since(0, '10.0.0.1'))).toEqual({ kept: 1 });
    expect(countsOf(book.since(0, '10.0.0.3'))).toEqual({});
    expect(countsOf(book.since(0, null))).toEqual({ kept: 2 });
  });
});

describe('the bounded delivery log', () => {
  test('lists only the newest attempts', () => {
    for (let n = 0; n <= MAX_LISTED; n += 1) note(`10.0.0.${n}`, 'a@inbox.example.com');
    const clients = of('a').map(({ client }) => client);
    expect(clients).toHaveLength(MAX_LISTED);
    expect(clients[0]).toBe(`10.0.0.${MAX_LISTED}`);
  });
});
