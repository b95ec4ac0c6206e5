import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { skipUnless } from '../../../tools/needs.js';
import { refusingPort } from '../../server/test/ports.js';
import { freshName, startService, type TestService } from './service.js';

const CLIENT = new URL('../dist/', import.meta.url);
const COMMAND = fileURLToPath(new URL('../bin/mayfly.js', import.meta.url));

/** A process that hangs is killed after this time and fails its test. */
const PROCESS_TIMEOUT_MS = 60_000;

const ifProxied = skipUnless(
  process.allowedNodeEnvironmentFlags.has('--use-env-proxy'),
  'this Node sends no request to a proxy: Node 24 does',
);

vi.setConfig({ testTimeout: 2 * PROCESS_TIMEOUT_MS });

let service: TestService;
const proxies: Server[] = [];

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  for (const proxy of proxies) proxy.close();
  await service.stop();
});

interface Ended {
  /** Null if the process was killed by the timeout. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], variables: Record<string, string> = {}): Promise<Ended> {
  const { PATH = '' } = process.env;
  const env = { PATH, MAYFLY_URL: service.url, ...variables };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, timeout: PROCESS_TIMEOUT_MS }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      resolve({ code: typeof code === 'number' ? code : null, stdout, stderr });
    });
  });
}

function runScript(body: string, variables?: Record<string, string>): Promise<Ended> {
  const script = `import { Mayfly } from ${JSON.stringify(new URL('index.js', CLIENT))};\n${body}`;
  return run(['--input-type=module', '--eval', script], variables);
}

describe('an error of the client', () => {
  const wait = (name: string) => `await new Mayfly().inbox('${name}').waitForOtp({ timeout: 8_000 });`;

  test('that nothing catches prints one line per email, and only the stack frame of the caller', async () => {
    const name = freshName();
    await service.mail(name, { subject: 'Welcome', text: 'No c0de here, but a long text.' });
    const { stderr } = await runScript(wait(name));
    expect(stderr).toContain('MayflyTimeoutError: Waited 8 s for an email with a code.');
    expect(stderr).toMatch(/arrived: \[\s*"\d\d:\d\d:\d\d 'Welcome' from app@app\.test: code none, link none"\s*\]/);
    expect(stderr).not.toMatch(/rawBody|\[cause\]/);
    expect(stderr).not.toContain('/client/dist/');
    expect(stderr).toContain('[eval1]:2:');
  });

  test("includes the client's frames with MAYFLY_FULL_STACK", async () => {
    const { stderr } = await runScript(wait(freshName()), { MAYFLY_FULL_STACK: '1' });
    expect(stderr).toContain('/client/dist/wait/inbox.js');
  });

  test('omits the DOMException of an unanswered request, which would print 25 constants', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    proxies.push(silent);
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { stderr } = await runScript(
      `await new Mayfly({ baseUrl: 'http://127.0.0.1:${port}', timeout: 300 }).inbox('a').mark();`,
    );
    expect(stderr).toContain('MayflyNetworkError');
    expect(stderr).not.toMatch(/DOMException|INDEX_SIZE_ERR/);
  });
});

describe('with a proxy configured in Node', () => {
  const proxied = (port: number) => ({ NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${port}` });

  test.each(['127.0.0.1', 'localhost', 'inbox.localhost'])(
    'a service on this machine (%s) is reached without the proxy',
    async (host) => {
      const variables = { ...proxied(await refusingPort()), MAYFLY_URL: `http://${host}:${service.port}` };
      const { code, stderr } = await run([COMMAND, 'list', freshName()], variables);
      // Some machines do not resolve names below localhost.
      if (!/ENOTFOUND|EAI_AGAIN/.test(stderr)) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
  );

  test(
    'a request to another machine uses the proxy, and its error names HTTP_PROXY and NO_PROXY',
    ifProxied,
    async () => {
      const variables = { ...proxied(await refusingPort()), MAYFLY_URL: 'http://mayfly.test:8080' };
      const { code, stderr } = await run([COMMAND, 'list', freshName()], variables);
      expect(stderr).toMatch(/the proxy in HTTP_PROXY; to ask Mayfly directly, set NO_PROXY=mayfly\.test/);
      expect(code).toBe(1);
    },
  );

  test.each([
    ['closes every connection', true],
    ['never answers', false],
  ])('the command exits after its error if the proxy %s', ifProxied, async (_, closes) => {
    let connections = 0;
    const proxy = createServer((socket) => {
      connections += 1;
      socket.on('error', () => {});
      socket.once('data', () => closes && socket.destroy());
    }).listen(0, '127.0.0.1');
    proxies.push(proxy);
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const variables = {
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      MAYFLY_URL: 'https://mayfly.test:8080',
    };
    const { code, stderr } = await run([COMMAND, 'wait', freshName(), '--timeout', '2'], variables);
    expect(stderr).toContain('NO_PROXY=mayfly.test');
    expect(code).toBe(1);
    // Without the client's own fetch, Node would reconnect tens of thousands of times.
    expect(connections).toBeLessThan(200);
  });
});
