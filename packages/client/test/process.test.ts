import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusingPort } from '../../server/test/ports.js';
import { freshName, startService, type TestService } from './service.js';

const SCRIPT = fileURLToPath(new URL('processes/waits-then-ends.mjs', import.meta.url));

let service: TestService;

beforeAll(async () => {
  // Makes streams last for hours.
  service = await startService({ speed: 1e-5 });
});

afterAll(() => service.stop());

test('a process exits after its last wait, and no rejection is left unhandled', async () => {
  const name = freshName();
  await service.mail(name, { subject: 'one' });
  const args = ['--unhandled-rejections=strict', SCRIPT, service.url, name, `http://127.0.0.1:${await refusingPort()}`];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  expect(stderr).toBe('');
  const [outcomes = '', timers = ''] = stdout.split('\n');
  expect(JSON.parse(outcomes)).toEqual({
    found: 'fulfilled',
    filtered: 'fulfilled',
    listed: 'fulfilled',
    exact: 'fulfilled',
    quiet: 'fulfilled',
    unexpected: 'MayflyUnexpectedEmailError',
    late: 'MayflyTimeoutError',
    dead: 'MayflyNetworkError',
    aborted: 'AbortError',
  });
  // No timer is left. Any other open handle, such as a stream, would have kept the process alive.
  expect(JSON.parse(timers)).toEqual([]);
});
