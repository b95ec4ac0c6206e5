import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { InFlight, type InFlightBounds, type MessageBytes } from '../../src/fairness/client-memory.js';
import { RawClient } from './client.js';
import { type Outcome, startTestSmtp, type TestSmtp } from './start.js';

const KIB = 1024;
const BOUNDS: InFlightBounds = { maxBytes: 1024 * KIB, maxMessageBytes: 100 * KIB, maxMessages: 100 };

describe('the room for messages', () => {
  test('always takes a small message, whatever the others are and whoever sends them', () => {
    const sizes = fc.array(
      fc.record({
        client: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
        pieces: fc.array(fc.integer({ min: 1, max: 60 * KIB }), { maxLength: 4 }),
      }),
      { maxLength: BOUNDS.maxMessages - 1 },
    );
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 10 }), (messages, pieces) => {
        const inFlight = new InFlight(BOUNDS);
        for (const message of messages) {
          const held = inFlight.open(message.client);
          for (const piece of message.pieces) held.take(piece);
        }
        const small = inFlight.open('a');
        for (let n = 0; n < pieces; n += 1) expect(small.take(Math.floor(inFlight.smallBytes / pieces))).toBeNull();
        expect(inFlight.bytes).toBeLessThanOrEqual(BOUNDS.maxBytes);
      }),
    );
  });

  test('gives one client a quarter of all for large messages, however many', () => {
    const inFlight = new InFlight(BOUNDS);
    const answers = Array.from({ length: 6 }, () => inFlight.open('greedy').take(50 * KIB));
    expect(answers).toEqual([null, null, null, null, null, 'client-full']);
    // Each counts with all of its bytes, to the last one.
    const [last, tooMuch] = [inFlight.open('greedy'), inFlight.open('greedy')];
    expect([last.take(6 * KIB), tooMuch.take(inFlight.smallBytes + 1)]).toEqual([null, 'client-full']);
    expect(inFlight.open('other').take(100 * KIB)).toBeNull();
  });

  test('keeps a quarter for small messages where many clients send large ones', () => {
    const inFlight = new InFlight(BOUNDS);
    const answers = ['a', 'b', 'c', 'd'].flatMap((client) =>
      Array.from({ length: 2 }, () => inFlight.open(client).take(100 * KIB)),
    );
    expect(answers.filter((answer) => answer === null)).toHaveLength(7);
    expect(answers.at(-1)).toBe('all-taken');
    for (let n = 0; n < 50; n += 1) expect(inFlight.open('a').take(inFlight.smallBytes)).toBeNull();
  });

  test('is as before once everything is released', () => {
    const change = fc.record({ client: fc.constantFrom('a', 'b'), bytes: fc.integer({ min: 0, max: 200 * KIB }) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const inFlight = new InFlight(BOUNDS);
        const all: MessageBytes[] = changes.map(({ client, bytes }) => {
          const held = inFlight.open(client);
          held.take(Math.floor(bytes / 2));
          held.take(Math.ceil(bytes / 2));
          return held;
        });
        for (const held of all) held.release();
        for (const held of all) held.release();
        expect(inFlight.bytes).toBe(0);
        expect(['a', 'b', 'c'].map((client) => inFlight.open(client).take(256 * KIB))).toEqual([null, null, null]);
      }),
    );
  });

  test.each([
    {
      what: 'the defaults',
      maxBytes: 256 * 1024 * KIB,
      maxMessageBytes: 10 * 1024 * KIB,
      maxMessages: 1_000,
      small: 64 * KIB,
    },
    {
      what: 'many connections',
      maxBytes: 256 * 1024 * KIB,
      maxMessageBytes: 10 * 1024 * KIB,
      maxMessages: 20_000,
      small: 3_355,
    },
    { what: 'room for one message', maxBytes: 1_000, maxMessageBytes: 1_000, maxMessages: 10, small: 0 },
    { what: 'room for little more', maxBytes: 1_000, maxMessageBytes: 900, maxMessages: 10, small: 10 },
  ])('with $what takes the largest message when it is empty', ({ small, ...bounds }) => {
    const inFlight = new InFlight(bounds);
    expect(inFlight.smallBytes).toBe(small);
    expect(inFlight.open('a').take(bounds.maxMessageBytes)).toBeNull();
  });
});

describe('on the wire', () => {
  let smtp: TestSmtp;
  const clients: RawClient[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await smtp.stop(0);
  });

  async function greeted(address: string): Promise<RawClient> {
    const client = await RawClient.greeted(smtp.port, address);
    clients.push(client);
    return client;
  }

  test('fifty mails of one address that never end keep out no mail of others', async () => {
    smtp = await startTestSmtp({ maxInFlightBytes: 1024 * KIB, maxMessageBytes: 100 * KIB });
    for (let n = 0; n < 50; n += 1) {
      const attacker = await greeted('127.0.0.66');
      await attacker.begin();
      await attacker.send('x'.repeat(90 * KIB));
    }
    for (const [address, bytes] of [
      ['127.0.0.2', 100],
      ['127.0.0.3', 90 * KIB],
      ['127.0.0.4', 90 * KIB],
    ] as const) {
      const other = await greeted(address);
      await other.begin();
      expect(await other.ask(`${'y'.repeat(bytes)}\r\n.`)).toMatch(/^250 /);
    }
  });

  test('an address that has its part is told so, and its small mail is taken', async () => {
    smtp = await startTestSmtp({ maxInFlightBytes: 400 * KIB, maxMessageBytes: 100 * KIB, maxConnections: 100 });
    const holding = await greeted('127.0.0.2');
    await holding.begin();
    await holding.send('x'.repeat(90 * KIB));
    const next = await greeted('127.0.0.2');
    await next.begin();
    expect(await next.ask(`${'y'.repeat(20 * KIB)}\r\n.`)).toBe(
      '452 4.3.1 Too much mail is being received from your address (--max-in-flight): try again in a moment',
    );
    expect(await next.mail('small')).toMatch(/^250 /);
  });

  test('who closes before the answer keeps its place among the connections until the mail is stored', async () => {
    smtp = await startTestSmtp({ maxConnectionsPerClient: 1 });
    let stored: (outcome: Outcome) => void = () => {};
    smtp.inbox.outcome = () =>
      new Promise((resolve) => {
        stored = resolve;
      });
    const gone = await greeted('127.0.0.2');
    await gone.begin();
    await gone.send('whole\r\n.\r\n');
    gone.reset();
    // By then the server has seen the reset: it is answered in the order in which things happen.
    const other = await greeted('127.0.0.3');
    await other.ask('NOOP');
    const early = await RawClient.open(smtp.port, '127.0.0.2');
    clients.push(early);
    expect(await early.line()).toBe('421 4.7.0 Too many connections from your address (--smtp-connections)');
    stored('stored');
    await expect.poll(() => smtp.inbox.mails.length).toBe(1);
    const next = await greeted('127.0.0.2');
    expect(await next.ask('NOOP')).toMatch(/^250 /);
  });
});
