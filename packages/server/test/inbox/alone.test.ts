import { expect, test, vi } from 'vitest';
import { openLog } from '../../src/base/log.js';
import { Inboxes } from '../../src/inbox/inboxes.js';
import { openMemoryStore } from '../../src/store/memory.js';
import { addressingOf } from '../addressing.js';
import { ManualClock } from '../manual-clock.js';
import { newThreads } from './threads/threads.js';

test('a mail that comes alone is read at once; one that comes while another is on its way, in its turn', async () => {
  // By this clock reading takes no time, so that there is never a pause behind it.
  const clock = new ManualClock();
  const store = openMemoryStore({ retentionMs: 60_000, maxEmails: 10, budgetBytes: 2 ** 30 });
  const threads = newThreads();
  const inThreads = vi.spyOn(threads, 'run');
  const inboxes = new Inboxes({
    store,
    addressing: addressingOf(['*']),
    compat: false,
    threads,
    clock,
    log: openLog('silent', 'json'),
  });
  const deliver = () =>
    inboxes.deliver({
      client: 'a',
      raw: Buffer.from('Subject: hello\r\n\r\nhello\r\n'),
      envelopeFrom: '',
      recipients: [{ inbox: 'demo', to: 'demo@inbox.example.com' }],
      receivedAt: clock.now(),
    });
  await inboxes.warmUp();

  for (const mail of ['first', 'second']) expect([mail, (await deliver()).stored]).toEqual([mail, true]);
  expect(inThreads).not.toHaveBeenCalled();
  const together = await Promise.all([deliver(), deliver(), deliver()]);
  expect(together.map(({ stored }) => stored)).toEqual([true, true, true]);
  expect(inThreads).toHaveBeenCalledTimes(2);
  await deliver();
  expect(inThreads).toHaveBeenCalledTimes(2);
  await threads.close();
  await store.close();
});
