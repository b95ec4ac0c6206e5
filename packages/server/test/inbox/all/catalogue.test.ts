import { expect, test } from 'vitest';
import { Catalogue } from '../../../src/inbox/all/catalogue.js';
import { openMemoryStore } from '../../../src/store/memory.js';
import type { Store, StoredEmail } from '../../../src/store/store.js';
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

test('each message is there once, with those of its recipients, the newest first', async () => {
  const { clock, store, catalogue } = begin();
  await append(store, ['a', 'b'], clock.now());
  await append(store, 'a', clock.now());
  await append(store, 'c', clock.now() + 5);
  expect(await shown(catalogue)).toEqual(['c', 'a', 'a+b']);
});

test('what changed through this process is seen at once, and nothing else of the store is looked at', async () => {
  const { clock, store, catalogue } = begin();
  await append(store, 'a', clock.now());
  expect(await shown(catalogue)).toEqual(['a']);
  let walks = 0;
  const recent = store.recent.bind(store);
  store.recent = (query, now) => {
    walks += 1;
    return recent(query, now);
  };
  await append(store, ['b', 'c'], clock.now() + 1);
  catalogue.changed('b');
  catalogue.changed('c');
  expect(await shown(catalogue)).toEqual(['b+c', 'a']);
  await store.clear('a', clock.now());
  catalogue.changed('a');
  await store.clearOne('b', clock.now() + 1, clock.now());
  catalogue.changed('b');
  expect(await shown(catalogue)).toEqual(['c']);
  expect(walks).toBe(0);
});

