import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { runMayfly } from '../../../packages/server/test/service/process.js';
import {
  type Answer,
  basic,
  freshAddress,
  PATIENCE_MS,
  type RunningCatcher,
  startCatcher,
  WITH_KEY,
  WORKSPACE,
} from './catcher.js';

const CATCHERS = [
  ['mailpit', '/api/v1/messages'],
  ['mailhog', '/api/v1/messages'],
] as const;

/** How each finds what an address has, and where it shows something of a message. */
const BY_ADDRESS = {
  mailpit: {
    find: (to: string) => `/api/v1/search?query=to:${to}`,
    paths: (id: string) => [
      ...['', '/raw', '/headers', '/part/1'].map((part) => `/api/v1/message/${id}${part}`),
      `/view/${id}.txt`,
    ],
  },
  mailhog: {
    find: (to: string) => `/api/v2/search?kind=to&query=${to}`,
    paths: (id: string) => [`/api/v1/messages/${id}`, `/api/v1/messages/${id}/download`],
  },
} as const;

/** The request that deletes one message. */
function deletionOf(name: keyof typeof BY_ADDRESS, id: string, headers = {}): [path: string, init: RequestInit] {
  if (name === 'mailhog') return [`/api/v1/messages/${id}`, { method: 'DELETE', headers }];
  return ['/api/v1/messages', { method: 'DELETE', headers, body: JSON.stringify({ IDs: [id] }) }];
}

/** The IDs of the messages of an answer, whichever server's it is like. */
function idsIn(answer: Answer): string[] {
  return (answer.messages ?? answer.items ?? answer).map(({ ID }: Answer) => ID);
}

let catcher: RunningCatcher;

afterEach(() => catcher?.stop());

const statusAndCode = async (path: string, init?: RequestInit) => {
  const answer = await catcher.ask(path, init);
  return [answer.status, answer.headers.get('mayfly-error')];
};

/** Sends a request over a connection of its own. Resolves to the code of the error that it is answered with, or null. */
async function talk(...lines: readonly [string, ...string[]]): Promise<string | null> {
  const [target, ...headers] = lines;
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(catcher.url).port) });
  socket.write([`${target} HTTP/1.1`, ...headers, 'connection: close', '\r\n'].join('\r\n'));
  return /^mayfly-error: (.*)\r$/m.exec(await text(socket))?.[1] ?? null;
}

