import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { testTime } from '../src/fixtures/fixtures.js';
import { TestMayfly } from '../src/fixtures/reported-test.js';
import { Mayfly } from '../src/wait/client.js';
import { serviceOfFile } from './service.js';

const service = await serviceOfFile();

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('a timeout error explains missing mail even if the process was blocked for longer than the test', async () => {
  let isFirst = true;
  // Blocks only after the module that explains a wait has loaded.
  const blocking: typeof fetch = (input, init) => {
    if (isFirst && String(input).includes('/summary?limit=1000')) {
      isFirst = false;
      block(6_000);
    }
    return fetch(input, init);
  };
  const waits = Array.from({ length: 20 }, () => {
    const time = testTime(() => 5_000);
    const inbox = new TestMayfly({ baseUrl: service.url, fetch: blocking }, time).createInbox();
    const ended = inbox.waitForOtp({ timeout: 600 }).then(String, ({ name, message }) => `${name}: ${message}`);
    return { ended, address: inbox.address };
  });
  const said = await Promise.all(waits.map(({ ended }) => ended));
  expect(isFirst).toBe(false);
  for (const [at, { address }] of waits.entries()) {
    expect(said[at]).toMatch(/^MayflyTimeoutError: Waited \S+ m?s\b.* for an email with a code\. /);
    expect(said[at]).toContain(` came to ${address}`);
  }
}, 120_000);

test('a wait in a blocked process does not report a silent service as unreachable', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const waited = () =>
    new Mayfly({ baseUrl })
      .inbox('ada')
      .waitForOtp({ timeout: 600 })
      .then(String, ({ name, message }) => `${name}: ${message}`);
  try {
    silent.once('connection', () => block(3_000));
    expect(await waited()).toMatch(
      /^MayflyTimeoutError: Waited 0\.6 s for an email with a code\. What came to ada@inbox\.example\.com could not be read in time\./,
    );
    expect(await waited()).toMatch(
      /^MayflyNetworkError: Mayfly at \S+ cannot be reached: connected, but no answer yet/,
    );
  } finally {
    silent.close();
  }
});