test('what another process did is seen after five seconds, or after one where somebody asks again', async () => {
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

test('what changes while the store is gone through is not lost, wherever it stands', async () => {
  const { clock, store, catalogue } = begin();
  for (let i = 0; i < 450; i += 1) await append(store, `n${i}`, clock.now() + i);
  const now = clock.now();
  let pages = 0;
  const recent = store.recent.bind(store);
  store.recent = (query, at) => {
    const page = recent(query, at);
    pages += 1;
    if (pages !== 3) return page;
    // Behind the walk: at the head of the list, and in a page that it has read.
    return append(store, 'late', now + 999)
      .then(() => store.clear('n440', now))
      .then(() => {
        catalogue.changed('late');
        catalogue.changed('n440');
        return page;
      });
  };
  const names = await shown(catalogue);
  expect(names[0]).toBe('late');
  expect(names).not.toContain('n440');
  expect(names).toHaveLength(450);
});

test('more changes than are remembered have the store gone through', async () => {
  const { clock, store, catalogue } = begin();
  expect(await shown(catalogue)).toEqual([]);
  for (let i = 0; i < 1_500; i += 1) {
    await append(store, `n${i}`, clock.now() + i);
    catalogue.changed(`n${i}`);
  }
  expect(await shown(catalogue)).toHaveLength(1_500);
});

test('what has expired is not there, without a look at the store', async () => {
  const { clock, store, catalogue } = begin({ retentionMs: 3_000 });
  await append(store, 'a', clock.now());
  await append(store, 'b', clock.now() + 500);
  expect(await shown(catalogue)).toEqual(['b', 'a']);
  await clock.advance(3_000);
  expect(await shown(catalogue)).toEqual(['b']);
  await clock.advance(500);
  expect(await shown(catalogue)).toEqual([]);
});

test('many who ask at once, while mail comes in, each see what was there when they asked', async () => {
  const { clock, store, catalogue } = begin();
  const asked: Promise<void>[] = [];
  for (let i = 0; i < 200; i += 1) {
    await append(store, `n${i}`, clock.now() + i);
    catalogue.changed(`n${i}`);
    asked.push(shown(catalogue).then((names) => expect(names.length).toBeGreaterThan(i)));
  }
  await Promise.all(asked);
});

test('a store that fails once is asked again', async () => {
  const { clock, store, catalogue } = begin();
  await append(store, 'a', clock.now());
  const recent = store.recent.bind(store);
  store.recent = () => Promise.reject(new Error('away'));
  await expect(catalogue.messages()).rejects.toThrow('away');
  store.recent = recent;
  expect(await shown(catalogue)).toEqual(['a']);
});

test('changes that were too many to be remembered are not forgotten by a look that fails', async () => {
  const { clock, store, catalogue } = begin();
  expect(await shown(catalogue)).toEqual([]);
  for (let i = 0; i < 1_500; i += 1) {
    await append(store, `n${i}`, clock.now() + i);
    catalogue.changed(`n${i}`);
  }
  const recent = store.recent.bind(store);
  store.recent = () => Promise.reject(new Error('away'));
  await expect(catalogue.messages()).rejects.toThrow('away');
  store.recent = recent;
  expect(await shown(catalogue)).toHaveLength(1_500);
});

test('who asks for all has what another process took while the store was gone through', async () => {
  const { clock, store, catalogue } = begin();
  await append(store, 'a', clock.now());
  expect(await shown(catalogue)).toEqual(['a']);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const recent = store.recent.bind(store);
  store.recent = async (query, now) => {
    store.recent = recent;
    const page = recent(query, now);
    await held;
    return page;
  };
  // Answered from what is known, while the store is gone through behind it.
  await clock.advance(1_000);
  expect(await catalogue.messages()).toHaveLength(1);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  await append(store, 'b', clock.now());
  const whole = catalogue.messages({ isWhole: true });
  goOn();
  expect(await whole).toHaveLength(2);
});

test('hundreds who ask at the same moment have the store gone through once', async () => {
  const { clock, store, catalogue } = begin();
  await append(store, 'a', clock.now());
  let walks = 0;
  const recent = store.recent.bind(store);
  store.recent = (query, now) => {
    walks += 1;
    return recent(query, now);
  };
  const lists = await Promise.all(Array.from({ length: 300 }, () => catalogue.messages({ isWhole: true })));
  expect(lists.every((list) => list.length === 1)).toBe(true);
  expect(walks).toBe(1);
});

test('changes that are too many while the store is gone through have it gone through again', async () => {
  const { clock, store, catalogue } = begin();
  for (let i = 0; i < 150; i += 1) await append(store, `old${i}`, clock.now() + i);
  expect(await shown(catalogue)).toHaveLength(150);
  const recent = store.recent.bind(store);
  store.recent = async (query, at) => {
    store.recent = recent;
    const page = await recent(query, at);
    // Behind the walk, which has read its first page by now.
    for (let i = 0; i < 1_500; i += 1) {
      await append(store, `new${i}`, clock.now() + 200 + i);
      catalogue.changed(`new${i}`);
    }
    return page;
  };
  await clock.advance(5_000);
  expect(await shown(catalogue)).toHaveLength(1_650);
});

test('what came while the store was gone through behind an answer stays there when that is done', async () => {
  const { clock, store, catalogue } = begin();
  await append(store, 'a', clock.now());
  expect(await shown(catalogue)).toEqual(['a']);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const recent = store.recent.bind(store);
  let ended: Promise<unknown> = Promise.resolve();
  store.recent = (query, now) => {
    const page = recent(query, now);
    const later = held.then(() => page);
    ended = later;
    return later;
  };
  await clock.advance(1_000);
  // Has the store gone through, whose first page is read before the mail comes.
  expect(await shown(catalogue)).toEqual(['a']);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  await append(store, 'b', clock.now());
  catalogue.changed('b');
  expect(await shown(catalogue)).toEqual(['b', 'a']);
  goOn();
  await ended;
  await new Promise((resolve) => setImmediate(resolve));
  expect(await shown(catalogue)).toEqual(['b', 'a']);
});

test('of messages of one millisecond the later stands first, however it was found', async () => {
  const { clock, store, catalogue } = begin();
  await append(store, 'a', clock.now());
  expect(await shown(catalogue)).toEqual(['a']);
  for (const inbox of ['b', 'c', 'd']) {
    await append(store, inbox, clock.now());
    catalogue.changed(inbox);
    if (inbox !== 'c') expect((await shown(catalogue))[0]).toBe(inbox);
  }
  expect(await shown(catalogue)).toEqual(['d', 'c', 'b', 'a']);
});

test('inboxes that are full and have changed are looked at in shares, with turns for others in between', async () => {
  const { clock, store, catalogue } = begin();
  const inboxes = Array.from({ length: 40 }, (_, i) => `full${i}`);
  for (let i = 0; i < 150; i += 1) await append(store, inboxes, clock.now() + i);
  expect(await catalogue.messages()).toHaveLength(150);
  let [rows, most] = [0, 0];
  const list = store.list.bind(store);
  store.list = (inbox, query, now) => {
    const listed = list(inbox, query, now) as StoredEmail[];
    rows += listed.length;
    most = Math.max(most, rows);
    return listed;
  };
  let isOver = false;
  const comeRound = () => {
    rows = 0;
    if (!isOver) setImmediate(comeRound);
  };
  comeRound();
  await append(store, inboxes, clock.now() + 1_000);
  for (const inbox of inboxes) catalogue.changed(inbox);
  expect(await catalogue.messages()).toHaveLength(151);
  isOver = true;
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(1_000);
});