describe.each(CATCHERS)('%s', (name, list) => {
  test(
    'is not there unless it is asked for',
    async () => {
      catcher = await startCatcher(name);
      expect((await catcher.ask(list)).status).toBe(200);
      await catcher.stop();
      const { exitCode, stderr } = await runMayfly(['serve', '--drop-in', 'outlook']);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('mailpit')]);
    },
    PATIENCE_MS,
  );

  test(
    'beyond this machine is shown to a key alone, which may be the password of anybody',
    async () => {
      catcher = await startCatcher(name, { host: '0.0.0.0', ...WITH_KEY });
      await catcher.send({ to: freshAddress() });
      const refused = await catcher.ask(list);
      expect([refused.status, refused.headers.get('mayfly-error')]).toEqual([401, 'key-needed']);
      expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
      expect(await statusAndCode(list, { method: 'DELETE' })).toEqual([401, 'key-needed']);
      expect(await statusAndCode(list, { headers: basic('wrong-key-0123456789') })).toEqual([401, 'unknown-key']);
      const noPair = `Basic ${Buffer.from(WORKSPACE.key).toString('base64')}`;
      for (const headers of [{ authorization: 'Basic' }, { authorization: noPair }, basic(`x:${WORKSPACE.key}`)]) {
        expect(await statusAndCode(list, { headers })).toEqual([401, 'unknown-key']);
      }
      // Our own interface knows no such way.
      const own = await statusAndCode('/api/inbox/acme-team', { headers: basic(WORKSPACE.key) });
      expect(own).toEqual([401, 'owned-name']);
      for (const headers of [
        basic(WORKSPACE.key),
        basic(WORKSPACE.key, ''),
        { authorization: `Bearer ${WORKSPACE.key}` },
      ]) {
        const answer = await catcher.ask(list, { headers });
        expect(answer.status).toBe(200);
        expect(JSON.stringify(await answer.json())).toContain('Hello');
      }
    },
    PATIENCE_MS,
  );

  test(
    'answers for the host of an absolute target, whatever the Host header says (RFC 9112 section 3.2.2)',
    async () => {
      catcher = await startCatcher(name);
      await catcher.send({ to: freshAddress() });
      const { host } = new URL(catcher.url);
      const evil = 'http://evil.example';
      for (const target of [evil, `${evil}:80`, 'http://localhost@evil.example', 'http://localhost:80@evil.example']) {
        expect([target, await talk(`DELETE ${target}${list}`, 'host: localhost')]).toEqual([target, 'foreign-host']);
      }
      expect(await talk(`GET http://localhost${list}`, 'host: evil.example', `origin: ${evil}`)).toBe('cross-site');
      expect(idsIn(await catcher.json(list))).toHaveLength(1);
      expect(await talk(`DELETE http://${host}${list}`, 'host: evil.example', `origin: http://${host}`)).toBe(null);
      expect(idsIn(await catcher.json(list))).toHaveLength(0);
    },
    PATIENCE_MS,
  );

  test.each(['gzip', 'identity, gzip', 'x-unknown'])(
    'a deletion whose body is coded as "%s" is refused, and deletes nothing',
    async (coding) => {
      catcher = await startCatcher(name);
      await catcher.send({ to: freshAddress() });
      const [id = ''] = idsIn(await catcher.json(list));
      const headers = { 'content-encoding': coding };
      const body = JSON.stringify({ IDs: [id] });
      for (const [path, init] of [
        [list, { method: 'DELETE', headers, body }],
        deletionOf(name, id, headers),
      ] as const) {
        const answer = await catcher.ask(path, init);
        expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([415, 'unsupported-content-encoding']);
        expect(answer.headers.get('accept-encoding')).toBe('identity');
      }
      expect(idsIn(await catcher.json(list))).toEqual([id]);
      const [path, init] = deletionOf(name, id, { 'content-encoding': 'Identity' });
      expect((await catcher.ask(path, init)).status).toBe(200);
      expect(idsIn(await catcher.json(list))).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    'is refused before a body has come',
    async () => {
      catcher = await startCatcher(name, { host: '0.0.0.0', ...WITH_KEY });
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(catcher.url).port) });
      socket.write(`DELETE ${list} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n`);
      expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 401 /);
      socket.destroy();
    },
    PATIENCE_MS,
  );

  test(
    'behind a proxy of the operator, which asks for others, is shown to a key alone',
    async () => {
      catcher = await startCatcher(name, { trustProxy: '127.0.0.1', ...WITH_KEY });
      expect(await statusAndCode(list)).toEqual([401, 'key-needed']);
      expect(await statusAndCode(list, { headers: { 'x-forwarded-for': '127.0.0.1' } })).toEqual([401, 'key-needed']);
      expect(await statusAndCode(list, { headers: basic(WORKSPACE.key) })).toEqual([200, null]);
    },
    PATIENCE_MS,
  );

  test(
    'behind a proxy that nobody told us of, which says so in a header, is shown to a key alone',
    async () => {
      catcher = await startCatcher(name, WITH_KEY);
      for (const header of [
        'x-forwarded-for',
        'x-forwarded-host',
        'x-forwarded-proto',
        'x-real-ip',
        'forwarded',
        'via',
      ]) {
        const passedOn = { [header]: 'for=192.0.2.7' };
        expect([header, ...(await statusAndCode(list, { headers: passedOn }))]).toEqual([header, 401, 'key-needed']);
        expect(await statusAndCode(list, { headers: { ...passedOn, ...basic(WORKSPACE.key) } })).toEqual([200, null]);
      }
    },
    PATIENCE_MS,
  );

  test(
    'shows and deletes mail of a workspace only with its key',
    async () => {
      catcher = await startCatcher(name, WITH_KEY);
      await catcher.send({ to: 'acme-team@app.test', subject: 'of the team' });
      await catcher.send({ to: ['anybody@app.test', 'acme-copy@app.test'], subject: 'of both' });
      const texts = async (headers = {}) => (await catcher.ask(list, { headers })).text();
      expect(await texts()).not.toContain('of the team');
      expect(await texts()).toContain('of both');
      expect(await texts(basic(WORKSPACE.key))).toContain('of the team');
      await catcher.ask(list, { method: 'DELETE' });
      expect(await texts()).not.toContain('of both');
      expect(await texts(basic(WORKSPACE.key))).toContain('of the team');
      expect(await texts(basic(WORKSPACE.key))).toContain('of both');
      await catcher.ask(list, { method: 'DELETE', headers: basic(WORKSPACE.key) });
      expect(await texts(basic(WORKSPACE.key))).not.toContain('of ');
    },
    PATIENCE_MS,
  );

  test(
    'finds, shows and deletes no message of a workspace by its address or its ID without its key',
    async () => {
      catcher = await startCatcher(name, WITH_KEY);
      const key = basic(WORKSPACE.key);
      const { find, paths } = BY_ADDRESS[name];
      await catcher.send({ to: 'acme-team@app.test', subject: 'of the team' });
      const of = async (to: string, headers = {}) => idsIn(await catcher.json(find(to), { headers }));
      const [id = ''] = await of('acme-team@app.test', key);
      expect(id).not.toBe('');
      expect(await of('acme-team@app.test')).toEqual([]);
      for (const path of paths(id)) {
        // MailHog's interface says null for what is not there.
        const refused = await (await catcher.ask(path)).text();
        expect([path, refused]).toEqual([path, expect.stringMatching(/^null$|There is no such message/)]);
        expect([path, ...(await statusAndCode(path, { headers: key }))]).toEqual([path, 200, null]);
      }
      await catcher.ask(...deletionOf(name, id));
      expect(await of('acme-team@app.test', key)).toEqual([id]);
      await catcher.ask(...deletionOf(name, id, key));
      expect(await of('acme-team@app.test', key)).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    'shows and deletes of a message that a workspace has, too, the part of everybody',
    async () => {
      catcher = await startCatcher(name, WITH_KEY);
      const key = basic(WORKSPACE.key);
      const { find, paths } = BY_ADDRESS[name];
      await catcher.send({ to: ['acme-copy@app.test', 'anybody@app.test'], subject: 'of both' });
      const ids = async (path: string, headers = {}) => idsIn(await catcher.json(path, { headers }));
      const [id = ''] = await ids(list);
      const [theirs = ''] = await ids(list, key);
      // It stands for an email that the client may see, and leads to the message.
      expect(theirs).not.toBe(id);
      expect(await ids(find('anybody@app.test'))).toEqual([id]);
      for (const path of paths(id)) expect((await catcher.ask(path)).status).toBe(200);
      await catcher.ask(...deletionOf(name, id));
      expect(await ids(find('anybody@app.test'), key)).toEqual([]);
      expect(await ids(find('acme-copy@app.test'), key)).toEqual([theirs]);
    },
    PATIENCE_MS,
  );

  test(
    'has a limit of its own, of each client and of each workspace',
    async () => {
      catcher = await startCatcher(name, { dropInLimit: '2/1h', fetchLimit: '1/1h', ...WITH_KEY });
      for (let i = 0; i < 2; i++) expect(await statusAndCode(list)).toEqual([200, null]);
      expect(await statusAndCode(list)).toEqual([429, 'too-many-requests']);
      expect(await statusAndCode(list, { headers: basic(WORKSPACE.key) })).toEqual([200, null]);
      expect(await statusAndCode('/api/inbox/demo')).toEqual([200, null]);
    },
    PATIENCE_MS,
  );

  test(
    'is refused to pages of other sites and under foreign names, as our own interface is',
    async () => {
      catcher = await startCatcher(name);
      expect(await statusAndCode(list, { headers: { 'sec-fetch-site': 'cross-site' } })).toEqual([403, 'cross-site']);
    },
    PATIENCE_MS,
  );

  test(
    'for other machines without a key to give is no start, and a start says who may look',
    async () => {
      const refused = await runMayfly(['serve', '--drop-in', name, '--host', '0.0.0.0', '--store', 'memory:']);
      expect([refused.exitCode, refused.stderr]).toEqual([
        2,
        expect.stringMatching(/--drop-in .* --workspace NAME=KEY/),
      ]);
    },
    PATIENCE_MS,
  );
});

test(
  'a search that waits takes the place of a stream, of which a client may have so many',
  async () => {
    catcher = await startCatcher('mailpit', { streamsPerClient: 1 });
    const waiting = new AbortController();
    const search = '/api/v1/search?query=subject:never&wait=';
    const first = catcher.ask(`${search}30s`, { signal: waiting.signal }).catch(() => null);
    await expect.poll(() => statusAndCode(`${search}1ms`)).toEqual([429, 'too-many-streams']);
    waiting.abort();
    await first;
    await expect.poll(() => statusAndCode(`${search}1ms`)).toEqual([200, null]);
  },
  2 * PATIENCE_MS,
);
