import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Inbox, Mayfly, MayflyTimeoutError } from '../src/index.js';
import { type Shape, startProxy, type TestProxy } from './proxy.js';
import { freshName, startService, type TestService } from './service.js';

/** Total number of waits; `npm run test:waits` sets 10,000. */
const WAITS = Number(process.env.WAITS ?? 400);

/** Number of tests that wait concurrently, each in its own inbox. */
const TESTERS = 100;

/** Speeds up the server's clock, so streams end after 0.3 s instead of 30 s. */
const SPEED = 100;
const STREAM_MS = 300;

/** Share of connections that are cut, and the maximum bytes before a cut; a response with one email has about 900. */
const CUT_SHARE = 0.4;
const MAX_BYTES = 1_500;

/** Longer than any wait, so a wait for a lost email lasts until the test times out. */
const LOST_MS = 86_400_000;

let service: TestService;
let proxy: TestProxy;

beforeAll(async () => {
  service = await startService({ speed: SPEED });
  proxy = await startProxy(service.port, randomShape);
});

afterAll(async () => {
  await proxy.stop();
  await service.stop();
});

function randomShape(): Shape {
  return Math.random() < CUT_SHARE ? { cutAfterBytes: randomBelow(MAX_BYTES) } : {};
}

function randomBelow(end: number): number {
  return Math.floor(Math.random() * end);
}

async function after(delayMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, delayMs));
}

/** One test that waits for its numbered emails one after the other. `#after` is the time of the last found email. */
class Tester {
  readonly inbox: Inbox = new Mayfly({ baseUrl: proxy.url, timeout: LOST_MS, connectTimeout: LOST_MS }).inbox(
    freshName(),
  );
  waits = 0;
  timeouts = 0;
  #sent = 0;
  #after = new Date(0);

  /** Delivers the next email and some other mail at a random time around the next wait. */
  async deliver(withinMs: number): Promise<void> {
    await after(randomBelow(withinMs));
    if (Math.random() < 0.3) await service.mail(this.inbox.name, { subject: 'noise' });
    this.#sent += 1;
    await service.mail(this.inbox.name, { subject: `mail ${this.#sent}` });
    if (Math.random() < 0.3) await service.mail(this.inbox.name, { subject: 'noise' });
  }

  /** Waits for this many emails. They must be the next numbered emails, each of them once. */
  async expectNext(count: number, filter: object): Promise<void> {
    const expected = Array.from({ length: count }, (_, n) => `mail ${this.#sent + count - n}`);
    const delivered = expected.map(() => this.deliver(1.3 * STREAM_MS));
    const options = { ...filter, after: this.#after };
    const waited = after(randomBelow(STREAM_MS)).then(() =>
      this.#wait(async () =>
        count === 1
          ? [await this.inbox.waitForEmail(options)]
          : await this.inbox.waitForEmails({ ...options, count, settle: 0 }),
      ),
    );
    const [emails] = await Promise.all([waited, ...delivered]);
    expect(emails.map(({ subject }) => subject)).toEqual(expected);
    this.#after = emails[0]?.receivedAt as Date;
  }

  /** Waits with a timeout that ends about when the email arrives. After a timeout, the next wait must find it. */
  async expectAround(filter: object): Promise<void> {
    const delivered = this.deliver(60);
    // Prevents an unhandled rejection if the wait fails before `await delivered` below.
    delivered.catch(() => {});
    for (let timeout = 1 + randomBelow(60); ; timeout = LOST_MS) {
      const options = { ...filter, after: this.#after, timeout };
      const email = await this.#wait(() => this.inbox.waitForEmail(options).catch((error) => error));
      if (email instanceof MayflyTimeoutError && timeout < LOST_MS) {
        this.timeouts += 1;
        continue;
      }
      await delivered;
      if (email instanceof Error) throw email;
      expect(email.subject).toBe(`mail ${this.#sent}`);
      this.#after = email.receivedAt;
      return;
    }
  }

  async #wait<T>(wait: () => Promise<T>): Promise<T> {
    const result = await wait();
    this.waits += 1;
    return result;
  }
}

/** The server can apply the text, but only the client can apply the pattern. */
const FILTERS = [{ subject: 'mail' }, { subject: /^mail/ }];

test(`${WAITS} waits around random deliveries lose no email, and return none twice or too early`, {
  // Takes seconds on an idle machine; the timeout also ends a wait for a lost email.
  timeout: 1_200_000 + WAITS * 60,
}, async () => {
  let left = WAITS;
  const testers = Array.from({ length: TESTERS }, () => new Tester());
  const running = testers.map(async (tester) => {
    while (left > 0) {
      const filter = FILTERS[randomBelow(FILTERS.length)] as object;
      const before = tester.waits;
      if (Math.random() < 0.4) await tester.expectAround(filter);
      else await tester.expectNext(Math.random() < 0.2 ? 3 : 1, filter);
      left -= tester.waits - before;
    }
  });
  await Promise.all(running);
  const sum = (count: (tester: Tester) => number) => testers.reduce((total, tester) => total + count(tester), 0);
  expect(sum(({ waits }) => waits)).toBeGreaterThanOrEqual(WAITS);
  // Too few timeouts and cuts would mean that the race was not tested.
  expect(sum(({ timeouts }) => timeouts)).toBeGreaterThan(WAITS / 50);
  expect(proxy.cuts()).toBeGreaterThan(WAITS / 10);
});
