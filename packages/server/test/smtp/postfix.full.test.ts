/** Postfix relays to the server, as a mail system in front of it does. Skipped where Postfix, or the right to start it, is not. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { RawClient } from './client.js';
import { type RunningPostfix, startPostfix } from './postfix.js';
import { startTestSmtp, type TestSmtp } from './start.js';

/** How long Postfix may take to start and to deliver. */
const PATIENCE_MS = 120_000;

let smtp: TestSmtp;
let postfix: RunningPostfix | null = null;

beforeEach(async () => {
  smtp = await startTestSmtp();
});

afterEach(async () => {
  await postfix?.stop();
  postfix = null;
  await smtp.stop(0);
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const other = await startTestSmtp();
  await other.stop(0);
  return other.port;
}

describe('Postfix', needs('Postfix'), () => {
  test.each<[string, string[]]>([
    ['in clear', ['smtp_tls_security_level = none']],
    ['under TLS', ['smtp_tls_security_level = encrypt']],
  ])('relays %s, byte for byte', { timeout: 2 * PATIENCE_MS }, async (_, settings) => {
    const port = await freePort();
    postfix = await startPostfix(port, smtp.port, settings);
    let sender: RawClient | undefined;
    await expect
      .poll(async () => (sender = await RawClient.open(port).catch(() => undefined)), { timeout: PATIENCE_MS })
      .toBeDefined();
    expect(await sender?.reply()).toMatch(/^220 /);
    await sender?.ask('EHLO app.test');
    for (const number of [1, 2, 3]) {
      expect(await sender?.mail(`Subject: ${number}\r\n\r\n..\r\n...\r\nGr\xFC\xDFe\r\nlast`)).toMatch(/^250 /);
    }
    sender?.destroy();
    await expect.poll(() => smtp.inbox.mails.length, { timeout: PATIENCE_MS }).toBe(3);
    const raws = smtp.inbox.mails.map(({ raw }) => Buffer.from(raw).toString());
    expect(raws.map((raw) => /^Subject: (\d)/m.exec(raw)?.[1]).sort()).toEqual(['1', '2', '3']);
    for (const raw of raws) expect(raw).toMatch(/\r\n\r\n\.\r\n\.\.\r\nGr\xFC\xDFe\r\nlast\r\n$/);
    expect(smtp.logged.filter(({ level }) => level !== 'debug' && level !== 'info')).toEqual([]);
  });
});
