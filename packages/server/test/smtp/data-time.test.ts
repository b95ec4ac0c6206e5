import { afterEach, describe, expect, test } from 'vitest';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp } from './start.js';

/** How often one client sends 500 bytes for each byte of the other. */
const SENDS_PER_TRICKLE = 100;

describe('on the wire', () => {
  let smtp: TestSmtp;

  afterEach(async () => await smtp.stop(0));

  test('disconnects a client that sends too slowly, and not one that is slow within the limits', async () => {
    smtp = await startTestSmtp({
      set: { 'smtp-data-speed': { bytes: 500, periodMs: 150 }, 'smtp-data-time': 60_000 },
    });
    const trickling = await RawClient.greeted(smtp.port);
    const slow = await RawClient.greeted(smtp.port);
    // The slow one is judged before the other each time: it is not sent away, and not only because the test is over.
    await slow.begin();
    await trickling.begin();
    // However fast this machine sends, the one is far below the least speed where the other keeps to it.
    for (let sent = 0; trickling.unread === ''; sent += 1) {
      await slow.send(`${'x'.repeat(498)}\r\n`);
      if (sent % SENDS_PER_TRICKLE === 0) await trickling.send('.');
    }
    expect(await trickling.line()).toBe('421 4.4.2 The message is arriving too slowly: closing the connection');
    expect(await trickling.line()).toBeNull();
    expect(await slow.ask('.')).toMatch(/^250 /);
    expect(smtp.inbox.mails).toHaveLength(1);
    slow.destroy();
  });
});
