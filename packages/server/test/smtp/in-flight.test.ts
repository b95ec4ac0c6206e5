import { afterEach, describe, expect, test } from 'vitest';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp } from './start.js';

const KIB = 1024;
describe('messages in flight', () => {
  let smtp: TestSmtp;
  const clients: RawClient[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await smtp.stop(0);
  });

  async function greeted(address: string): Promise<RawClient> {
    const client = await RawClient.greeted(smtp.port, address);
    clients.push(client);
    return client;
  }

  test('fifty unfinished messages of one address keep out no message of others', async () => {
    smtp = await startTestSmtp({ set: { 'max-in-flight': 1024 * KIB, 'max-message': 100 * KIB } });
    for (let n = 0; n < 50; n += 1) {
      const attacker = await greeted('127.0.0.66');
      await attacker.begin();
      await attacker.send('x'.repeat(90 * KIB));
    }
    for (const [address, bytes] of [
      ['127.0.0.2', 100],
      ['127.0.0.3', 90 * KIB],
      ['127.0.0.4', 90 * KIB],
    ] as const) {
      const other = await greeted(address);
      await other.begin();
      expect(await other.ask(`${'y'.repeat(bytes)}\r\n.`)).toMatch(/^250 /);
    }
  });

  test('refuses large messages of an address that has used its share, and accepts its small ones', async () => {
    smtp = await startTestSmtp({
      set: { 'max-in-flight': 400 * KIB, 'max-message': 100 * KIB, 'smtp-connections-total': 100 },
    });
    const holding = await greeted('127.0.0.2');
    await holding.begin();
    await holding.send('x'.repeat(90 * KIB));
    const next = await greeted('127.0.0.2');
    await next.begin();
    expect(await next.ask(`${'y'.repeat(20 * KIB)}\r\n.`)).toBe(
      '452 4.3.1 Too much mail is being received from your address (--max-in-flight): try again in a moment',
    );
    expect(await next.mail('small')).toMatch(/^250 /);
  });
});
