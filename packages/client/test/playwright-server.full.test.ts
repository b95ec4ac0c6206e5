import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { mayflyServer, type ServerTask } from '../src/fixtures/playwright-web-server.js';
import type { MayflyStartOptions } from '../src/fixtures/run-service.js';
import { MayflyOptionError } from '../src/index.js';

const VARIABLES = [
  'MAYFLY_URL',
  'MAYFLY_DOMAIN',
  'MAYFLY_API_KEY',
  'MAYFLY_HTTP_PORT',
  'MAYFLY_SMTP_PORT',
  'SMTP_HOST',
  'SMTP_PORT',
];

beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, undefined);
});

afterEach(() => vi.unstubAllEnvs());

const learnt = () => {
  const { MAYFLY_URL, MAYFLY_DOMAIN, SMTP_HOST, SMTP_PORT } = process.env;
  return [MAYFLY_URL, MAYFLY_DOMAIN, SMTP_HOST, SMTP_PORT];
};

/** The options that an entry passes to its command. */
const taskOf = ({ env }: ReturnType<typeof mayflyServer>): ServerTask => JSON.parse(env.START_MAYFLY ?? '');

describe('mayflyServer()', () => {
  test("uses the default ports, and sets the environment to Mayfly's address", () => {
    const entry = mayflyServer();
    expect(entry).toMatchObject({ url: 'http://127.0.0.1:8080/readyz', reuseExistingServer: true });
    expect(taskOf(entry)).toEqual({
      options: { host: '127.0.0.1', httpPort: 8080, smtpPort: 2525, store: 'memory:' },
    });
    expect(learnt()).toEqual(['http://127.0.0.1:8080', 'inbox.example.com', '127.0.0.1', '2525']);
  });

  test.each([
    [{ host: '0.0.0.0', httpPort: '8090' }, ['http://127.0.0.1:8090', 'inbox.example.com', '127.0.0.1', '2525']],
    [{ host: '::', smtpPort: 2590 }, ['http://[::1]:8080', 'inbox.example.com', '::1', '2590']],
    [{ domain: '*' }, ['http://127.0.0.1:8080', 'inbox.example.com', '127.0.0.1', '2525']],
    [{ domain: ['*', 'a.test'], httpPort: 8092 }, ['http://127.0.0.1:8092', 'a.test', '127.0.0.1', '2525']],
  ])('with the options %j sets URL, domain, SMTP host and SMTP port to %j', (options, expected) => {
    mayflyServer(options);
    expect(learnt()).toEqual(expected);
  });

  test('takes ports, domains and key from the environment, unless options override them', () => {
    vi.stubEnv('MAYFLY_HTTP_PORT', '8091');
    vi.stubEnv('MAYFLY_SMTP_PORT', '2591');
    vi.stubEnv('MAYFLY_DOMAIN', 'a.test, b.test');
    vi.stubEnv('MAYFLY_API_KEY', 'acme=0123456789abcdef');
    const { options } = taskOf(mayflyServer({ smtpPort: 2592 }));
    expect(options).toMatchObject({
      httpPort: '8091',
      smtpPort: 2592,
      domain: ['a.test', 'b.test'],
      workspace: 'acme=0123456789abcdef',
    });
    expect(learnt()).toEqual(['http://127.0.0.1:8091', 'a.test', '127.0.0.1', '2592']);
  });

  test('starts no service if MAYFLY_URL is set', () => {
    vi.stubEnv('MAYFLY_URL', 'https://mail.example.com/mayfly/');
    const entry = mayflyServer();
    expect(entry.url).toBe('https://mail.example.com/mayfly/readyz');
    expect(taskOf(entry)).toEqual({ baseUrl: 'https://mail.example.com/mayfly' });
    expect(learnt()).toEqual(['https://mail.example.com/mayfly/', undefined, undefined, undefined]);
  });

  test.each([
    [{ httpPort: 0 }, 'httpPort must be a port from 1 to 65535'],
    [{ smtpPort: 70_000 }, 'smtpPort must be a port from 1 to 65535'],
    [{ smtpPort: 'smtp' }, 'smtpPort must be'],
  ])('rejects the options %j', (options, sentence) => {
    expect(() => mayflyServer(options)).toThrow(MayflyOptionError);
    expect(() => mayflyServer(options)).toThrow(sentence);
    expect(learnt()).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('mayflyServer() on a used port', () => {
  let server: ReturnType<typeof spawn>;

  afterEach(() => server.kill());

  /** Starts a server in another process, because this one blocks while the entry is created. Resolves to the port. */
  async function answering(status: number, headers: object, body: string): Promise<number> {
    const answer = `response.writeHead(${status}, ${JSON.stringify(headers)}).end(${JSON.stringify(body)})`;
    const script = `require('node:http').createServer((request, response) => ${answer})
      .listen(0, '127.0.0.1', function () { process.send(this.address().port); });`;
    server = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const [port] = await once(server, 'message');
    return port;
  }

  test.each([
    [200, { 'content-type': 'text/html' }, '<!doctype html><title>Another application</title>'],
    [200, { 'content-type': 'application/json' }, '{"status":"up"}'],
    [404, {}, ''],
  ])('throws if another program answers %d with headers %j and body %j', async (status, headers, body) => {
    const httpPort = await answering(status, headers, body);
    expect(() => mayflyServer({ httpPort })).toThrow(
      `mayflyServer: another program answers at http://127.0.0.1:${httpPort}. Give mayflyServer another httpPort`,
    );
    expect(learnt()).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('uses a Mayfly that already runs on the port, and gives its SMTP address to the application', async () => {
    const settings = { domains: ['other.test'], smtp: { host: '0.0.0.0', port: 2598 } };
    const httpPort = await answering(200, {}, JSON.stringify(settings));
    expect(mayflyServer({ httpPort, smtpPort: 2599 }).url).toBe(`http://127.0.0.1:${httpPort}/readyz`);
    expect(learnt()).toEqual([`http://127.0.0.1:${httpPort}`, 'other.test', '127.0.0.1', '2598']);
  });

  test.each([
    [{ port: 5 }, /^mayflyServer: "port" is not an option\. Did you mean httpPort, smtpPort or smtpsPort\?/],
    [{ retention: 5 }, /^mayflyServer: retention: "5" is not valid: /],
  ])('rejects the options %j even if a running Mayfly would ignore them', async (options, sentence) => {
    const settings = { domains: ['other.test'], smtp: { host: '0.0.0.0', port: 2598 } };
    const httpPort = await answering(200, {}, JSON.stringify(settings));
    const given = { httpPort, ...options } as MayflyStartOptions;
    expect(() => mayflyServer(given)).toThrow(MayflyOptionError);
    expect(() => mayflyServer(given)).toThrow(sentence);
    expect(learnt()).toEqual([undefined, undefined, undefined, undefined]);
  });
});

test('an import of the Jest fixture outside of Jest throws an error that names Jest', async () => {
  await expect(import('../src/fixtures/jest.js')).rejects.toThrow('must be imported by a test that Jest runs');
});
