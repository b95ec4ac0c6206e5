import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { MessageBytes } from '../../src/fairness/client-memory.js';
import { memoryOf } from '../../src/fairness/client-memory.js';
import { createHttpServer } from '../../src/http/connection/http-server.js';
import { Peers } from '../../src/http/connection/peers.js';
import { ManualClock } from '../manual-clock.js';
import { RawClient } from '../smtp/client.js';
import { startTestSmtp } from '../smtp/start.js';

const MIB = 1024 * 1024;

describe('the account', () => {
  const BOUNDS = { maxBytes: 256, maxMessageBytes: 10, maxMessages: 64 };
  const HELD = { total: 96, perClient: 32 };

  const client = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const step = fc.record({ kind: fc.constantFrom('mail', 'answer', 'end'), client, amount: fc.nat(40) });

  /** What clients do to both sides. */
  class Clients {
    readonly memory = memoryOf(BOUNDS, new ManualClock(), 256, HELD);
    readonly #mails: MessageBytes[] = [];
    readonly #ends: (() => void)[] = [];
    cuts = 0;

    constructor() {
      this.memory.held.watch({ cut: () => (this.cuts += 1) });
    }

    /** Sends a mail of so many bytes that does not end, where one more may come; tells whether it is taken. */
    mail(client: string, bytes: number): boolean {
      if (this.#mails.length === BOUNDS.maxMessages) return false;
      const mail = this.memory.inFlight.open(client);
      this.#mails.push(mail);
      this.#ends.push(() => mail.release());
      return mail.take(bytes) === null;
    }

    /** Leaves so many bytes unread; tells whether something was cut for it. */
    hold(client: string, bytes: number): boolean {
      const key = {};
      const before = this.cuts;
      this.memory.held.set(key, { client, bytes, cut() {} });
      this.#ends.push(() => this.memory.held.set(key, { client, bytes: 0, cut() {} }));
      return this.cuts > before;
    }

    end(which: number): void {
      this.#ends[which]?.();
    }

    endAll(): void {
      for (const end of this.#ends) end();
    }

    /** Sends large mails until none is taken; tells how many bytes are in flight. */
    fill(): number {
      while (['a', 'b', 'c', 'd'].some((client) => this.mail(client, BOUNDS.maxMessageBytes)));
      return this.memory.inFlight.bytes;
    }
  }

  test('never has more than the total on both sides together, and always takes a small mail', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const clients = new Clients();
        const { inFlight, held } = clients.memory;
        for (const { kind, client, amount } of steps) {
          if (kind === 'mail') clients.mail(client, Math.min(amount, BOUNDS.maxMessageBytes));
          else if (kind === 'answer') clients.hold(client, amount);
          else clients.end(amount);
          expect(inFlight.bytes + held.bytes).toBeLessThanOrEqual(256);
          expect(held.bytes).toBeLessThanOrEqual(HELD.total);
        }
        const small = inFlight.open('a');
        expect(small.take(inFlight.smallBytes)).toBeNull();
        small.release();
        clients.endAll();
        expect([inFlight.bytes, held.bytes]).toEqual([0, 0]);
      }),
    );
  });

  test('lets HTTP keep what one client may have, and mail all but what HTTP may have', () => {
    const mailFirst = new Clients();
    // A quarter is kept for small mail.
    expect(mailFirst.fill()).toBe(256 - 64 - 32);
    expect([mailFirst.hold('x', 16), mailFirst.hold('y', 16), mailFirst.hold('x', 1)]).toEqual([false, false, true]);
    const answersFirst = new Clients();
    for (const client of ['x', 'y', 'z']) expect(answersFirst.hold(client, 32)).toBe(false);
    expect(answersFirst.fill()).toBe(90);
    expect(answersFirst.hold('x', 1)).toBe(true);
  });

  test.each([
    { what: 'half of it', maxBytes: 128 * MIB, messages: 9 },
    { what: 'no more than a message', maxBytes: 10 * MIB, messages: 1 },
  ])('of an operator who allows mail $what takes nothing from mail, nor from HTTP', ({ maxBytes, messages }) => {
    const bounds = { maxBytes, maxMessageBytes: 10 * MIB, maxMessages: 1_000 };
    const { inFlight, held } = memoryOf(bounds, new ManualClock());
    let cuts = 0;
    held.watch({ cut: () => (cuts += 1) });
    for (const client of ['x', 'y', 'z']) held.set({}, { client, bytes: 32 * MIB, cut() {} });
    for (let n = 0; n < messages; n += 1) expect(inFlight.open(`client ${n % 3}`).take(10 * MIB)).toBeNull();
    expect([cuts, held.bytes]).toEqual([0, 96 * MIB]);
  });
});

