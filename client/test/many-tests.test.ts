import { afterEach, beforeEach, expect, test } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';
import { type Inbox, Mayfly } from '../src/index.js';
import { recordingFetch } from './recording-fetch.js';
import { freshName } from './service.js';

/** How many tests run at the same time on one machine; `npm run test:many` has 200. */
const TESTS = Number(process.env.TESTS ?? 60);

/** Within how long each of them sends its mail. */
const SENT_WITHIN_MS = 2_000;

/** How much later than its mail a wait may end. */
const MOST_LATE_MS = 1_000;

let service: RunningMayfly;
let send: (inbox: Inbox, subject: string) => Promise<unknown>;

/** A service of its own, with the limits that it has by default. */
beforeEach(async () => {
  service = await serve(['--store', 'memory:']);
  const transport = transportTo(service, { pool: true, maxConnections: 10, maxMessages: Number.POSITIVE_INFINITY });
  send = ({ address }, subject) => transport.sendMail({ from: 'app@app.test', to: address, subject, text: 'Hello' });
  return () => transport.close();
});

afterEach(endAll);

/** Runs so many tests at once; resolves to what each of them gives, and to what they have asked for. */
async function atOnce<T>(run: (inbox: Inbox, n: number) => Promise<T>): Promise<{ given: T[]; requests: string[] }> {
  const { fetch, requests } = recordingFetch();
  const mayfly = new Mayfly({ baseUrl: service.url, fetch });
  const given = await Promise.all(Array.from({ length: TESTS }, (_, n) => run(mayfly.inbox(freshName()), n)));
  return { given, requests };
}

test(`${TESTS} tests at once mark, act, wait and expect none, and none is kept waiting by the others`, async () => {
  const { given, requests } = await atOnce(async (inbox, n) => {
    const after = await inbox.mark();
    const waiting = inbox.waitForEmail({ after });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * SENT_WITHIN_MS));
    await send(inbox, `mail ${n}`);
    const sentAt = performance.now();
    const { subject, receivedAt } = await waiting;
    const lateness = performance.now() - sentAt;
    expect(subject).toBe(`mail ${n}`);
    await inbox.expectNoEmail({ after: receivedAt });
    return lateness;
  });
  const latest = Math.max(...given);
  console.log(
    `${TESTS} tests: the latest wait ended ${latest.toFixed(0)} ms after its mail, ${requests.length} requests`,
  );
  expect(latest).toBeLessThan(MOST_LATE_MS);
  expect(requests.filter((request) => request.startsWith('list'))).toEqual([]);
});

test(`${TESTS} tests at once expect none`, async () => {
  const { requests } = await atOnce((inbox) => inbox.expectNoEmail());
  expect(requests.filter((request) => request.startsWith('list'))).toEqual([]);
});

test(`${TESTS} tests at once list, and read what a mail holds`, async () => {
  const { requests } = await atOnce(async (inbox, n) => {
    await send(inbox, `mail ${n}`);
    const [email] = await inbox.emails();
    expect(email?.subject).toBe(`mail ${n}`);
    expect(await email?.html()).toBeNull();
  });
  expect(requests.filter((request) => request.startsWith('list'))).toEqual([]);
});
