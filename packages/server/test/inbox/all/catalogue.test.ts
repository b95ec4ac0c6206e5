import { expect, test } from 'vitest';
import { Catalogue } from '../../../src/inbox/all/catalogue.js';
import { openMemoryStore } from '../../../src/store/memory.js';
import type { Store } from '../../../src/store/store.js';
import { ManualClock } from '../../manual-clock.js';
import { delivery, ROOMY } from '../../store/mail.js';

/** A catalogue of a store, with a clock that is moved by hand. */
function begin(limits = {}) {
  const clock = new ManualClock();
  const store = openMemoryStore({ ...ROOMY, maxEmails: 100_000, retentionMs: 60_000, ...limits });
  return { clock, store, catalogue: new Catalogue({ store, clock }) };
}

const append = (store: Store, inboxes: string | string[], at: number) => store.append(delivery(inboxes, at), at);

/** The inboxes of the messages, the newest first. */
async function shown(catalogue: Catalogue): Promise<string[]> {
  return (await catalogue.messages()).map(({ emails }) =>
    emails
      .map(({ inbox }) => inbox)
      .sort()
      .join('+'),
  );
}

test('lists each message once with its recipients, the newest first', async () => {
  const { clock, store, catalogue } = begin();
  await append(store, ['a', 'b'], clock.now());
  await append(store, 'a', clock.now());
  await append(store, 'c', clock.now() + 5);
  expect(await shown(catalogue)).toEqual(['c', 'a', 'a+b']);
});

test('shows changes of another process within five seconds', async () => {
  const { clock, store, catalogue } = begin();
  await append(store, 'a', clock.now());
  expect(await shown(catalogue)).toEqual(['a']);
  await append(store, 'b', clock.now());
  await store.clear('a', clock.now());
  expect(await shown(catalogue)).toEqual(['a']);
  await clock.advance(5_000);
  expect(await shown(catalogue)).toEqual(['b']);
  await append(store, 'c', clock.now());
  await clock.advance(1_000);
  // This one is answered from what is known, and has the store gone through meanwhile.
  expect(await shown(catalogue)).toEqual(['b']);
  await expect.poll(() => shown(catalogue)).toEqual(['c', 'b']);
});

test('requests while mail arrives each get what was there when they asked', async () => {
  const { clock, store, catalogue } = begin();
  const asked: Promise<void>[] = [];
  for (let i = 0; i < 200; i += 1) {
    await append(store, `n${i}`, clock.now() + i);
    catalogue.changed(`n${i}`);
    asked.push(shown(catalogue).then((names) => expect(names.length).toBeGreaterThan(i)));
  }
  await Promise.all(asked);
});
