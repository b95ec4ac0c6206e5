import { afterEach, expect, test } from 'vitest';
import { openLog } from '../../src/base/log.js';
import { Inboxes } from '../../src/inbox/inboxes.js';
import { type ParserPool, SMALL_BYTES } from '../../src/inbox/threads/parser-pool.js';
import { openMemoryStore } from '../../src/store/memory.js';
import { addressingOf } from '../addressing.js';
import { ManualClock } from '../manual-clock.js';
import { newThreads } from './threads/threads.js';

const STRANGE = new URL('./threads/strange-worker.js', import.meta.url);

let threads: ParserPool;

afterEach(async () => await threads.close());

test('a message that took longer to parse gets a later receivedAt, so no reader skips it', async () => {
  const clock = new ManualClock(1_000);
  const store = openMemoryStore({ retentionMs: 60_000, maxEmails: 10, budgetBytes: 2 ** 30 });
  threads = newThreads({ worker: STRANGE });
  const log = openLog('silent', 'json');
  const inboxes = new Inboxes({ store, addressing: addressingOf(['*']), zerodrop: false, threads, clock, log });
  const deliver = (raw: Uint8Array, receivedAt: number) => {
    const recipients = [{ inbox: 'demo', to: `demo@${receivedAt}.test` }];
    return inboxes.deliver({ client: 'a', raw, envelopeFrom: '', recipients, receivedAt });
  };

  const message = new Uint8Array(new SharedArrayBuffer(SMALL_BYTES + 1));
  message.set(Buffer.from('gate'));
  const early = deliver(message, 1_000);
  expect(await deliver(Buffer.from('later'), 1_001)).toMatchObject({ stored: true });
  Atomics.store(message, 0, 0);
  expect(await early).toMatchObject({ stored: true });
  const listed = await store.list('demo', { after: 1_001 }, clock.now());
  expect(listed.map(({ to, receivedAt }) => [to, receivedAt])).toEqual([['demo@1000.test', 1_002]]);
  await store.close();
});
