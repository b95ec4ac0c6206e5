import { afterEach, describe, expect, test } from 'vitest';
import { DataTime, type DataTimeLimits } from '../../src/smtp/engine/data-time.js';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp } from './start.js';

const SPEED = { bytes: 1_000, periodMs: 60 };
const LIMITS: DataTimeLimits = { dataTimeoutMs: 300, leastSpeed: SPEED };

/** What is said of a message of which so many bytes come before each check, and when. */
function judged(limits: DataTimeLimits, bytes: readonly number[]): string {
  const dataTime = new DataTime(limits);
  let atMs = 0;
  for (const came of bytes) {
    atMs += dataTime.nextCheckMs;
    dataTime.add(came);
    const tooLong = dataTime.check();
    if (tooLong !== null) return `${tooLong} at ${atMs}`;
  }
  return `fine at ${atMs}`;
}

describe('the time of a message', () => {
  test.each([
    { what: 'comes at the least speed', bytes: [1_000, 1_000, 1_000, 1_000], limits: LIMITS, is: 'fine at 240' },
    { what: 'begins slowly', bytes: [0, 1_000], limits: LIMITS, is: 'fine at 120' },
    { what: 'is a byte too slow', bytes: [5_000, 999], limits: LIMITS, is: 'slow at 120' },
    { what: 'was fast and becomes slow', bytes: [9_000, 9_000, 9_000, 10], limits: LIMITS, is: 'slow at 240' },
    {
      what: 'is fast and takes too long',
      bytes: [9_000, 9_000, 9_000, 9_000, 9_000],
      limits: LIMITS,
      is: 'late at 300',
    },
    { what: 'may come at any speed', bytes: [0], limits: { ...LIMITS, leastSpeed: null }, is: 'late at 300' },
    { what: 'has less than a period', bytes: [0], limits: { ...LIMITS, dataTimeoutMs: 50 }, is: 'late at 50' },
    {
      what: 'has no whole number of periods',
      bytes: [0, 1_000, 0],
      limits: { ...LIMITS, dataTimeoutMs: 130 },
      is: 'late at 130',
    },
  ])('that $what', ({ bytes, limits, is }) => {
    expect(judged(limits, bytes)).toBe(is);
  });
});

/** How often one client sends 500 bytes for each byte of the other. */
const SENDS_PER_TRICKLE = 100;

describe('on the wire', () => {
  let smtp: TestSmtp;

  afterEach(async () => await smtp.stop(0));

  test('a client that trickles is sent away, one that is slow within the limits is not', async () => {
    smtp = await startTestSmtp({ leastSpeed: { bytes: 500, periodMs: 150 }, dataTimeoutMs: 60_000 });
    const trickling = await RawClient.greeted(smtp.port);
    const slow = await RawClient.greeted(smtp.port);
    // The slow one is judged before the other each time: it is not sent away, and not only because the test is over.
    await slow.begin();
    await trickling.begin();
    // However fast this machine sends, the one is far below the least speed where the other keeps to it.
    for (let sent = 0; trickling.unread === ''; sent += 1) {
      await slow.send(`${'x'.repeat(498)}\r\n`);
      if (sent % SENDS_PER_TRICKLE === 0) await trickling.send('.');
    }
    expect(await trickling.line()).toBe('421 4.4.2 The message is arriving too slowly: closing the connection');
    expect(await trickling.line()).toBeNull();
    expect(await slow.ask('.')).toMatch(/^250 /);
    expect(smtp.inbox.mails).toHaveLength(1);
    slow.destroy();
  });

  test('a mail that waits for us is not judged any more', async () => {
    smtp = await startTestSmtp({ leastSpeed: { bytes: 500, periodMs: 50 } });
    let dismissal: string | null = null;
    smtp.inbox.outcome = async () => {
      // It begins later than the one that waits, so that it is judged later, too.
      const trickling = await RawClient.greeted(smtp.port);
      await trickling.begin();
      dismissal = await trickling.line();
      return 'stored';
    };
    const waiting = await RawClient.greeted(smtp.port);
    expect(await waiting.mail('hello')).toMatch(/^250 /);
    expect(dismissal).toMatch(/^421 4\.4\.2 /);
    waiting.destroy();
  });

  test.each([
    ['enough of a mail', `${'x'.repeat(498)}\r\n`],
    ['the end of a mail', 'hello\r\n.\r\n'],
  ])('what comes while the event loop is held up counts before it is judged: %s', async (_, bytes) => {
    const periodMs = 300;
    smtp = await startTestSmtp({ leastSpeed: { bytes: 500, periodMs } });
    const client = await RawClient.greeted(smtp.port);
    await client.begin();
    // The first period is free.
    holdUp(periodMs);
    await client.send('');
    client.flood(Buffer.from(bytes));
    holdUp(periodMs);
    await client.send('');
    if (!bytes.endsWith('.\r\n')) await client.send('.\r\n');
    expect(await client.line()).toMatch(/^250 /);
    expect(await client.ask('NOOP')).toMatch(/^250 /);
    client.destroy();
  });
});

/** Lets nothing else run for a little more than so long. */
function holdUp(ms: number): void {
  const end = performance.now() + ms + 5;
  while (performance.now() < end);
}
