import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { RawClient } from '../smtp/client.js';
import { endAll, fetchInbox, type RunningMayfly, serve, temporaryFolder, transportTo } from './process.js';

const MIB = 1024 * 1024;

const sockets: Socket[] = [];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  endAll();
  await folder.remove();
});

async function start(): Promise<RunningMayfly> {
  folder = await temporaryFolder();
  return serve(['--store', `lmdb:${folder.path}/store`, '--domain', 'inbox.example.com']);
}

/** A connection and everything received on it. */
class Peer {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  heard = '';

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1').setEncoding('latin1');
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('error', () => {});
    this.socket.on('data', (text) => {
      this.heard += text;
    });
    sockets.push(this.socket);
  }

  /** Resolves when the received text matches. */
  async hears(what: RegExp): Promise<void> {
    while (!what.test(this.heard)) await once(this.socket, 'data');
  }

  async says(text: string, answer: RegExp): Promise<void> {
    this.heard = '';
    this.socket.write(text);
    await this.hears(answer);
  }
}

const portOf = ({ url }: RunningMayfly) => Number(new URL(url).port);

const ASK = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Opens idle connections: some after a response, some without any request. */
async function idlePeers(mayfly: RunningMayfly): Promise<Peer[]> {
  const peers = Array.from({ length: 10 }, () => new Peer(portOf(mayfly)));
  await Promise.all(peers.map(({ socket }) => once(socket, 'connect')));
  for (const peer of peers.slice(5)) await peer.says(ASK, /\{.*\}$/);
  return peers;
}

/** Connects a client that sends half of a message. */
async function senderOfHalf(mayfly: RunningMayfly): Promise<RawClient> {
  const sender = await RawClient.greeted(mayfly.smtpPort);
  await sender.begin('half@inbox.example.com');
  await sender.send('Subject: half\r\n\r\nhalf of it');
  return sender;
}

test('a stopping service answers /readyz with 503 until the last message is received and the last response sent', async () => {
  const mayfly = await start();
  const ready = () => fetch(`${mayfly.url}/readyz`).then(({ status }) => status);
  expect(await ready()).toBe(200);
  const sender = await senderOfHalf(mayfly);
  const asking = new Peer(portOf(mayfly));
  const head = 'POST /api/waitlist HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  await asking.says(`${head}Expect: 100-continue\r\nContent-Length: 25\r\n\r\n`, /^HTTP\/1\.1 100 /);
  const ended = mayfly.end('SIGTERM');
  await expect.poll(() => mayfly.log()).toContain('SIGTERM');
  expect([await ready(), await ready()]).toEqual([503, 503]);
  expect(await sender.ask(' and the rest\r\n.')).toMatch(/^250 /);
  expect(await ready()).toBe(503);
  await asking.says('{"email":"a@example.com"}', /^HTTP\/1\.1 200 /);
  expect(await ended).toBe(0);
  expect(mayfly.log()).not.toContain('ERROR');
});

test('HTTP closes idle connections at a stop while SMTP still receives a message', async () => {
  const mayfly = await start();
  const peers = await idlePeers(mayfly);
  const sender = await senderOfHalf(mayfly);
  const ended = mayfly.end('SIGTERM');
  await Promise.all(peers.map(({ closed }) => closed));
  expect(await sender.ask(' and the rest\r\n.')).toMatch(/^250 /);
  expect(await ended).toBe(0);
  const again = await serve(['--store', `lmdb:${folder.path}/store`]);
  expect((await fetchInbox(again, 'half')).emails[0]?.subject).toBe('half');
});

test('SMTP closes idle connections at a stop and rejects new ones while HTTP finishes a response', async () => {
  const mayfly = await start();
  const image = { content: Buffer.alloc(5 * MIB, 'x'), filename: 'a.png', contentType: 'image/png', cid: 'a' };
  const html = '<img src="cid:a">';
  await transportTo(mayfly).sendMail({ from: 'a@a.test', to: 'large@inbox.example.com', html, attachments: [image] });
  const { emails } = await fetchInbox(mayfly, 'large');
  const path = `/api/inbox/large/${emails[0]?.receivedAt}`;
  // One response that is completed before it is sent, and one that is generated while it is sent.
  const readers = ['html', 'raw'].map((operation) => {
    const reader = new Peer(portOf(mayfly));
    reader.socket.write(`GET ${path}/${operation} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return reader;
  });
  const begun = readers.map(async ({ socket }) => {
    await once(socket, 'data');
    socket.pause();
  });
  await Promise.all(begun);
  const silent = new Peer(mayfly.smtpPort);
  await silent.hears(/^220 /);
  const peers = await idlePeers(mayfly);
  const ended = mayfly.end('SIGTERM');
  await Promise.all([silent, ...peers].map(({ closed }) => closed));
  const late = new Peer(mayfly.smtpPort);
  await late.closed;
  expect(late.heard).toBe('421 4.3.2 The service is stopping: try again in a moment\r\n');
  for (const { socket } of readers) socket.resume();
  await Promise.all(readers.map(({ closed }) => closed));
  for (const { heard } of readers) {
    const [head = '', body = ''] = heard.split(/\r\n\r\n(.*)/s, 2);
    const length = /^content-length: (\d+)$/im.exec(head)?.[1];
    if (length === undefined) expect(body.slice(-7)).toBe('\r\n0\r\n\r\n');
    else expect(body.length).toBe(Number(length));
    expect(body.length).toBeGreaterThan(6 * MIB);
  }
  expect(await ended).toBe(0);
});
