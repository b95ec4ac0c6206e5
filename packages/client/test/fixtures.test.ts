import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { reached, STARTED_VARIABLE, testTime } from '../src/fixtures/fixtures.js';
import { TestMayfly } from '../src/fixtures/test-mayfly.js';
import { MayflyNetworkError, MayflyResponseError, MayflyTimeoutError } from '../src/index.js';
import { recordingFetch } from './recording-fetch.js';
import { freePort, startService } from './service.js';

const SOON = { connectTimeout: 300 };

test('a service that does not answer is told with what to start, and is asked anew by the next test', async () => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const first = reached({ ...SOON, baseUrl }, 'or do this');
  await expect(first).rejects.toBeInstanceOf(MayflyNetworkError);
  await expect(first).rejects.toThrow(
    `Nothing answers at ${baseUrl}. Start Mayfly ("npx mayfly-inbox serve"), or do this.`,
  );
  await expect(first).rejects.toMatchObject({ baseUrl, cause: { name: 'MayflyNetworkError' } });
  const service = await startService({ port });
  await reached({ ...SOON, baseUrl }, 'or do this');
  await service.stop();
  // The answer is kept for the process.
  await reached({ ...SOON, baseUrl }, 'or do this');
});

test('a service that this run has started is waited for, whatever the time for a connection is', async () => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  vi.stubEnv(STARTED_VARIABLE, baseUrl);
  const { fetch, requests } = recordingFetch();
  const asked = reached(
    { connectTimeout: 1, baseUrl, fetch },
    'or do this',
    testTime(() => 60_000),
  );
  await vi.waitFor(() => expect(requests.length).toBeGreaterThan(2), { timeout: 30_000 });
  const service = await startService({ port });
  await asked;
  await service.stop();
  vi.unstubAllEnvs();
});

test('a service that this run has started and that is gone is told when the time of the test is nearly over', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  vi.stubEnv(STARTED_VARIABLE, baseUrl);
  const asked = reached(
    { baseUrl },
    'or do this',
    testTime(() => 1_000),
  );
  await expect(asked).rejects.toThrow(`Mayfly, which this run started at ${baseUrl}, answers no more.`);
  vi.unstubAllEnvs();
});

describe('the time that a test leaves a call', () => {
  const begun = () => performance.now();

  test.each([
    [10_000, 0, 8_000],
    [30_000, 0, 25_000],
    [300_000, 0, 295_000],
    [10_000, 6_000, 2_000],
    [10_000, 8_000, 1_000],
  ])('of %i ms, of which %i are over, is %i', (timeoutMs, overMs, callMs) => {
    const time = testTime(() => timeoutMs, begun() - overMs);
    expect(Math.abs(time.callMs() - callMs)).toBeLessThanOrEqual(100);
  });

  test('is unbounded where that of the test is', () => {
    expect(testTime(() => 0).callMs()).toBe(Number.POSITIVE_INFINITY);
    expect(testTime(() => Number.POSITIVE_INFINITY).callMs()).toBe(Number.POSITIVE_INFINITY);
  });

  test('follows the timeout of the test when that changes', () => {
    let timeoutMs = 10_000;
    const time = testTime(() => timeoutMs);
    timeoutMs = 60_000;
    expect(time.callMs()).toBeGreaterThan(50_000);
  });
});

describe('a Mayfly of a test', () => {
  test('cuts the timeout of a wait to what the test leaves it, and says so', async () => {
    const service = await startService();
    const mayfly = new TestMayfly(
      { baseUrl: service.url },
      testTime(() => 1_000),
    );
    const error = await mayfly
      .createInbox()
      .waitForOtp({ timeout: 60_000 })
      .catch((error) => error);
    expect(error).toBeInstanceOf(MayflyTimeoutError);
    expect(error.message).toMatch(/^Waited 0\.\d s for an email with a code\./);
    expect(error.message).toMatch(
      /The wait was to take 60 s, but its test ends before that: give the test more time\.$/,
    );
    await service.stop();
  });

  test('refuses at once to watch for longer than the test takes', async () => {
    const mayfly = new TestMayfly(
      {},
      testTime(() => 10_000),
    );
    const inbox = mayfly.inbox('demo');
    await expect(inbox.expectNoEmail({ within: 60_000 })).rejects.toThrow(
      /^expectNoEmail: within is 60000 ms, but the test ends in \d+ ms\. Watch for less, or give the test more time\.$/,
    );
    await expect(inbox.waitForEmails({ count: 1, settle: 60_000 })).rejects.toThrow(
      /^waitForEmails: settle is 60000 ms/,
    );
    await expect(inbox.waitForOtp({ timout: 1 } as object)).rejects.toThrow('Did you mean timeout?');
  });
});

test('another server is not taken for Mayfly', async () => {
  const server = createServer((_, response) => response.writeHead(404).end('Not here')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = reached({ baseUrl }, 'or do this');
  await expect(answer).rejects.toBeInstanceOf(MayflyResponseError);
  await expect(answer).rejects.toThrow('Is this Mayfly?');
  server.close();
});
