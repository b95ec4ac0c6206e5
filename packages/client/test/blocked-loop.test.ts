import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testTime } from '../src/fixtures/fixtures.js';
import { TestMayfly } from '../src/fixtures/reported-test.js';
import { Mayfly } from '../src/wait/client.js';
import { serviceOfFile } from './service.js';

const service = await serviceOfFile();

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const saidBy = (wait: Promise<unknown>) => wait.then(String, ({ name, message }) => `${name}: ${message}`);

test('a timeout error explains missing mail even if the process is blocked until the test has ended', async () => {
  let isFirst = true;
  // Blocks only after the module that explains a wait has loaded.
  const { fetch } = globalThis;
  onTestFinished(() => void vi.unstubAllGlobals());
  // With the option `fetch`, the client would not test whether a connection opens, so this replaces the global.
  vi.stubGlobal('fetch', (...[input, init]: Parameters<typeof fetch>) => {
    if (isFirst && String(input).includes('/summary?limit=1000')) {
      isFirst = false;
      block(6_000);
    }
    return fetch(input, init);
  });
  let testEndsAt = 0;
  const time = testTime(() => testEndsAt, 0);
  const made = () => new TestMayfly({ baseUrl: service.url }, time).createInbox();
  const inboxes = Array.from({ length: 20 }, made);
  // Gets a first answer, which may take longer than a wait. Otherwise the waits could report that nothing answers.
  await Promise.all(inboxes.map((inbox) => inbox.emails()));
  testEndsAt = performance.now() + 5_000;
  const waits = inboxes.map(async (inbox) => {
    const said = await saidBy(inbox.waitForOtp({ timeout: 600 }));
    expect(said).toMatch(/^MayflyTimeoutError: Waited \S+ m?s\b.* for an email with a code\. /);
    expect(said).toContain(` came to ${inbox.address}`);
  });
  await Promise.all(waits);
  expect(isFirst).toBe(false);
}, 120_000);

test('a wait in a blocked process does not report a silent service as unreachable', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const waited = () => saidBy(new Mayfly({ baseUrl }).inbox('ada').waitForOtp({ timeout: 600 }));
  try {
    silent.once('connection', () => block(3_000));
    expect(await waited()).toMatch(
      /^MayflyTimeoutError: Waited 0\.6 s for an email with a code\. The inbox ada@inbox\.example\.com could not be read in time\./,
    );
    expect(await waited()).toMatch(
      /^MayflyNetworkError: Mayfly at \S+ cannot be reached: connected, but no answer yet/,
    );
  } finally {
    silent.close();
  }
});
