import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { openLog } from '../../dist/base/log.js';
import { startService } from '../../dist/service.js';
import { readSettings } from '../../dist/settings/reading.js';
import type { SettingName } from '../../src/settings/table.js';

/** How long running work may continue when the service stops. */
const GRACE_MS = 10_000;

afterEach(() => void vi.useRealTimers());

/** Lets the event loop run everything that is due. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 100; turns += 1) await turn();
}

test('a stopping service allows a running request ten seconds, and then cuts it off', async () => {
  const given = { store: 'memory:', page: 'false', 'http-port': '0', 'smtp-port': '0', 'http-request-time': '1h' };
  const flags = Object.entries(given).map(([name, text]) => [name as SettingName, [text]] as const);
  const service = await startService(readSettings(new Map(flags), new Map()), openLog('silent', 'json'));
  const socket = connect(Number(new URL(service.http).port), '127.0.0.1').resume();
  const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
  const continued = once(socket, 'data');
  const head = 'POST /api/waitlist HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  socket.write(`${head}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`);
  expect(String(await continued)).toMatch(/^HTTP\/1\.1 100 /);

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isStopped = false;
  const stopped = service.stop().then(() => {
    isStopped = true;
  });
  while (vi.getTimerCount() === 0) await turn();
  await settle();
  vi.advanceTimersByTime(GRACE_MS - 1);
  await settle();
  expect(isStopped).toBe(false);
  vi.advanceTimersByTime(1);
  await Promise.all([stopped, closed]);
});
