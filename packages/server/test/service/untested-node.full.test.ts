import { afterEach, expect, test } from 'vitest';
import { endAll, runMayfly, serve } from './process.js';

afterEach(endAll);

const NEWER = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '99.1.0' } });`;

/** Begins responses with "sent" instead of a status line, as an earlier version of Mayfly did on Node 26. */
const BROKEN = `${NEWER}
  import { ServerResponse } from 'node:http';
  ServerResponse.prototype.writeHead = function () {
    this.socket.write('sent');
    return this;
  };
  ServerResponse.prototype.write = () => true;`;

const environment = (preload: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
});

test('the service runs on a version of Node newer than the tested ones, and logs that it is untested', async () => {
  const mayfly = await serve([], environment(NEWER));
  expect(mayfly.log()).toContain('Node 99.1.0 is newer than those that Mayfly is tested on (20.19, 22, 24 and 26).');
  expect(await mayfly.end('SIGTERM')).toBe(0);
});

test('a version of Node on which streams do not work stops the start with an error', async () => {
  const ports = ['--smtp-port', '0', '--http-port', '0', '--store', 'memory:'];
  const { exitCode, stdout, stderr } = await runMayfly(['serve', ...ports], environment(BROKEN));
  expect(exitCode).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain(
    'Mayfly does not work on Node 99.1.0: in a test of the HTTP port, the response began with "sent". Run Mayfly with a tested Node version (20.19',
  );
});
