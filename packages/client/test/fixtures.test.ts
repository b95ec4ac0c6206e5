import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { freePort } from '../../server/test/ports.js';
import { reached, STARTED_VARIABLE, testTime } from '../src/fixtures/fixtures.js';
import { TestMayfly } from '../src/fixtures/reported-test.js';
import { MayflyNetworkError, type MayflyOptions, MayflyTimeoutError, type WaitOptions } from '../src/index.js';
import { platform } from '../src/wait/errors.js';
import { recordingFetch } from './recording-fetch.js';
import { startService } from './service.js';

const SOON = { connectTimeout: 300 };

test('a test without a service fails with a hint on how to start one, and the next test checks again', async () => {
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
  // A success is remembered for the whole process, so this call does not check again.
  await reached({ ...SOON, baseUrl }, 'or do this');
});

test('a service that this run started is awaited even beyond connectTimeout', async () => {
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

function failureOf(options: MayflyOptions, testMs: number, wait?: WaitOptions) {
  const time = testTime(() => testMs);
  return new TestMayfly(options, time)
    .createInbox()
    .waitForOtp(wait)
    .catch((error) => error);
}

const TOO_SHORT = / The wait's timeout is (\d+) s, but its test ends sooner: give the test more time\.$/;

describe('a Mayfly client of a fixture', () => {
  test('shortens a wait to the remaining time of the test, and mentions the short test in the error', async () => {
    const { url: baseUrl, stop } = await startService();
    // Turns the stack into plain text, as `trim` does in Node, to test that the fixture also changes the message in it.
    const trim = vi.spyOn(platform as Required<typeof platform>, 'trim').mockImplementation((error) => {
      error.stack = `${error.stack}`;
    });
    const error = await failureOf({ baseUrl }, 1_000, { timeout: 60_000 });
    trim.mockRestore();
    expect(error).toBeInstanceOf(MayflyTimeoutError);
    expect(error.message).toMatch(/^Waited 0\.\d s for an email with a code\./);
    expect(error.message).toMatch(TOO_SHORT);
    // Jest prints the stack, not the message.
    expect(error.stack).toContain(`${error.message}\n`);
    // For a default timeout, the error blames the test's time only if the test has less than half of that timeout left.
    expect((await failureOf({ baseUrl, timeout: 1_000 }, 500)).message).toMatch(TOO_SHORT);
    expect((await failureOf({ baseUrl, timeout: 1_000 }, 1_000)).message).not.toMatch(TOO_SHORT);
    await stop();
  });

  test('mentions the short test in the error for a service that accepts connections but never answers', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { message } = await failureOf({ baseUrl: `http://127.0.0.1:${port}` }, 1_000, { timeout: 60_000 });
    silent.close();
    expect(message).toMatch(/connected, but no answer yet/);
    expect(message).toMatch(TOO_SHORT);
  });

  test("rejects `within` and `settle` immediately if they exceed the test's remaining time", async () => {
    const time = testTime(() => 10_000);
    const inbox = new TestMayfly({}, time).inbox('demo');
    await expect(inbox.expectNoEmail({ within: 60_000 })).rejects.toThrow(
      /^expectNoEmail: within is 60000 ms, but the test ends in \d+ ms\. Lower within, or give the test more time\.$/,
    );
    await expect(inbox.waitForEmails({ count: 1, settle: 60_000 })).rejects.toThrow(
      /^waitForEmails: settle is 60000 ms/,
    );
    await expect(inbox.waitForOtp({ timout: 1 } as object)).rejects.toThrow('Did you mean timeout?');
  });
});
