import type { AllEmailsResponse } from 'mayfly-client';
import { afterEach, describe, expect, test } from 'vitest';
import type { Viewer } from '../../../src/inbox/all/all-mail.js';
import { AllMail } from '../../../src/inbox/all/all-mail.js';
import { hiddenInbox } from '../../../src/inbox/inboxes.js';
import { summaryRecord } from '../../../src/inbox/ingest/summary-record.js';
import { filterIndex } from '../../../src/inbox/read/filter.js';
import { openMemoryStore } from '../../../src/store/memory.js';
import type { Store } from '../../../src/store/store.js';
import { addressingOf } from '../../addressing.js';
import { ManualClock } from '../../manual-clock.js';
import { delivery, ROOMY } from '../../store/mail.js';

const stores: Store[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

const ALL: Viewer = { mayOpen: () => true, seesAll: false, space: null, leaving: { aborted: false } };

const NO_CURSOR = { limit: 100, cursor: null };

interface Letter {
  readonly from?: string;
  readonly fromName?: string;
  readonly subject?: string;
  readonly body?: string;
  readonly otp?: string | null;
  readonly magicLink?: string | null;
  readonly code?: string;
}

function begin() {
  const clock = new ManualClock();
  const store = openMemoryStore({ ...ROOMY, maxEmails: 100_000, retentionMs: 60_000 });
  stores.push(store);
  const all = new AllMail({ store, clock, addressing: addressingOf() });
  const append = async (inboxes: string | string[], letter: Letter = {}, atMs = 0) => {
    const values = {
      ...{ id: '<1@app.test>', from: 'app@app.test', fromName: '', subject: '', body: '', size: 1, attachments: 0 },
      ...{ otp: null, magicLink: null, code: letter.otp ?? null, action: false, ...letter },
    };
    const bytes = { index: filterIndex(values), summary: summaryRecord(values, 20) };
    await store.append(delivery(inboxes, clock.now() + atMs, bytes), clock.now());
    all.changed([inboxes].flat());
  };
  const page = async (
    selection = {},
    { limit, cursor }: { limit: number; cursor: string | null } = NO_CURSOR,
    viewer = ALL,
  ) => {
    const json = await (await all.emails()).page(viewer, selection, { limit, cursor });
    if (typeof json === 'string') return JSON.parse(Buffer.from(json, 'latin1').toString()) as AllEmailsResponse;
    const pieces: Uint8Array[] = [];
    for await (const piece of json) pieces.push(piece);
    return JSON.parse(Buffer.concat(pieces).toString()) as AllEmailsResponse;
  };
  /** The inboxes of every page. */
  const walk = async (limit: number, selection = {}, viewer = ALL) => {
    const inboxes: string[] = [];
    for (let cursor: string | null = null, pages = 0; pages < 10_000; pages += 1) {
      const { emails, count, next } = await page(selection, { limit, cursor }, viewer);
      expect(count).toBe(emails.length);
      inboxes.push(...emails.map(({ inbox }) => inbox));
      if (next === null) return inboxes;
      cursor = next;
    }
    throw new Error('The pages come to no end.');
  };
  return { clock, store, all, append, page, walk };
}

describe('a list of all mail', () => {
  test('has each email once, the newest first, whatever the size of a page', async () => {
    const { append, walk } = begin();
    for (let n = 0; n < 25; n++) await append(`n${n}`, {}, n);
    const expected = Array.from({ length: 25 }, (_, n) => `n${24 - n}`);
    for (const limit of [1, 2, 7, 25, 100]) expect(await walk(limit)).toEqual(expected);
  });

  test('has those of one millisecond on one page, also if that is longer than was asked for', async () => {
    const { append, page, walk } = begin();
    const names = Array.from({ length: 300 }, (_, n) => `n${n}`);
    await append('before', {}, -1);
    await append(names);
    await append('after', {}, 1);
    const first = await page({}, { limit: 2, cursor: null });
    expect(first.emails).toHaveLength(301);
    expect(await walk(2)).toHaveLength(302);
    expect(new Set(await walk(2)).size).toBe(302);
  });

  test('goes on where it ended, whatever comes and goes meanwhile', async () => {
    const { append, page, store, clock } = begin();
    for (let n = 0; n < 6; n++) await append(`n${n}`, {}, n);
    const first = await page({}, { limit: 2, cursor: null });
    await append('later', {}, 9);
    await store.clear('n4', clock.now());
    await store.clear('n3', clock.now());
    const second = await page({}, { limit: 2, cursor: first.next });
    expect(second.emails.map(({ inbox }) => inbox)).toEqual(['n2', 'n1']);
  });

  test('looks at no more than 5,000 emails for a page', async () => {
    const { append, page, walk } = begin();
    await append('old', { subject: 'wanted' }, -1);
    for (let n = 0; n < 60; n++)
      await append(
        Array.from({ length: 100 }, (_, i) => `n${n}-${i}`),
        {},
        n,
      );
    const first = await page({ subject: 'wanted' });
    expect(first).toEqual({ emails: [], count: 0, next: expect.any(String) });
    expect(await walk(100, { subject: 'wanted' })).toEqual(['old']);
  });

  test('has nothing that its viewer may not open, that is hidden or has expired', async () => {
    const { append, walk, clock } = begin();
    await append(['mine', 'yours', hiddenInbox('held')]);
    await append('also-mine', {}, 30_000);
    const viewer = { ...ALL, mayOpen: (inbox: string) => inbox.includes('mine') };
    expect(await walk(1, {}, viewer)).toEqual(['also-mine', 'mine']);
    expect((await walk(1)).sort()).toEqual(['also-mine', 'mine', 'yours']);
    await clock.advance(60_000);
    expect(await walk(1)).toEqual(['also-mine']);
  });

  test('ends when its viewer leaves', async () => {
    const { append, page } = begin();
    await append('demo');
    expect(await page({}, NO_CURSOR, { ...ALL, leaving: { aborted: true } })).toMatchObject({ count: 0, next: null });
  });

  test.each([
    ['everything', {}, ['shop', 'nimbus', 'demo']],
    ['a sender', { from: 'NEWS@' }, ['demo']],
    ['a subject', { subject: 'code' }, ['nimbus']],
    ['a body', { body: 'shipped' }, ['shop']],
    ['a code', { hasOtp: true }, ['nimbus']],
    ['no code', { hasOtp: false }, ['shop', 'demo']],
    ['a link', { hasMagicLink: true }, ['shop']],
    ['a recipient', { to: 'Demo@' }, ['demo']],
    ['a recipient and a sender', { to: 'demo', from: 'shop' }, []],
    ['words of several fields', { search: 'Code  NIMBUS' }, ['nimbus']],
    ['a word of the recipient', { search: 'shop@inbox' }, ['shop']],
    ["the sender's name", { search: 'ÉK' }, ['shop']],
    ['a code that is written apart', { search: '482913' }, ['nimbus']],
    ['a code with letters', { search: 'xk7q2p' }, ['demo']],
    ['a word that is in none', { search: 'code absent' }, []],
    ['blanks', { search: '  ' }, ['shop', 'nimbus', 'demo']],
  ])('filters by %s', async (_, selection, inboxes) => {
    const { append, walk } = begin();
    await append('demo', { from: 'news@paper.example', subject: 'The news', code: 'XK7Q2P' });
    await append('nimbus', { from: 'login@nimbus.example', subject: 'Your code', body: '482 913', otp: '482913' }, 1);
    const shipped = { body: 'It has shipped', magicLink: 'https://shop.example/verify?t=1', fromName: 'Anna Ék' };
    await append('shop', { from: 'a@shop.example', ...shipped }, 2);
    for (const limit of [1, 10]) expect(await walk(limit, selection)).toEqual(inboxes);
  });

  test('ends at a time that was seen', async () => {
    const { append, walk, clock } = begin();
    for (let n = 0; n < 5; n++) await append(`n${n}`, {}, n);
    expect(await walk(1, { after: clock.now() + 2 })).toEqual(['n4', 'n3']);
  });

  test('says in which inbox each summary is', async () => {
    const { append, page, clock } = begin();
    await append('grüße', { subject: 'Grüße' });
    const at = new Date(clock.now()).toISOString();
    const [email] = (await page()).emails;
    expect(email).toMatchObject({ inbox: 'grüße', to: 'grüße@inbox.example.com', subject: 'Grüße', receivedAt: at });
  });
});

describe('who follows all mail', () => {
  async function follow({ all }: Pick<ReturnType<typeof begin>, 'all'>, mayOpen = (_: string) => true) {
    const heard: string[] = [];
    const leave = await (await all.emails()).follow({
      mayOpen,
      came: (emails) => heard.push(...emails.map(({ inbox }) => inbox)),
      changed: () => heard.push('changed'),
    });
    return { heard, leave };
  }

  test('hears of mail that came after it began, at once and then in tenths of a second', async () => {
    const begun = begin();
    await begun.append('before');
    const { heard } = await follow(begun);
    await begun.append('first', {}, 1);
    await begun.clock.advance(0);
    expect(heard).toEqual(['first']);
    await begun.append('second', {}, 2);
    await begun.append('third', {}, 3);
    await begun.clock.advance(99);
    expect(heard).toEqual(['first']);
    await begun.clock.advance(1);
    expect(heard).toEqual(['first', 'second', 'third']);
  });

  test('hears of deletions, and not of what expires', async () => {
    const begun = begin();
    await begun.append('demo');
    await begun.append('other', {}, 30_000);
    const { heard } = await follow(begun);
    await begun.clock.advance(61_000);
    expect(heard).toEqual([]);
    await begun.store.clear('other', begun.clock.now());
    begun.all.changed(['other']);
    await begun.clock.advance(100);
    expect(heard).toEqual(['changed']);
  });

  test('hears of what other processes store and delete within two seconds', async () => {
    const begun = begin();
    const { heard } = await follow(begun);
    await begun.store.append(delivery('elsewhere', begun.clock.now(), { summary: Buffer.from('{"id":null}') }), 0);
    await begun.clock.advance(2_000);
    expect(heard).toEqual(['elsewhere']);
    await begun.store.clear('elsewhere', begun.clock.now());
    await begun.clock.advance(2_100);
    expect(heard).toEqual(['elsewhere', 'changed']);
  });

  test('is told to list again after more than it is told of, and for mail behind a hundred others', async () => {
    const begun = begin();
    const { heard } = await follow(begun);
    for (let n = 0; n < 101; n++) await begun.append(`n${n}`, {}, n);
    await begun.clock.advance(100);
    expect(new Set(heard).size).toBe(102);
    expect(heard.at(-1)).toBe('changed');
    heard.length = 0;
    await begun.append('late', {}, -1_000);
    await begun.clock.advance(100);
    expect(heard).toEqual(['changed']);
  });

  test('hears of nothing that it may not open', async () => {
    const begun = begin();
    const { heard } = await follow(begun, (inbox) => inbox === 'mine');
    await begun.append(['mine', 'yours']);
    await begun.clock.advance(100);
    await begun.store.clear('yours', begun.clock.now());
    begun.all.changed(['yours']);
    await begun.clock.advance(100);
    expect(heard).toEqual(['mine']);
  });

  test('ends when it leaves: nothing is looked at any more', async () => {
    const begun = begin();
    const [one, other] = [await follow(begun), await follow(begun)];
    one.leave();
    await begun.append('demo');
    await begun.clock.advance(100);
    expect([one.heard, other.heard]).toEqual([[], ['demo']]);
    other.leave();
    await begun.clock.advance(2_100);
    expect(begun.clock.alarms).toBe(0);
    const again = await follow(begun);
    await begun.append('again', {}, 5);
    await begun.clock.advance(100);
    expect(again.heard).toEqual(['again']);
    again.leave();
  });

  test('goes on after the store was away, and is told to list again', async () => {
    const begun = begin();
    const { heard } = await follow(begun);
    const recent = begun.store.recent;
    begun.store.recent = () => {
      throw new Error('away');
    };
    await begun.append('missed');
    await begun.clock.advance(1_000);
    begun.store.recent = recent;
    await begun.clock.advance(2_000);
    expect(heard).toEqual(['missed', 'changed']);
  });
});
