import { beforeEach, describe, expect, test } from 'vitest';
import {
  AttemptBook,
  MAX_ATTEMPTS,
  MAX_BYTES,
  MAX_LISTED,
  MAX_RECIPIENTS,
  REMEMBERED_MS,
  toldBy,
} from '../../src/attempts/book.js';
import { countsOf, shownAttempts } from '../../src/attempts/shown-attempts.js';
import { smtpErrors } from '../../src/errors.js';
import { addressingOf } from '../addressing.js';
import { ManualClock } from '../manual-clock.js';

let clock: ManualClock;
let book: AttemptBook;

beforeEach(() => {
  clock = new ManualClock();
  book = new AttemptBook(clock, addressingOf());
});

/** Writes down an attempt of a client for some addresses, all of them accepted and kept. */
function note(client: string, ...addresses: readonly string[]): void {
  const attempt = book.begin({ way: 'smtp', client, from: 'app@app.test' });
  for (const address of addresses) attempt.recipient(address, null);
  attempt.kept(addresses.map(() => clock.now()));
  attempt.end();
}

const of = (inbox: string) => shownAttempts(book.ofInbox(inbox, 0), (client) => client);

const STREAM = { way: 'stream', client: '10.0.0.9' } as const;

describe('what an inbox is shown', () => {
  test('the newest first, and of each only its own recipients', () => {
    note('10.0.0.1', 'a@inbox.example.com', 'b@inbox.example.com');
    note('10.0.0.1', 'A@other.test');
    expect(of('a').map(({ to }) => to)).toEqual(['A@other.test', 'a@inbox.example.com']);
    expect(of('b').map(({ to }) => to)).toEqual(['b@inbox.example.com']);
    expect(of('c')).toEqual([]);
  });

  test('a mail to two addresses of it once for each', () => {
    note('10.0.0.1', 'a@inbox.example.com', 'a@other.test');
    expect(of('a').map(({ to }) => to)).toEqual(['a@inbox.example.com', 'a@other.test']);
  });

  test('only what began since a moment', async () => {
    note('10.0.0.1', 'a@inbox.example.com');
    await clock.advance(1000);
    note('10.0.0.1', 'a@inbox.example.com');
    expect(book.ofInbox('a', clock.now())).toHaveLength(1);
    expect(book.ofInbox('a', clock.now() + 1)).toHaveLength(0);
  });

  test('nothing that is older than what is remembered', async () => {
    note('10.0.0.1', 'a@inbox.example.com');
    await clock.advance(REMEMBERED_MS - 1);
    expect(of('a')).toHaveLength(1);
    await clock.advance(1);
    expect(of('a')).toHaveLength(0);
    expect([book.size, book.bytes]).toEqual([0, 0]);
  });

  test('when each email was first given to a client', async () => {
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

  test('who had an email before its attempt was written down, and that it was on disk by then', async () => {
    const attempt = book.begin({ way: 'smtp', client: '10.0.0.1', from: '' });
    attempt.recipient('a@inbox.example.com', null);
    const receivedAt = clock.now();
    await clock.advance(5);
    book.handedOut('a', [{ receivedAt }], STREAM);
    book.handedOut('a', [{ receivedAt: receivedAt - 60_000 }], STREAM);
    await clock.advance(5);
    attempt.kept([receivedAt]);
    attempt.end();
    expect(of('a')).toMatchObject([{ stages: { kept: 5, handedOut: 5 }, handed: [{ ...STREAM, ms: 5 }] }]);
  });

  test('an email that was held by its new time once it is released', () => {
    note('10.0.0.1', 'a--hold@inbox.example.com');
    book.released('a--hold', clock.now(), clock.now() + 7);
    book.handedOut('a--hold', [{ receivedAt: clock.now() + 7 }], STREAM);
    const receivedAt = new Date(clock.now() + 7).toISOString();
    expect(of('a--hold')).toMatchObject([{ receivedAt, handed: [{ way: 'stream' }] }]);
  });
});

describe('attempts on the other side of a space', () => {
  const across = (address: string, client: string | null, space: string | null) =>
    book.acrossSpaces(address, { after: 0, client, space });

  test('are counted for the address that they name, by the client that is asked for', () => {
    note('10.0.0.1', 'a@inbox.example.com', 'b@inbox.example.com');
    const attempt = book.begin({ way: 'smtp', client: '10.0.0.2', from: '', space: 'pair' });
    attempt.recipient('a@inbox.example.com', null);
    attempt.end();
    expect(across('a@inbox.example.com', null, null)).toBe(1);
    expect(across('a@inbox.example.com', '10.0.0.1', null)).toBe(0);
    expect(across('b@inbox.example.com', null, null)).toBe(0);
    expect(across('b@inbox.example.com', '10.0.0.1', 'pair')).toBe(1);
    expect(across('c@inbox.example.com', null, 'pair')).toBe(0);
  });
});

describe('outcomes', () => {
  test("a recipient's own refusal goes before that of the whole, which goes before how it ended", () => {
    const attempt = book.begin({ way: 'smtp', client: '10.0.0.1', from: '' });
    attempt.recipient('a@inbox.example.com', null);
    attempt.recipient('b@example.com', toldBy(smtpErrors.foreignDomain, { domains: 'inbox.example.com' }));
    attempt.refused(toldBy(smtpErrors.inboxFull));
    attempt.refused(toldBy(smtpErrors.internal));
    attempt.end();
    expect(of('a')).toMatchObject([
      { outcome: 'inbox-full', error: { code: 452, enhanced: '4.2.2' }, receivedAt: null },
    ]);
    expect(of('b')).toMatchObject([{ outcome: 'foreign-domain', error: { code: 550 } }]);
    expect(countsOf(book.since(0, null))).toEqual({ 'inbox-full': 1, 'foreign-domain': 1 });
  });

  test('emails belong to the recipients that were accepted', () => {
    const attempt = book.begin({ way: 'smtp', client: '10.0.0.1', from: '' });
    attempt.recipient('b@example.com', toldBy(smtpErrors.foreignDomain, { domains: 'inbox.example.com' }));
    attempt.recipient('a@inbox.example.com', null);
    attempt.kept([clock.now()]);
    attempt.end();
    expect(of('a')).toMatchObject([{ outcome: 'kept', receivedAt: new Date(clock.now()).toISOString() }]);
    expect(of('b')).toMatchObject([{ outcome: 'foreign-domain', receivedAt: null }]);
  });

  test('counts are those of one client, or of all', () => {
    note('10.0.0.1', 'a@inbox.example.com');
    note('10.0.0.2', 'a@inbox.example.com');
    expect(countsOf(book.since(0, '10.0.0.1'))).toEqual({ kept: 1 });
    expect(countsOf(book.since(0, '10.0.0.3'))).toEqual({});
    expect(countsOf(book.since(0, null))).toEqual({ kept: 2 });
  });
});

describe('bounds', () => {
  test('who had an email counts, and leaves with its attempt', async () => {
    note('10.0.0.1', 'a@inbox.example.com');
    const before = book.bytes;
    for (const way of ['stream', 'page', 'fetch', 'mcp', 'drop-in'] as const) {
      for (let n = 0; n < 10; n += 1)
        book.handedOut('a', [{ receivedAt: clock.now() }], { way, client: `10.0.1.${n}` });
    }
    expect(of('a')[0]?.handed).toHaveLength(5);
    expect(book.bytes).toBeGreaterThan(before);
    await clock.advance(REMEMBERED_MS);
    expect(of('a')).toEqual([]);
    expect([book.size, book.bytes]).toEqual([0, 0]);
  });

  test('reading all ways what one client sent makes that client forget, and no other', () => {
    note('10.0.0.1', 'a@inbox.example.com');
    for (let n = 0; n < MAX_ATTEMPTS - 1; n += 1) note('10.0.0.2', `x-${n}@inbox.example.com`);
    for (const way of ['stream', 'page', 'fetch', 'mcp', 'drop-in'] as const) {
      for (let n = 0; n < MAX_ATTEMPTS - 1; n += 1) {
        book.handedOut(`x-${n}`, [{ receivedAt: clock.now() }], { way, client: '10.0.0.3' });
      }
    }
    expect(book.bytes).toBeLessThanOrEqual(MAX_BYTES);
    expect(of('a')).toHaveLength(1);
  });

  test('the attempts of one client push out its own alone', () => {
    note('10.0.0.1', 'a@inbox.example.com');
    for (let n = 0; n < 3 * MAX_ATTEMPTS; n += 1) note('10.0.0.2', `x-${n}@inbox.example.com`);
    expect(of('a')).toHaveLength(1);
    expect(book.size).toBeLessThanOrEqual(MAX_ATTEMPTS);
    expect(book.bytes).toBeLessThanOrEqual(MAX_BYTES);
    expect(of('x-0')).toHaveLength(0);
    expect(of(`x-${3 * MAX_ATTEMPTS - 1}`)).toHaveLength(1);
  });

  test('those of many clients that hold little leave before those of one that holds no more', () => {
    note('10.0.0.1', 'a@inbox.example.com');
    for (let n = 0; n < 2 * MAX_ATTEMPTS; n += 1) note(`10.1.${n >> 8}.${n & 255}`, 'x@inbox.example.com');
    expect(book.size).toBeLessThanOrEqual(MAX_ATTEMPTS);
  });

  test('a mail to more recipients than are remembered tells the first of them', () => {
    const attempt = book.begin({ way: 'smtp', client: '10.0.0.1', from: 'app@app.test' });
    for (let n = 0; n < 100_000; n += 1) attempt.recipient(`r-${n}@inbox.example.com`, null);
    attempt.kept(Array.from({ length: 100_000 }, (_, n) => clock.now() + n));
    attempt.end();
    expect(of(`r-${MAX_RECIPIENTS - 1}`)).toMatchObject([{ outcome: 'kept' }]);
    expect(of(`r-${MAX_RECIPIENTS}`)).toEqual([]);
  });

  test('large attempts are bounded in bytes', () => {
    const local = 'x'.repeat(60);
    for (let n = 0; n < 400; n += 1) {
      note('10.0.0.2', ...Array.from({ length: MAX_RECIPIENTS }, (_, at) => `${local}${at}@${'d'.repeat(200)}.test`));
    }
    expect(book.bytes).toBeLessThanOrEqual(MAX_BYTES);
    expect(book.size).toBeGreaterThan(0);
  });

  test('an answer lists the newest', () => {
    for (let n = 0; n <= MAX_LISTED; n += 1) note(`10.0.0.${n}`, 'a@inbox.example.com');
    const clients = of('a').map(({ client }) => client);
    expect(clients).toHaveLength(MAX_LISTED);
    expect(clients[0]).toBe(`10.0.0.${MAX_LISTED}`);
  });

  test('what is forgotten leaves nothing behind', async () => {
    for (let n = 0; n < MAX_LISTED; n += 1) note(`10.0.0.${n}`, 'a@inbox.example.com', `x-${n}@inbox.example.com`);
    await clock.advance(REMEMBERED_MS);
    expect([of('a'), of('x-1'), book.size, book.bytes]).toEqual([[], [], 0, 0]);
    expect(book.since(0, '10.0.0.1')).toEqual([]);
  });
});
