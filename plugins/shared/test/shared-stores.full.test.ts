import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { endAll, type RunningMayfly, serve, transportTo } from '../../../packages/server/test/service/process.js';
import { temporaryDirectories } from '../../../packages/server/test/store/temporary.js';
import { type RedisServer, startRedis } from '../../../packages/store-redis/test/redis-server.js';
import { needs } from '../../../tools/needs.js';
import { type Answer, freshAddress, PATIENCE_MS } from './compat-api.js';

const newFolder = temporaryDirectories();

const ARGS = ['--domain', '*', '--compat-api-limit', 'off', '--log-level', 'error'];

/** Two nodes with Mailpit's API, and one with MailHog's. */
type Nodes = readonly [one: RunningMayfly, two: RunningMayfly, hog: RunningMayfly];

const json = async ({ url }: RunningMayfly, path: string): Promise<Answer> => (await fetch(url + path)).json();

const search = (node: RunningMayfly, query: string, more = '') =>
  json(node, `/api/v1/search?query=${encodeURIComponent(query)}${more}`);

const del = async ({ url }: RunningMayfly, path: string, body?: object) => {
  const answer = await fetch(url + path, { method: 'DELETE', ...(body && { body: JSON.stringify(body) }) });
  expect(answer.status).toBe(200);
};

async function send(node: RunningMayfly, to: string | string[], subject = 'Hello') {
  await transportTo(node).sendMail({ from: 'app@app.test', to, subject, text: 'Your code is 482913' });
}

/** Returns the number of messages that a node lists. */
const listed = async (node: RunningMayfly) => (await json(node, '/api/v1/messages')).total;

const soon = { timeout: PATIENCE_MS };

/** Tests for several processes that share a store. */
function describeNodes(newStore: () => Promise<string>): void {
  let nodes: Nodes;
  beforeAll(async () => {
    const store = ['--store', await newStore(), ...ARGS];
    nodes = await Promise.all([
      serve([...store, '--compat-api', 'mailpit']),
      serve([...store, '--compat-api', 'mailpit']),
      serve([...store, '--compat-api', 'mailhog']),
    ]);
  }, 2 * PATIENCE_MS);
  afterAll(endAll);
  afterEach(() => del(nodes[0], '/api/v1/messages'));

  test('immediately find a message of another node by address, under the same ID, and soon list it', async () => {
    const [one, two, hog] = nodes;
    const [to, other] = [freshAddress(), freshAddress()];
    // Makes the nodes cache lists that lack the new mail.
    await Promise.all(nodes.map((node) => json(node, '/api/v1/messages')));
    await send(one, [to, other], 'over there');
    const [here, there] = await Promise.all([search(one, `to:${to}`), search(two, `to:${other}`)]);
    const { total, items } = await json(hog, `/api/v2/search?kind=to&query=${to}`);
    expect([here.messages_count, there.messages_count, total]).toEqual([1, 1, 1]);
    const [{ ID }] = here.messages;
    expect([there.messages[0].ID, items[0].ID]).toEqual([ID, ID]);
    expect(await json(two, `/api/v1/message/${ID}`)).toMatchObject({ ID, OTP: '482913' });
    await expect.poll(() => listed(two), soon).toBe(1);
    await expect.poll(async () => (await json(hog, '/api/v2/messages')).items[0]?.ID, soon).toBe(ID);
  });

  test('return mail from another node to a waiting search', async () => {
    const [one, two] = nodes;
    const to = freshAddress();
    const waits = [`to:${to}`, 'subject:"from afar"'].map((query) => search(two, query, '&wait=30s'));
    await json(two, '/api/v1/info');
    await send(one, to, 'from afar');
    for (const { messages } of await Promise.all(waits)) expect(messages).toMatchObject([{ OTP: '482913' }]);
  });

  test('send web-socket events for mail that another node received', async () => {
    const [one, two] = nodes;
    const socket = new WebSocket(`${one.url.replace('http', 'ws')}/api/events`);
    const subjects: string[] = [];
    socket.on('message', (data) => {
      const { Type, Data } = JSON.parse(String(data));
      if (Type === 'new') subjects.push(Data.Subject);
    });
    await once(socket, 'open');
    await send(two, freshAddress(), 'from the other');
    await expect.poll(() => subjects, soon).toEqual(['from the other']);
    socket.terminate();
  });

  test('stop finding a message by address and ID when one node has deleted it, and soon stop listing it', async () => {
    const [one, two, hog] = nodes;
    const [to, other] = [freshAddress(), freshAddress()];
    await send(one, [to, other]);
    await send(one, other, 'stays');
    await expect.poll(() => listed(two), soon).toBe(2);
    await expect.poll(async () => (await json(hog, '/api/v2/messages')).total, soon).toBe(2);
    const [{ ID }] = (await search(one, `to:${to}`)).messages;
    await del(two, '/api/v1/messages', { IDs: [ID] });
    expect((await search(one, `to:${to}`)).messages_count).toBe(0);
    expect((await search(one, `to:${other}`)).messages).toMatchObject([{ Subject: 'stays' }]);
    expect((await fetch(`${one.url}/api/v1/message/${ID}`)).status).toBe(404);
    expect(await json(hog, `/api/v1/messages/${ID}`)).toBe(null);
    await expect.poll(() => listed(one), soon).toBe(1);
    await expect.poll(async () => (await json(hog, '/api/v2/messages')).total, soon).toBe(1);
  });

  test.each([1, 2] as const)(
    'delete mail that has just arrived on node 0 when node %i deletes all mail',
    async (at) => {
      const [one] = nodes;
      const to = freshAddress();
      await Promise.all(nodes.map((node) => json(node, '/api/v1/messages')));
      await send(one, to);
      await del(nodes[at], '/api/v1/messages');
      expect((await search(one, `to:${to}`)).messages_count).toBe(0);
    },
  );

  test('apply a request to mark messages as read in one process only: the one that receives it', async () => {
    const [one, two] = nodes;
    await send(one, freshAddress());
    await expect.poll(() => listed(two), soon).toBe(1);
    await fetch(`${one.url}/api/v1/messages`, { method: 'PUT', body: '{"Read":true}' });
    expect([await json(one, '/api/v1/messages'), await json(two, '/api/v1/messages')]).toMatchObject([
      { unread: 0, messages: [{ Read: true }] },
      { unread: 1, messages: [{ Read: false }] },
    ]);
  });
}

describe('several processes on one folder', () => describeNodes(async () => `lmdb:${await newFolder()}`));

describe('several nodes on one Redis', needs('redis-server'), () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.end());
  describeNodes(async () => redis.newUrl());
});
