import { afterEach, describe, expect, test } from 'vitest';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp } from './start.js';

/** How often the slow client sends 500 bytes before the trickling client sends its next byte. */
const SENDS_PER_TRICKLE = 100;

describe('the minimum speed of a message', () => {
  let smtp: TestSmtp;

  afterEach(async () => await smtp.stop(0));

  test('disconnects a client that sends below this speed, but not a slow client that reaches it', async () => {
    smtp = await startTestSmtp({
      set: { 'smtp-data-speed': { bytes: 500, periodMs: 150 }, 'smtp-data-time': 60_000 },
    });
    const trickling = await RawClient.greeted(smtp.port);
    const slow = await RawClient.greeted(smtp.port);
    // The slow client begins first, so the server checks the slow client before it disconnects the trickling one.
    await slow.begin();
    await trickling.begin();
    // At any speed of this machine, the trickling client is far below the minimum speed while the slow one meets it.
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
