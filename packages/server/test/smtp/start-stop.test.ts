import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { RawClient } from './client.js';
import { type Outcome, startTestSmtp, type TestSmtp, testServer } from './start.js';

/** Longer than any test waits: what ends before it did not wait for it. */
const LONG_MS = 600_000;

const STOPPING = '421 4.3.2 The service is stopping: try again in a moment';

let smtp: TestSmtp;

afterEach(async () => await smtp?.stop(0));

test('nothing runs: idle clients are told, and it is over', async () => {
  smtp = await startTestSmtp();
  expect(smtp.isListening()).toBe(true);
  const fresh = await RawClient.greeted(smtp.port);
  const begun = await RawClient.greeted(smtp.port);
  await begun.ask('MAIL FROM:<a@app.test>');
  const sealed = await RawClient.greeted(smtp.port);
  await sealed.ask('STARTTLS');
  await sealed.startTls();
  await sealed.ask('NOOP');
  await smtp.stop(LONG_MS);
  expect(smtp.isListening()).toBe(false);
  for (const client of [fresh, begun, sealed]) {
    expect(await client.line()).toBe(STOPPING);
    expect(await client.line()).toBeNull();
  }
});

test('no new connections are taken', async () => {
  smtp = await startTestSmtp();
  await smtp.stop(LONG_MS);
  const refused = new Promise((resolve) => connect(smtp.port, '127.0.0.1').on('error', resolve));
  expect(await refused).toMatchObject({ code: 'ECONNREFUSED' });
});

test('a mail that is coming in is taken and answered, and nothing after it', async () => {
  smtp = await startTestSmtp();
  const client = await RawClient.greeted(smtp.port);
  await client.begin();
  await client.send('half of it, ');
  const stopped = smtp.stop(LONG_MS);
  await client.send('and the other half\r\n.\r\nMAIL FROM:<b@app.test>\r\n');
  expect(await client.line()).toBe('250 2.6.0 The mail is stored');
  expect(await client.line()).toBe(STOPPING);
  expect(await client.line()).toBeNull();
  await stopped;
  expect(Buffer.from(smtp.inbox.mails[0]?.raw ?? []).toString()).toBe('half of it, and the other half\r\n');
});

test('a mail that is being stored is answered', async () => {
  smtp = await startTestSmtp();
  let stored: (outcome: Outcome) => void = () => {};
  smtp.inbox.outcome = () =>
    new Promise((resolve) => {
      stored = resolve;
    });
  const client = await RawClient.greeted(smtp.port);
  await client.begin();
  await client.send('hello\r\n.\r\n');
  const stopped = smtp.stop(LONG_MS);
  stored('stored');
  expect(await client.line()).toBe('250 2.6.0 The mail is stored');
  expect(await client.line()).toBe(STOPPING);
  await stopped;
});

test('a mail that does not end within the grace is cut off, and its sender is told', async () => {
  smtp = await startTestSmtp();
  const client = await RawClient.greeted(smtp.port);
  await client.begin();
  await client.send('never ending');
  await smtp.stop(50);
  expect(await client.line()).toBe(STOPPING);
  expect(await client.line()).toBeNull();
  expect(smtp.inbox.mails).toEqual([]);
});

test('a mail that is not stored within the grace is with its sender, who is told', async () => {
  smtp = await startTestSmtp();
  const isBeingStored = new Promise<void>((resolve) => {
    smtp.inbox.outcome = () => {
      resolve();
      return new Promise(() => {});
    };
  });
  const client = await RawClient.greeted(smtp.port);
  await client.begin();
  await client.send('hello\r\n.\r\n');
  await isBeingStored;
  await smtp.stop(50);
  expect(await client.line()).toBe(STOPPING);
  expect(await client.line()).toBeNull();
});

test('who connects while a mail still comes in is told, and so is who connects after that until it is over', async () => {
  smtp = await startTestSmtp();
  const busy = await RawClient.greeted(smtp.port);
  await busy.begin();
  const drained = smtp.drain(LONG_MS);
  for (const moment of ['meanwhile', 'after']) {
    if (moment === 'after') {
      await busy.send('the end\r\n.\r\n');
      expect(await busy.line()).toBe('250 2.6.0 The mail is stored');
      await drained;
    }
    const late = await RawClient.open(smtp.port);
    expect(await late.line()).toBe(STOPPING);
    expect(await late.line()).toBeNull();
  }
  await smtp.stop(LONG_MS);
  expect(smtp.isListening()).toBe(false);
});

