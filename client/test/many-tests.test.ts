import { afterAll, beforeAll, expect, test } from 'vitest';
import { Mayfly } from '../src/index.js';
import { recordingFetch } from './recording-fetch.js';
import { freshName, startService, type TestService } from './service.js';

/** How many tests run at the same time on one machine; `npm run test:many` has 200. */
const TESTS = Number(process.env.TESTS ?? 60);

/** How much later than its mail a wait may end. */
const MOST_LATE_MS = 1_000;

let service: TestService;

/** The limits that a service has by default. */
beforeAll(async () => {
  service = await startService({
    fetchRate: { count: 20, windowMs: 10_000 },
    lookRate: { count: 600, windowMs: 10_000 },
    streamRate: { count: 1_200, windowMs: 10_000 },
    maxStreamsPerClient: 200,
  });
});

afterAll(() => service.stop());

test(`${TESTS} tests at once mark, act, wait and expect none, and none is kept waiting by the others`, async () => {
  const { fetch, requests } = recordingFetch();
  const mayfly = new Mayfly({ baseUrl: service.url, fetch });
  const latenesses = await Promise.all(
    Array.from({ length: TESTS }, async (_, n) => {
      const inbox = mayfly.inbox(freshName());
      const after = await inbox.mark();
      const waiting = inbox.waitForEmail({ after });
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_000));
      await service.mail(inbox.name, { subject: `mail ${n}` });
      const sentAt = performance.now();
      const { subject, receivedAt } = await waiting;
      const lateness = performance.now() - sentAt;
      expect(subject).toBe(`mail ${n}`);
      await inbox.expectNoEmail({ after: receivedAt });
      return lateness;
    }),
  );
  console.log(`${TESTS} tests: the latest wait ended ${Math.max(...latenesses).toFixed(0)} ms after its mail`);
  expect(Math.max(...latenesses)).toBeLessThan(MOST_LATE_MS);
  expect(requests.filter((request) => request.startsWith('list'))).toEqual([]);
});

test(`${TESTS} tests at once list, clear and delete`, async () => {
  const { fetch, requests } = recordingFetch();
  const mayfly = new Mayfly({ baseUrl: service.url, fetch });
  await Promise.all(
    Array.from({ length: TESTS }, async () => {
      const inbox = mayfly.inbox(freshName());
      await service.mail(inbox.name);
      const [email] = await inbox.emails();
      if (email !== undefined) await inbox.delete(email);
      expect(await inbox.latest()).toBeNull();
    }),
  );
  expect(requests.filter((request) => request.startsWith('list'))).toEqual([]);
});
