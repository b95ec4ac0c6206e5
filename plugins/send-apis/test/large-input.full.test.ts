/** Tests input that is too large for the service, with each provider. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { freshAddress, serviceOfFile } from './provider.js';
import { NAMES, REQUESTS, type Sent, send } from './requests.js';

const service = await serviceOfFile({ smtpLimit: 'off', maxMessage: '256KiB', httpRequestTime: '1s' });
const MANY = 10_000;
const MB = 1024 * 1024;

/** Sends a request without its body, and collects the response until the connection closes. */
function opened({ path, headers }: Sent, more: Readonly<Record<string, string>>) {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const lines = Object.entries({ Host: '127.0.0.1', ...headers, ...more }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  let said = '';
  socket.on('data', (chunk) => {
    said += chunk;
  });
  // A client that continues to send on a closed connection gets an error from the system.
  socket.on('error', () => {});
  return { socket, answer: () => said };
}

/** Sends chunks until the service has responded or closed. Resolves to the number of bytes sent. */
async function pour(socket: Socket, most: number, answer: () => string): Promise<number> {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
  let sent = 0;
  while (sent < most && answer() === '' && !socket.destroyed) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close'), once(socket, 'data')]);
    sent += piece.length;
  }
  return sent;
}

describe.each(NAMES)('too large input for %s', (name) => {
  const { mail, many, isError } = REQUESTS[name];

  /** SES version 1 shares its path with the web UI, so a timeout (408) has Mayfly's format instead of SES's. */
  const expectError = (said: string, status: number) => {
    const [head = '', body = ''] = said.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const errorType = /x-amzn-errortype: (.*)/i.exec(head)?.[1];
    const headers = new Headers(errorType === undefined ? {} : { 'x-amzn-errortype': errorType });
    expect(isError(body, headers) || status === 408).toBe(true);
  };

  const isServed = async () => {
    const to = freshAddress();
    expect((await send(service.url, mail(to))).ok).toBe(true);
    expect(await service.emails(to)).toHaveLength(1);
  };

  test('with ten thousand recipients is rejected, and delivered to no one', async () => {
    const addresses = Array.from({ length: MANY }, (_, at) => `${name.replace(' ', '')}-${at}@inbox.example.com`);
    const answer = await send(service.url, many(addresses));
    expect(answer.status).toBe(400 + (['resend', 'postmark'].includes(name) ? 22 : 0));
    expect(isError(await answer.text(), answer.headers)).toBe(true);
    for (const address of [addresses[0], addresses.at(-1)]) expect(await service.emails(address ?? '')).toEqual([]);
  });

  test('with a body of 100 MB is rejected before the body has arrived', async () => {
    const { socket, answer } = opened(mail('a@inbox.example.com'), { 'Transfer-Encoding': 'chunked' });
    const sent = await pour(socket, 100 * MB, answer);
    await expect.poll(answer).toMatch(/\r\n\r\n./);
    expectError(answer(), name.startsWith('ses') ? 400 : 413);
    expect(sent).toBeLessThan(20 * MB);
    socket.destroy();
    await isServed();
  });

  test('does not block other requests if its body never arrives', async () => {
    const { socket, answer } = opened(mail('a@inbox.example.com'), { 'Content-Length': '1000' });
    socket.write('{"from":');
    await isServed();
    await once(socket, 'close');
    expectError(answer(), name === 'ses v1' ? 408 : name === 'resend' ? 500 : 503);
  });
});

test.each<[string, () => Sent]>([
  [
    'a text of 250 KB for 1,000 personalizations',
    () => {
      const body = {
        from: { email: 'app@acme.test' },
        subject: 'Hi',
        content: [{ type: 'text/plain', value: 'x'.repeat(250 * 1024) }],
        personalizations: Array.from({ length: 1_000 }, (_, at) => ({ to: [{ email: `u${at}@inbox.example.com` }] })),
      };
      return { path: '/v3/mail/send', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    },
  ],
  [
    'a form of 12,000 parts',
    () => ({
      path: '/v3/mg.test/messages',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: `${'--b\r\n\r\n\r\n'.repeat(12_000)}--b--\r\n`,
    }),
  ],
])('%s is rejected before it is processed', async (_, request) => {
  expect([400, 413]).toContain((await send(service.url, request())).status);
});
