import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { runMayfly } from '../../../packages/server/test/service/process.js';
import { basic, PATIENCE_MS, type RunningCatcher, startCatcher, WITH_KEY, WORKSPACE } from './catcher.js';

const LIST = '/api/v1/messages';

let catcher: RunningCatcher;

afterEach(() => catcher?.stop());

interface Asking {
  readonly method?: string;
  /** Which address of this machine asks. */
  readonly from?: string;
  readonly host?: string;
  /** The target, where it is not the list's path. */
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

/** The status of an answer and the code of its error. */
async function ask({ method = 'GET', from = '127.0.0.2', host, path = LIST, headers = {} }: Asking = {}) {
  const { port } = new URL(catcher.url);
  const asked: ClientRequest = request({
    method,
    host: from.includes(':') ? '::1' : '127.0.0.1',
    port,
    path,
    localAddress: from,
    headers: { host: host ?? `127.0.0.1:${port}`, ...headers },
    agent: false,
  }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, code: answer.headers['mayfly-error'] ?? null, body: await text(answer) };
}

const statusAndCode = async (asking?: Asking) => {
  const { status, code } = await ask(asking);
  return [status, code];
};

const OPEN = [200, null];
const KEY_NEEDED = [401, 'key-needed'];

describe.each(['mailpit', 'mailhog'])('%s, in a container', (name) => {
  test(
    'answers the networks that are named without a key, and no others',
    async () => {
      catcher = await startCatcher(name, { host: '0.0.0.0', dropInCallers: ['127.0.0.2', '127.1.0.0/16'] });
      await catcher.send({ to: 'anybody@app.test' });
      for (const from of ['127.0.0.2', '127.1.2.3'])
        expect([from, await statusAndCode({ from })]).toEqual([from, OPEN]);
      for (const from of ['127.0.0.1', '127.0.0.3', '127.2.0.1']) {
        expect([from, await statusAndCode({ from })]).toEqual([from, KEY_NEEDED]);
      }
      expect((await ask()).body).toContain('anybody');
      expect(await statusAndCode({ from: '127.0.0.3', method: 'DELETE' })).toEqual(KEY_NEEDED);
      expect((await ask()).body).toContain('anybody');
      expect(await statusAndCode({ method: 'DELETE' })).toEqual(OPEN);
      expect((await ask()).body).not.toContain('anybody');
    },
    PATIENCE_MS,
  );

  test(
    'shows them nothing of workspaces, whose keys do what they did',
    async () => {
      catcher = await startCatcher(name, { host: '0.0.0.0', dropInCallers: '127.0.0.2', ...WITH_KEY });
      await catcher.send({
        subject: 'of both',
        envelope: { from: 'a@b.test', to: ['acme-bid@a.test', 'walk-in@a.test'] },
      });
      const { body } = await ask();
      expect(body).toContain('walk-in');
      expect(body).not.toContain('acme-bid');
      const withKey = await ask({ from: '127.0.0.3', headers: basic(WORKSPACE.key) });
      expect(withKey.body).toContain('acme-bid');
      expect(await statusAndCode({ headers: basic('wrong-key-0123456789') })).toEqual([401, 'unknown-key']);
    },
    PATIENCE_MS,
  );
});

test(
  'an address counts in each of its forms',
  async () => {
    catcher = await startCatcher('mailpit', { host: '::', dropInCallers: ['127.0.0.2', '::1'] });
    expect(await statusAndCode({ from: '127.0.0.2' })).toEqual(OPEN);
    expect(await statusAndCode({ from: '127.0.0.3' })).toEqual(KEY_NEEDED);
    expect(await statusAndCode({ from: '::1' })).toEqual(OPEN);
    await catcher.stop();
    catcher = await startCatcher('mailpit', { host: '::', dropInCallers: '::ffff:127.0.0.0/127' });
    expect(await statusAndCode({ from: '127.0.0.1' })).toEqual(OPEN);
    expect(await statusAndCode({ from: '127.0.0.2' })).toEqual(KEY_NEEDED);
    expect(await statusAndCode({ from: '::1' })).toEqual(KEY_NEEDED);
  },
  PATIENCE_MS,
);

test(
  'a proxy that is not trusted asks for others, wherever it stands',
  async () => {
    catcher = await startCatcher('mailpit', { host: '0.0.0.0', dropInCallers: '127.0.0.0/8' });
    for (const header of [
      'x-forwarded-for',
      'x-real-ip',
      'forwarded',
      'via',
      'x-forwarded-host',
      'x-forwarded-proto',
    ]) {
      expect([header, await statusAndCode({ headers: { [header]: '127.0.0.2' } })]).toEqual([header, KEY_NEEDED]);
    }
  },
  PATIENCE_MS,
);

test.each(['0.0.0.0', '127.0.0.1'])(
  'a trusted proxy at %s asks for whom it names',
  async (host) => {
    catcher = await startCatcher('mailpit', {
      host,
      dropInCallers: ['10.0.0.0/8', '127.0.0.0/8'],
      trustProxy: '127.0.0.2',
    });
    const through = (forwardedFor: string) => statusAndCode({ headers: { 'x-forwarded-for': forwardedFor } });
    expect(await through('10.1.2.3')).toEqual(OPEN);
    expect(await through('::ffff:10.1.2.3')).toEqual(OPEN);
    expect(await through('192.0.2.7')).toEqual(KEY_NEEDED);
    // Whoever asks the proxy may have written all but the last.
    expect(await through('10.1.2.3, 192.0.2.7')).toEqual(KEY_NEEDED);
    expect(await through('192.0.2.7, 10.1.2.3')).toEqual(OPEN);
    // What names no client is for anybody, also where the proxy itself is in the network.
    for (const nobody of ['unknown', '', '127.0.0.2'])
      expect([nobody, await through(nobody)]).toEqual([nobody, KEY_NEEDED]);
    expect(await statusAndCode()).toEqual(KEY_NEEDED);
    // It knows under which names it is reached.
    const named = { host: 'mail.example.com', headers: { 'x-forwarded-for': '10.1.2.3' } };
    expect(await statusAndCode(named)).toEqual(OPEN);
  },
  PATIENCE_MS,
);

describe('a web page in the browser of somebody in the network', () => {
  const start = async (options = {}) => {
    catcher = await startCatcher('mailpit', { host: '0.0.0.0', dropInCallers: '127.0.0.0/8', ...options });
  };

  test(
    'reads and deletes nothing',
    async () => {
      await start();
      await catcher.send({ to: 'anybody@app.test' });
      for (const method of ['GET', 'DELETE', 'PUT']) {
        for (const headers of [
          { 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site' },
          { origin: 'https://evil.example' },
          { origin: 'null' },
        ]) {
          expect([method, headers, await statusAndCode({ method, headers })]).toEqual([
            method,
            headers,
            [403, 'cross-site'],
          ]);
        }
      }
      expect((await ask()).body).toContain('anybody');
    },
    PATIENCE_MS,
  );

  test(
    'that has an address of the network under its own name reads nothing, either',
    async () => {
      await start();
      for (const host of ['evil.example.com', 'EVIL.example.com.:8025', '10.0.0.1.evil.io', 'xn--mnchen-3ya.de']) {
        expect([host, await statusAndCode({ host })]).toEqual([host, [400, 'public-host']]);
      }
      expect(await statusAndCode({ path: `http://evil.example.com${LIST}` })).toEqual([400, 'public-host']);
      // Nor under what is no name at all (RFC 3986 section 3.2.2).
      for (const host of [
        'evil.co%6d',
        'evil.com@localhost',
        'evil.com#x',
        'evil.com/x:80',
        'evil.c\u00f6m',
        '[evil]',
        '[::1%25evil.com]',
      ]) {
        expect([host, await statusAndCode({ host })]).toEqual([host, [400, 'no-host']]);
      }
      expect(
        await statusAndCode({ host: 'evil.example.com', from: '127.0.0.2', headers: basic('wrong-key-0123456789') }),
      ).toEqual([401, 'unknown-key']);
    },
    PATIENCE_MS,
  );

  test(
    'is told apart from what containers and their neighbours call each other',
    async () => {
      await start();
      const hosts = ['mailpit:8025', 'mail_pit', '172.17.0.2:8025', '[::1]:8025', 'localhost', 'host.docker.internal'];
      const more = [
        'mailpit.default.svc',
        'mailpit.default.svc.cluster.local',
        'mailpit.app_default',
        'printer.home.arpa',
      ];
      for (const host of [...hosts, ...more]) expect([host, await statusAndCode({ host })]).toEqual([host, OPEN]);
    },
    PATIENCE_MS,
  );

  test(
    'may where the operator allows its origin',
    async () => {
      await start({ corsOrigin: 'https://app.example' });
      expect(await statusAndCode({ headers: { origin: 'https://app.example' } })).toEqual(OPEN);
    },
    PATIENCE_MS,
  );
});

test(
  'a start says who may look, and that callers without a server are a mistake',
  async () => {
    const common = ['serve', '--drop-in-callers', '10.0.0.0/8,::1', '--store', 'memory:'];
    const alone = await runMayfly(common);
    expect([alone.exitCode, alone.stderr]).toEqual([2, expect.stringMatching(/--drop-in-callers .* --drop-in/)]);
    // It ends for its certificate, which is read later than the callers.
    const told = await runMayfly([
      ...common,
      '--drop-in',
      'mailpit',
      '--host',
      '0.0.0.0',
      '--tls-cert',
      '/none',
      '--tls-key',
      '/none',
    ]);
    expect(told.exitCode).not.toBe(0);
    expect(told.stderr + told.stdout).toContain('lists every inbox. It is available directly from 10.0.0.0/8, ::1.');
  },
  PATIENCE_MS,
);
