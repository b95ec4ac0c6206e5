import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { HeldBytes } from '../../src/fairness/client-memory.js';
import { createHttpServer } from '../../src/http/connection/http-server.js';
import { Peers } from '../../src/http/connection/peers.js';
import type { Pipeline } from '../../src/http/connection/pipeline.js';
import { ManualClock } from '../manual-clock.js';

const LIMITS = {
  headerTimeoutMs: 60_000,
  requestTimeoutMs: 60_000,
  maxBodyBytes: 1_000_000,
  maxConnections: 1_000,
  maxConnectionsPerClient: 1_000,
};

/** How long what must come may take on a busy machine. */
const PATIENCE = { timeout: 50_000, interval: 5 };

const open: { destroy(): void }[] = [];

afterEach(() => {
  for (const each of open.splice(0)) each.destroy();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function start(
  answer: Answer,
  held = new HeldBytes(new ManualClock()),
): Promise<{ server: Server; client(localAddress?: string): Socket }> {
  const server = createHttpServer({
    limits: LIMITS,
    peers: new Peers([]),
    clock: new ManualClock(),
    held,
    answer,
  });
  server.listen(0, '127.0.0.1');
  open.push({ destroy: () => server.close().closeAllConnections() });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
    open.push(socket);
    return socket;
  };
  return { server, client };
}

const get = (path: string, ...fields: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n');

const LAST = 'Connection: close';

/** The bodies of answers, in their order. Each is a word in angle brackets. */
const bodies = (answers: string) => answers.match(/(?<=<)[^>]*(?=>)/g);

/** Answers with the path and the body of a request, some turns after all of it has come; says how many were begun at most at once. */
function echo(): { answer: Answer; most(): number } {
  let [begun, most] = [0, 0];
  const answer: Answer = async (request, response) => {
    begun += 1;
    most = Math.max(most, begun);
    const body = await text(request);
    for (let turns = 0; turns < 3; turns += 1) await turn();
    response.once('finish', () => {
      begun -= 1;
    });
    response.end(`<${request.url} ${body}>`);
  };
  return { answer, most: () => most };
}

describe('requests that are sent without waiting for answers', () => {
  test('are begun one at a time and all of them answered, in their order', async () => {
    const { answer, most } = echo();
    const { client } = await start(answer);
    const socket = client();
    const paths = Array.from({ length: 40 }, (_, n) => `/${n}`);
    socket.write(paths.map((path) => get(path)).join('') + get('/last', LAST));
    expect(bodies(await text(socket))).toEqual([...paths, '/last'].map((path) => `${path} `));
    expect(most()).toBe(1);
  });

  const MIXED = [
    get('/a'),
    'POST /b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 27\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /c HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\n\r\n\r\n\r\n0\r\n\r\n',
    `POST /d HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000\r\n\r\n${'d'.repeat(3_000)}`,
    get('/e', `X: ${'e'.repeat(5_000)}`),
    `\r\n${get('/f')}`,
    get('/g', LAST),
  ];
  const ANSWERED = [
    '/a ',
    '/b GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    '/c abc\r\n\r\n',
    `/d ${'d'.repeat(3_000)}`,
    '/e ',
    '/f ',
    '/g ',
  ];

  test.each([
    ['in one packet', Number.POSITIVE_INFINITY],
    ['in packets of three bytes', 3],
    ['in packets of 1,000 bytes', 1_000],
  ])('are so with bodies of all kinds, %s', async (_, size) => {
    const { answer, most } = echo();
    const { client } = await start(answer);
    const socket = client().setNoDelay(true);
    const answers = text(socket);
    const bytes = MIXED.join('');
    for (let at = 0; at < bytes.length; at += size) {
      socket.write(bytes.slice(at, at + size));
      if (at % 30 === 0) await turn();
    }
    expect(bodies(await answers)).toEqual(ANSWERED);
    expect(most()).toBe(1);
  });

  test('are not read any more where they are many, and answered when those before are', async () => {
    const waiting: ServerResponse[] = [];
    let isOpen = false;
    const { server, client } = await start((request, response) => {
      if (isOpen) response.end(`<${request.url}>`);
      else waiting.push(response);
    });
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = client();
    const paths = Array.from({ length: 20_000 }, (_, n) => `/${n}`);
    socket.write(paths.map((path) => get(path)).join('') + get('/last', LAST));
    const [ours] = await accepted;
    await vi.waitFor(() => expect(waiting).toHaveLength(1), PATIENCE);
    for (let still = 0, before = 0; still < 200; still += 1) {
      await turn();
      if (ours.bytesRead > before) still = 0;
      before = ours.bytesRead;
    }
    // One read more than each bound, ours and the socket's own: 64 KiB at most.
    expect(ours.bytesRead).toBeLessThanOrEqual(16 * 1024 + ours.readableHighWaterMark + 2 * 64 * 1024);
    isOpen = true;
    waiting[0]?.end('<first>');
    expect(bodies(await text(socket))).toEqual(['first', ...paths.slice(1), '/last']);
  });

  test('are held for their clients: where there are too many, who has most is cut, and others go on', async () => {
    const total = 2 * 1024 * 1024;
    const { server, client } = await start(() => {}, new HeldBytes(new ManualClock(), { total, perClient: total }));
    const cut: (string | undefined)[] = [];
    server.on('connection', (socket) => {
      const { remoteAddress } = socket;
      socket.once('close', () => cut.push(remoteAddress));
    });
    const much = get('/') + get('/', `X: ${'x'.repeat(14_000)}`).repeat(8);
    const others = ['127.0.0.2', '127.0.0.3'].map((address) => client(address));
    for (const other of others) other.write(much);
    const sockets = Array.from({ length: Math.ceil(total / (16 * 1024)) + 1 }, () => client());
    for (const socket of sockets) socket.write(much);
    // One that pipelines when it is full already.
    others.push(client('127.0.0.4'));
    others.at(-1)?.write(much);
    await vi.waitFor(() => expect(cut.length).toBeGreaterThan(0), PATIENCE);
    expect(new Set(cut)).toEqual(new Set(['127.0.0.1']));
    expect(others.map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
  });

  test('do not hide that their client has left', async () => {
    const { server, client } = await start(() => {});
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = client();
    socket.write(get('/').repeat(40));
    const [ours] = await accepted;
    await once(server, 'request');
    socket.end();
    if (!ours.closed) await new Promise((resolve) => ours.once('close', resolve));
  });
});

test('leaves the bytes behind a request to the protocol that takes its connection', async () => {
  const { client } = await start(({ socket }) => {
    const taken = (socket as unknown as Pipeline).release();
    taken.socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    let heard = taken.head.toString();
    taken.socket.on('data', (bytes) => {
      heard += bytes;
    });
    taken.socket.on('end', () => taken.socket.end(`<${heard}>`));
  });
  const socket = client();
  const answer = text(socket);
  socket.write(`${get('/', 'Connection: Upgrade', 'Upgrade: echo')}${'x'.repeat(2_000)}`);
  await vi.waitFor(() => expect(socket.bytesRead).toBeGreaterThan(0), PATIENCE);
  socket.end('y');
  expect(bodies(await answer)).toEqual([`${'x'.repeat(2_000)}y`]);
});
