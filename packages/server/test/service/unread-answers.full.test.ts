import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { endAll, fetchInbox, serve, transportTo } from './process.js';

const MIB = 1024 * 1024;

/** How long what must come may take on a busy machine: who waits for a turn is told after ten seconds. */
const PATIENCE = { timeout: 50_000, interval: 20 };

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  endAll();
});

/** How much memory a process has, in bytes. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Asks for something, reads how the answer begins, and no more of it. */
function askAndStall(url: string, path: string, localAddress: string, heard: (head: string) => void): void {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  sockets.push(socket.on('error', () => {}));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  socket.once('data', (bytes: Buffer) => {
    socket.pause();
    heard(bytes.toString('latin1', 9));
  });
}

test('a client with a hundred connections that reads no answer does not fill the memory, and keeps nobody else waiting', async () => {
  const mayfly = await serve(['--store', 'memory:', '--metrics', '0']);
  const image = { content: Buffer.alloc(5 * MIB, 'x'), filename: 'a.png', contentType: 'image/png', cid: 'a' };
  const html = '<img src="cid:a">';
  await transportTo(mayfly).sendMail({ from: 'a@a.test', to: 'demo@inbox.example.com', html, attachments: [image] });
  const { emails } = await fetchInbox(mayfly, 'demo');
  const path = `/api/inbox/demo/${emails[0]?.receivedAt}`;
  const before = await memoryOf(mayfly.process.pid);

  const statuses: string[] = [];
  for (let n = 0; n < 100; n += 1) {
    askAndStall(mayfly.url, `${path}/html`, '127.0.0.66', (head) => statuses.push(head.slice(0, 3)));
  }
  await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(4), PATIENCE);
  expect((await fetch(`${mayfly.url}${path}/html`).then((response) => response.text())).length).toBeGreaterThan(
    6 * MIB,
  );
  expect(statuses.length).toBeLessThan(100);

  await vi.waitFor(() => expect(statuses).toHaveLength(100), PATIENCE);
  // Seven million characters each: 32 MiB, and the four that were being made by then.
  expect(statuses.filter((status) => status === '200').length).toBeLessThan(10);
  expect((await memoryOf(mayfly.process.pid)) - before).toBeLessThan(400 * MIB);
  const [, metrics = ''] = /metrics=(\S+)/.exec(mayfly.output()) ?? [];
  const refused = statuses.filter((status) => status === '503').length;
  expect(await (await fetch(metrics)).text()).toContain(`\nmayfly_limited_total{limit="inspections"} ${refused}\n`);
});

test('who waits to have a message read again is told when the service stops', async () => {
  const mayfly = await serve(['--store', 'memory:']);
  const image = { content: Buffer.alloc(5 * MIB, 'x'), filename: 'a.png', contentType: 'image/png', cid: 'a' };
  const html = '<img src="cid:a">';
  await transportTo(mayfly).sendMail({ from: 'a@a.test', to: 'demo@inbox.example.com', html, attachments: [image] });
  const { emails } = await fetchInbox(mayfly, 'demo');
  const heads: string[] = [];
  for (let n = 0; n < 20; n += 1) {
    const path = `/api/inbox/demo/${emails[0]?.receivedAt}/html`;
    askAndStall(mayfly.url, path, '127.0.0.66', (head) => heads.push(head));
  }
  // Seven million characters each: these are 32 MiB, so the others wait.
  await vi.waitFor(() => expect(heads.length).toBeGreaterThanOrEqual(5), PATIENCE);
  mayfly.process.kill('SIGTERM');
  await vi.waitFor(
    () => expect(heads.filter((head) => head.includes('mayfly-error: stopping')).length).toBeGreaterThan(10),
    PATIENCE,
  );
});

/** How many answers in pieces one client is sent at a time. */
const AT_ONCE = 16;

test('messages that a client with two hundred connections does not read are made a few at a time, and the stop waits for none of the others', async () => {
  const mayfly = await serve(['--store', 'memory:']);
  const attachments = [{ content: Buffer.alloc(7 * MIB, 'x'), filename: 'a.bin' }];
  await transportTo(mayfly).sendMail({ from: 'a@a.test', to: 'demo@inbox.example.com', text: 'a', attachments });
  const { emails } = await fetchInbox(mayfly, 'demo');
  const path = `/api/inbox/demo/${emails[0]?.receivedAt}/raw`;
  const before = await memoryOf(mayfly.process.pid);

  const sent: string[] = [];
  const refused: string[] = [];
  const ask = () =>
    askAndStall(mayfly.url, path, '127.0.0.66', (head) => (head.startsWith('200') ? sent : refused).push(head));
  for (let n = 0; n < 200; n += 1) ask();
  await vi.waitFor(() => expect(sent).toHaveLength(AT_ONCE), PATIENCE);
  const other = await fetch(`${mayfly.url}${path}`);
  expect((await other.arrayBuffer()).byteLength).toBeGreaterThan(7 * MIB);
  // By the time that a later request is answered, this one waits.
  ask();
  await fetch(`${mayfly.url}/healthz`);
  mayfly.process.kill('SIGTERM');
  await vi.waitFor(() => expect(refused.some((head) => head.includes('mayfly-error: stopping'))).toBe(true), PATIENCE);
  expect(sent).toHaveLength(AT_ONCE);
  expect((await memoryOf(mayfly.process.pid)) - before).toBeLessThan(150 * MIB);
});