describe('on the wire', () => {
  /** More than a quarter of the room, so more than what is HTTP's alone. */
  const ANSWER = Buffer.alloc(16 * MIB, 'x');
  const MAIL = 'y'.repeat(3 * MIB);
  const open: (() => unknown)[] = [];

  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
  });

  /** SMTP and HTTP of one account: 30 MiB beside what is kept for small mail, of which HTTP may have 24 and always has 8. */
  async function start() {
    const bounds = { maxBytes: 40 * MIB, maxMessageBytes: 4 * MIB, maxMessages: 100 };
    const memory = memoryOf(bounds, new ManualClock(), bounds.maxBytes, { total: 24 * MIB, perClient: 8 * MIB });
    const smtp = await startTestSmtp({ inFlight: memory.inFlight, maxMessageBytes: bounds.maxMessageBytes });
    open.push(() => smtp.stop(0));
    const limits = {
      ...{ headerTimeoutMs: 60_000, requestTimeoutMs: 60_000, maxBodyBytes: 1_000 },
      ...{ maxConnections: 100, maxConnectionsPerClient: 100 },
    };
    const parts = { limits, peers: new Peers([]), clock: new ManualClock(), held: memory.held };
    const http = createHttpServer({ ...parts, answer: (_, response: ServerResponse) => response.end(ANSWER) });
    http.listen(0, '127.0.0.1');
    open.push(() => http.close().closeAllConnections());
    await once(http, 'listening');
    const { port } = http.address() as AddressInfo;
    return {
      ...memory,
      /** Begins a mail that does not end. */
      async begin(address: string): Promise<RawClient> {
        const client = await RawClient.greeted(smtp.port, address);
        open.push(() => client.destroy());
        await client.begin();
        await client.send(MAIL);
        return client;
      },
      /** Asks for a large answer and reads none of it. */
      ask(): Socket {
        const client = connect(port, '127.0.0.1').on('error', () => {});
        open.push(() => client.destroy());
        client.pause().write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
        return client;
      },
    };
  }

  const addresses = Array.from({ length: 7 }, (_, n) => `127.0.0.${n + 2}`);

  test('answers that are not read leave less to mail, which is told so, until they are', async () => {
    const { inFlight, held, begin, ask } = await start();
    const reader = ask();
    await expect.poll(() => held.bytes).toBeGreaterThan(ANSWER.length);
    // Of the 14 MiB that are left, four mails of 3 MiB.
    for (const [before, address] of addresses.slice(0, 4).entries()) {
      await begin(address);
      await expect.poll(() => inFlight.bytes).toBe((before + 1) * MAIL.length);
    }
    const last = await begin('127.0.0.9');
    const refused = '452 4.3.1 Too much mail is being received (--max-in-flight): try again in a moment';
    expect(await last.ask('\r\n.')).toBe(refused);
    expect(inFlight.bytes + held.bytes).toBeLessThanOrEqual(30 * MIB);
    expect(await last.mail('small')).toMatch(/^250 /);
    reader.destroy();
    await expect.poll(() => held.bytes).toBe(0);
    await last.begin();
    expect(await last.ask(`${MAIL}\r\n.`)).toMatch(/^250 /);
  });

  test('mail in flight leaves less to answers that are not read, and the one that has most is cut', async () => {
    const { inFlight, held, begin, ask } = await start();
    await Promise.all(addresses.map(begin));
    await expect.poll(() => inFlight.bytes).toBe(addresses.length * MAIL.length);
    const reader = ask();
    await once(reader.resume(), 'close');
    expect(held.bytes).toBe(0);
    expect(reader.bytesRead).toBeLessThan(ANSWER.length);
    expect(inFlight.bytes).toBe(addresses.length * MAIL.length);
  });
});
