import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import type { Clock } from '../../server/src/base/clock.js';
import { openLog } from '../../server/src/base/log.js';
import { Inboxes } from '../../server/src/inbox/inboxes.js';
import { openMemoryStore } from '../../server/src/store/memory.js';
import { addressingOf } from '../../server/test/addressing.js';
import { startApi, type TestApiOptions } from '../../server/test/http/api.js';
import { newThreads } from '../../server/test/inbox/threads/threads.js';

/** Mayfly's real HTTP interface on a real socket in this process, with a memory store and a method to deliver mail. */
export interface TestService {
  readonly url: string;
  readonly port: number;
  /** Delivers an email to an inbox; resolves when it can be read. */
  mail(inbox: string, email?: TestEmail): Promise<void>;
  /** Delivers a raw message with CRLF line ends; resolves when it can be read. */
  message(inbox: string, raw: string): Promise<void>;
  stop(): Promise<void>;
}

export interface TestEmail {
  readonly from?: string;
  readonly subject?: string;
  readonly text?: string;
}

export interface TestServiceOptions extends TestApiOptions {
  /** 0 chooses a free port. */
  readonly port?: number;
  /** How much faster than real time the server's clock runs; its streams end after 30 s of that clock. */
  readonly speed?: number;
}

const RETENTION_MS = 30 * 60 * 1000;
const MANY = 1_000_000;

/** The parser threads that all tests of a file share. */
const threads = newThreads();

/** The system's clock, except that its monotonic time and its timers run faster. */
function fastClock(speed: number): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now() * speed,
    after(delayMs, wake) {
      const timer = setTimeout(wake, delayMs / speed);
      return () => clearTimeout(timer);
    },
  };
}

export async function startService({ port = 0, speed = 1, ...options }: TestServiceOptions = {}): Promise<TestService> {
  const clock = fastClock(speed);
  const log = openLog('silent', 'json');
  const store = openMemoryStore({ retentionMs: RETENTION_MS, maxEmails: MANY, budgetBytes: 2 ** 30 });
  const inboxes = new Inboxes({ store, addressing: addressingOf(), zerodrop: false, threads, clock, log });
  const api = await startApi({ clock, inboxes, maxStreams: MANY, maxStreamsPerClient: MANY, ...options });
  await api.app.listen({ host: '127.0.0.1', port });
  const address = api.app.server.address() as AddressInfo;
  const deliver = async (inbox: string, raw: string) => {
    const appended = await inboxes.deliver({
      client: '127.0.0.1',
      raw: Buffer.from(raw),
      envelopeFrom: 'bounce@app.test',
      recipients: [{ inbox, to: `${inbox}@inbox.example.com` }],
      receivedAt: Date.now(),
    });
    if (!appended.stored) throw new Error(`not stored: ${appended.reason}`);
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    mail: (inbox, { from = 'app@app.test', subject = 'Hello', text = 'Hello' } = {}) =>
      deliver(inbox, `From: ${from}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`),
    message: deliver,
    async stop() {
      await api.close();
      await store.close();
    },
  };
}

/** An inbox name that no other test uses. */
export function freshName(): string {
  return `test-${randomBytes(8).toString('hex')}`;
}

/** A service for all tests of the file that calls this function. */
export async function serviceOfFile(options?: TestServiceOptions): Promise<TestService> {
  const service = await startService(options);
  afterAll(() => service.stop());
  return service;
}