test('behind a balancer nothing listens while it stops, so that another node is given the connection', async () => {
  const proxies = { first: [parseRange('192.0.2.0/24') as AddressRange], lazily: [] };
  smtp = await startTestSmtp({ proxies });
  const busy = await RawClient.greeted(smtp.port);
  await busy.begin();
  const drained = smtp.drain(LONG_MS);
  const refused = new Promise((resolve) => connect(smtp.port, '127.0.0.1').on('error', resolve));
  expect(await refused).toMatchObject({ code: 'ECONNREFUSED' });
  await busy.send('the end\r\n.\r\n');
  expect(await busy.line()).toBe('250 2.6.0 The mail is stored');
  await drained;
});

test('a client that does not close its side holds nothing up', async () => {
  smtp = await startTestSmtp({ idleTimeoutMs: LONG_MS });
  const stubborn = connect({ port: smtp.port, host: '127.0.0.1', allowHalfOpen: true });
  await new Promise((resolve) => stubborn.once('data', resolve));
  await smtp.stop(LONG_MS);
  stubborn.destroy();
});

test('a client in the middle of a TLS handshake holds nothing up', async () => {
  smtp = await startTestSmtp();
  const client = await RawClient.greeted(smtp.port);
  await client.ask('STARTTLS');
  await client.send(Buffer.from('160301', 'hex'));
  await smtp.stop(LONG_MS);
  expect(await client.line()).toBeNull();
});

test('stopping twice is fine', async () => {
  smtp = await startTestSmtp();
  await Promise.all([smtp.stop(LONG_MS), smtp.stop(LONG_MS)]);
});

test('an address that is taken ends the start', async () => {
  smtp = await startTestSmtp();
  await expect(startTestSmtp({ port: smtp.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a client that had gone before it was accepted is no fault', async () => {
  smtp = await startTestSmtp();
  // While this process waits for another, it accepts nothing.
  const script = `require('net').connect(${smtp.port}, '127.0.0.1', function () { this.resetAndDestroy(); })`;
  execFileSync(process.execPath, ['-e', script]);
  const client = await RawClient.greeted(smtp.port);
  expect(await client.mail('hello')).toMatch(/^250 /);
  expect(smtp.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

describe('the engine by itself', () => {
  /** A socket of a client that never closes its side, and that client. */
  async function stubborn(): Promise<{ ours: Socket; client: Socket }> {
    const listener = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
    const [ours] = (await once(listener, 'connection')) as [Socket];
    listener.close();
    return { ours, client };
  }

  test('gives a client a moment to close its side when it stops', async () => {
    const server = testServer({ tls: await selfSigned('inbox.example.com') });
    // One that is sending its mail keeps the server from its end.
    const { port } = await server.listen(0, '127.0.0.1');
    const busy = await RawClient.greeted(port);
    await busy.begin();
    const { ours, client } = await stubborn();
    server.accept(ours, '127.0.0.1');
    await once(client, 'data');
    const closed = new Promise((resolve) => ours.once('close', () => resolve('closed')));
    const longBefore = new Promise((resolve) => setTimeout(() => resolve(ours.destroyed), 50));
    const stopped = server.stop(LONG_MS);
    const longAfter = new Promise((resolve) => setTimeout(() => resolve('still open'), 10_000));
    expect(await longBefore).toBe(false);
    expect(await Promise.race([closed, longAfter])).toBe('closed');
    client.destroy();
    busy.destroy();
    await stopped;
  });

  test('refuses who is accepted while it stops', async () => {
    const server = testServer({ tls: await selfSigned('inbox.example.com') });
    await server.stop(0);
    const { ours, client } = await stubborn();
    server.accept(ours, '127.0.0.1');
    const [heard] = await once(client, 'data');
    expect(String(heard)).toBe(`${STOPPING}\r\n`);
    client.destroy();
  });

  test('closes those that it has just refused when it stops', async () => {
    const server = testServer({ tls: await selfSigned('inbox.example.com'), maxConnectionsPerClient: 0 });
    const { ours, client } = await stubborn();
    server.accept(ours, '127.0.0.1');
    await server.stop(0);
    expect(ours.destroyed).toBe(true);
    client.destroy();
  });

  test('keeps nothing of connections that are closed', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const server = testServer({ tls: await selfSigned('inbox.example.com') });
    const closed: WeakRef<Socket>[] = [];
    for (let n = 0; n < 20; n += 1) {
      const { ours, client } = await stubborn();
      server.accept(ours, '127.0.0.1');
      await once(client, 'data');
      client.resetAndDestroy();
      await new Promise((resolve) => ours.once('close', resolve));
      closed.push(new WeakRef(ours));
    }
    await vi.waitFor(
      () => {
        collect();
        // What the last one leaves on the stack may live longer.
        expect(closed.filter((socket) => socket.deref() !== undefined).length).toBeLessThan(10);
      },
      { timeout: 30_000, interval: 20 },
    );
    await server.stop(0);
  });
});
