import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';
import { type Inbox, Mayfly } from '../src/index.js';
import { freshName } from './service.js';

/** Number of tests that make the same calls at the same time; `npm run test:many` sets 2,000. */
const AT_ONCE = Number(process.env.AT_ONCE ?? 300);

/** Number of concurrent tests that each run a whole scenario. */
const WHOLE_TESTS = Number(process.env.WHOLE_TESTS ?? 60);

/** Number of tests that start one after the other; `npm run test:many` starts 5,000 in ten minutes. */
const PACED_TESTS = Number(process.env.PACED_TESTS ?? 60);
const PACED_MS = Number(process.env.PACED_MS ?? 3_000);

/** Timeout of a call, long enough for thousands of tests on a busy machine. No test here measures speed. */
const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 600_000);

vi.setConfig({ testTimeout: 2 * PATIENCE_MS });

/** Delay between the start of a wait and the sending of its email. */
const SENT_AFTER_MS = 300;

/** A whole test sends its mail after a random time of at most this length. */
const SENT_WITHIN_MS = 2_000;

let service: RunningMayfly;
let send: (inbox: Inbox, text: string) => Promise<unknown>;

beforeEach(async () => {
  // With hundreds of tests on a busy CPU, a pooled connection may be idle for longer than the default allows.
  service = await serve(['--store', 'memory:', '--smtp-idle', '1h']);
  const transport = transportTo(service, { pool: true, maxConnections: 10, maxMessages: Number.POSITIVE_INFINITY });
  send = ({ address }, text) => transport.sendMail({ from: 'app@app.test', to: address, subject: text, text });
  return () => transport.close();
});

afterEach(endAll);

/** A Mayfly client that records every 429 and 503. */
function honest(): { mayfly: Mayfly; refused: string[]; fetches: string[] } {
  const refused: string[] = [];
  const fetches: string[] = [];
  const mayfly = new Mayfly({
    baseUrl: service.url,
    timeout: PATIENCE_MS,
    connectTimeout: PATIENCE_MS,
    fetch: async (input, init) => {
      const { pathname } = new URL(String(input));
      if (/^\/api\/inbox\/[^/]+$/.test(pathname)) fetches.push(pathname);
      const response = await fetch(input, init);
      if (![429, 503].includes(response.status)) return response;
      refused.push(`${response.status} ${response.headers.get('mayfly-error')} ${pathname}`);
      return response;
    },
  });
  return { mayfly, refused, fetches };
}

/** Runs this many tests concurrently, and checks that no limit was reached. Resolves to their results. */
async function atOnce<T>(
  count: number,
  run: (inbox: Inbox, n: number) => Promise<T>,
  inboxOf = (mayfly: Mayfly) => mayfly.createInbox(),
): Promise<T[]> {
  const { mayfly, refused, fetches } = honest();
  const given = await Promise.all(Array.from({ length: count }, (_, n) => run(inboxOf(mayfly), n)));
  expect({ refused, fetches }).toEqual({ refused: [], fetches: [] });
  return given;
}

const code = (n: number) => String(100_000 + n);

async function waitForCode(inbox: Inbox, n: number): Promise<void> {
  const sent = pause(SENT_AFTER_MS).then(() => send(inbox, `Your code is ${code(n)}`));
  const [otp] = await Promise.all([inbox.waitForOtp(), sent]);
  expect(otp).toBe(code(n));
}

const WHOSE = [
  ['with generated inbox names', (mayfly: Mayfly) => mayfly.createInbox()],
  ['with inbox names that the tests choose', (mayfly: Mayfly) => mayfly.inbox(freshName())],
] as const;

test(`${AT_ONCE} waits, absence checks and marks run at the same time`, async () => {
  await atOnce(AT_ONCE, async (inbox, n) => {
    if (n % 3 === 0) await waitForCode(inbox, n);
    else if (n % 3 === 1) await inbox.expectNoEmail();
    else await inbox.mark();
  });
});

/** The three phases use one service, so its limits must allow the requests of all three together. */
describe.each(WHOSE)(`${AT_ONCE} concurrent tests from one IP address %s`, (_, inboxOf) => {
  test('reach no limit if all call expectNoEmail(), then mark(), then waitForOtp()', async () => {
    await atOnce(AT_ONCE, (inbox) => inbox.expectNoEmail(), inboxOf);
    await atOnce(AT_ONCE, (inbox) => inbox.mark(), inboxOf);
    await atOnce(AT_ONCE, waitForCode, inboxOf);
  });
});

/** Calls `mark`, sends an email, waits for it, expects no other. Resolves to the ms from sending to the wait's end. */
async function wholeTest(inbox: Inbox, n: number): Promise<number> {
  const after = await inbox.mark();
  const waited = inbox.waitForEmail({ after }).then((email) => [email, performance.now()] as const);
  const sent = pause(Math.random() * SENT_WITHIN_MS)
    .then(() => send(inbox, `mail ${n}`))
    .then(() => performance.now());
  const [[{ subject, receivedAt }, endedAt], sentAt] = await Promise.all([waited, sent]);
  expect(subject).toBe(`mail ${n}`);
  await inbox.expectNoEmail({ after: receivedAt });
  return Math.max(endedAt - sentAt, 0);
}

test(`${WHOLE_TESTS} concurrent tests reach no limit if each marks, sends, waits and expects no new mail`, async () => {
  const latest = Math.max(...(await atOnce(WHOLE_TESTS, wholeTest)));
  console.log(`${WHOLE_TESTS} tests: the latest wait ended ${latest.toFixed(0)} ms after its mail`);
});

test(`a suite of ${PACED_TESTS} tests in ${PACED_MS / 1_000} s reaches no limit`, {
  timeout: PACED_MS + 2 * PATIENCE_MS,
}, async () => {
  await atOnce(PACED_TESTS, async (inbox, n) => {
    await pause((n * PACED_MS) / PACED_TESTS);
    await wholeTest(inbox, n);
    const [email] = await inbox.emails();
    expect(await email?.links()).toEqual([]);
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
