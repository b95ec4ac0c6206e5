import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openLog } from '../../dist/base/log.js';
import { startService } from '../../dist/service.js';
import { readSettings } from '../../dist/settings/reading.js';

test("with --host localhost, the listeners for IPv4 and IPv6 both have Mayfly's limits and errors", async () => {
  const flags = { host: 'localhost', store: 'memory:', 'http-port': '0', 'smtp-port': '0', page: 'false' } as const;
  const written = new Map(Object.entries(flags).map(([name, text]) => [name, [text]])) as Parameters<
    typeof readSettings
  >[0];
  const service = await startService(readSettings(written, new Map()), openLog('silent', 'json'));
  try {
    const port = Number(new URL(service.http).port);
    const answers = await Promise.all(['127.0.0.1', '::1'].map((address) => tunnel(port, address)));
    const heard = answers.filter((answer) => answer !== null);
    expect(heard).not.toEqual([]);
    for (const answer of heard) expect(answer).toMatch(/^HTTP\/1\.1 501 [\s\S]*"error":"/);
  } finally {
    await service.stop();
  }
});

/** Sends CONNECT to an address, and resolves to the response; null if nothing listens there. */
async function tunnel(port: number, address: string): Promise<string | null> {
  const socket = connect(port, address).setEncoding('latin1');
  try {
    await once(socket, 'connect');
  } catch {
    return null;
  }
  socket.write('CONNECT a.test:443 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  let answer = '';
  for await (const text of socket) answer += text;
  return answer;
}
