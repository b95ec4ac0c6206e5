import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openLog } from '../../src/base/log.js';
import { Inboxes } from '../../src/inbox/inboxes.js';
import type { ParserPool } from '../../src/inbox/threads/parser-pool.js';
import { openMemoryStore } from '../../src/store/memory.js';
import { addressingOf } from '../addressing.js';
import { newThreads } from '../inbox/threads/threads.js';
import { RawClient } from '../smtp/client.js';
import { startTestSmtp, type TestSmtp } from '../smtp/start.js';

const KIB = 1024;

/** One of the messages that are most expensive to parse: endless links. */
const COSTLY = `Content-Type: text/html\r\n\r\n${'<a href=http://a.t/auth>x</a>\r\n'.repeat((63 * KIB) / 31)}\r\n.\r\n`;

let smtp: TestSmtp;
let threads: ParserPool;

afterEach(async () => {
  await smtp.stop(0);
  await threads.close();
});

test("a client's message is stored before most of the expensive messages that another client sent first", async () => {
  threads = newThreads();
  const store = openMemoryStore({ retentionMs: 600_000, maxEmails: 1_000, budgetBytes: 2 ** 30 });
  const [clock, log] = [systemClock, openLog('silent', 'json')];
  smtp = await startTestSmtp({
    inbox: new Inboxes({ store, addressing: addressingOf(['*']), zerodrop: false, threads, clock, log }),
  });
  const attackers = await Promise.all(Array.from({ length: 40 }, () => RawClient.greeted(smtp.port, '127.0.0.66')));
  const other = await RawClient.greeted(smtp.port, '127.0.0.2');
  await other.begin();
  for (const attacker of attackers) await attacker.begin();

  let answered = 0;
  for (const attacker of attackers) attacker.flood(Buffer.from(COSTLY));
  const answers = attackers.map((attacker) =>
    attacker.reply().then((reply) => {
      answered += 1;
      return reply;
    }),
  );
  await Promise.race(answers);
  const before = answered;
  expect(await other.ask('Subject: hello\r\n\r\nYour code is 482913\r\n.')).toMatch(/^250 /);
  // The other client's message waited only for the messages being parsed when it arrived, which are at most two.
  expect(answered - before).toBeLessThan(10);
  for (const reply of await Promise.all(answers)) expect(reply).toMatch(/^250 /);
  for (const client of [other, ...attackers]) client.destroy();
});
