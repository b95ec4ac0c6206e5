import type { AllEmailsResponse } from 'mayfly-client';
import { afterEach, describe, expect, test } from 'vitest';
import { AllMail, type Viewer } from '../../src/inbox/all-mail.js';
import { Changes } from '../../src/inbox/changes.js';
import { summaryRecord } from '../../src/inbox/ingest/stored-message.js';
import { filterIndex } from '../../src/inbox/read/selecting.js';
import { openMemoryStore } from '../../src/store/memory.js';
import type { Store } from '../../src/store/store.js';
import { ManualClock } from '../manual-clock.js';
import { delivery, ROOMY } from '../store/mail.js';

const stores: Store[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

const ALL: Viewer = { mayOpen: () => true, seesAll: false, adHoc: null, leaving: { aborted: false } };

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
  const changes = new Changes(store);
  const all = new AllMail({ store, clock, changes });
  const append = async (inboxes: string | string[], letter: Letter = {}, atMs = 0) => {
    const values = {
      ...{ id: '<1@app.test>', from: 'app@app.test', fromName: '', subject: '', body: '', size: 1, attachments: 0 },
      ...{ otp: null, magicLink: null, code: letter.otp ?? null, action: false, ...letter },
    };
    const bytes = { index: filterIndex(values), summary: summaryRecord(values, 20) };
    await store.append(delivery(inboxes, clock.now() + atMs, bytes), clock.now());
    changes.came(new Set([inboxes].flat()));
  };
  const page = async (
    selection = {},
    { limit, cursor }: { limit: number; cursor: string | null } = NO_CURSOR,
    viewer = ALL,
  ) => {
    const json = await all.page(viewer, selection, { limit, cursor });
    if (typeof json === 'string') return JSON.parse(Buffer.from(json, 'latin1').toString()) as AllEmailsResponse;
    const pieces: Uint8Array[] = [];
    for await (const piece of json) pieces.push(piece);
    return JSON.parse(Buffer.concat(pieces).toString()) as AllEmailsResponse;
  };
  /** Reads all pages and returns their inboxes. */
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

describe('an outline of all mail', () => {
  test('leads to pages that have each visible email once, whatever arrives, expires and is deleted meanwhile', async () => {
    const { all, append, page, clock, store } = begin();
    const viewer = { ...ALL, mayOpen: (inbox: string) => inbox !== 'secret' };
    // 1,300 emails, of which 300 are in one millisecond.
    for (let n = 0; n < 1_300; n++)
      await append(n % 100 === 99 ? ['secret', `n${n}`] : `n${n}`, {}, Math.min(n, 1_000));
    const { pages, next } = await all.outline(viewer, null);
    expect([next, pages.map(({ count }) => count)]).toEqual([null, [500, 500, 300]]);
    await append('later', {}, 2_000);
    const list = async (at: number) => {
      const { emails } = await page({}, { limit: 500, cursor: pages[at]?.cursor ?? null }, viewer);
      return emails.map(({ inbox }) => inbox);
    };
    const second = await list(1);
    expect([second.length, second[0], second.at(-1)]).toEqual([500, 'n799', 'n300']);
    expect(pages[1]?.oldest).toBe(new Date(clock.now() + 300).toISOString());
    await store.clear('n500', clock.now());
    expect(await list(1)).toHaveLength(500);
    expect((await all.outline(viewer, pages[1]?.cursor ?? null)).pages[0]).toMatchObject({ count: 500 });
    await clock.advance(60_100);
    expect(await list(2)).toHaveLength(199);
    expect((await all.outline(viewer, pages[2]?.cursor ?? null)).pages).toMatchObject([{ count: 199 }]);
  });

  test('reads at most 5,000 emails in one request', async () => {
    const { all, append } = begin();
    for (let n = 0; n < 5_100; n++) await append(`n${n}`, {}, n);
    const first = await all.outline(ALL, null);
    const { pages, next } = await all.outline(ALL, first.next);
    const total = [...first.pages, ...pages].reduce((sum, { count }) => sum + count, 0);
    expect([first.pages.length, total, next]).toEqual([10, 5_100, null]);
  });
});

describe('a list of all mail', () => {
  test('the next page starts where the previous page ended, whatever arrives and is deleted meanwhile', async () => {
    const { append, page, store, clock } = begin();
    for (let n = 0; n < 6; n++) await append(`n${n}`, {}, n);
    const first = await page({}, { limit: 2, cursor: null });
    await append('later', {}, 9);
    await store.clear('n4', clock.now());
    await store.clear('n3', clock.now());
    const second = await page({}, { limit: 2, cursor: first.next });
    expect(second.emails.map(({ inbox }) => inbox)).toEqual(['n2', 'n1']);
  });

  test.each([
    ['everything', {}, ['shop', 'nimbus', 'demo']],
    ['a code', { hasOtp: true }, ['nimbus']],
    ['a recipient', { to: 'Demo@' }, ['demo']],
    ['a recipient and a sender', { to: 'demo', from: 'shop' }, []],
    ['words of several fields', { search: 'Code  NIMBUS' }, ['nimbus']],
    ['a word of the recipient', { search: 'shop@inbox' }, ['shop']],
    ["the sender's name", { search: 'ÉK' }, ['shop']],
    ['a code that is written in groups', { search: '482913' }, ['nimbus']],
    ['a code with letters', { search: 'xk7q2p' }, ['demo']],
    ['a word that no email contains', { search: 'code absent' }, []],
    ['blanks', { search: '  ' }, ['shop', 'nimbus', 'demo']],
  ])('filters all mail by %s', async (_, selection, inboxes) => {
    const { append, walk } = begin();
    await append('demo', { from: 'news@paper.example', subject: 'The news', code: 'XK7Q2P' });
    await append('nimbus', { from: 'login@nimbus.example', subject: 'Your code', body: '482 913', otp: '482913' }, 1);
    const shipped = { body: 'It has shipped', magicLink: 'https://shop.example/verify?t=1', fromName: 'Anna Ék' };
    await append('shop', { from: 'a@shop.example', ...shipped }, 2);
    for (const limit of [1, 10]) expect(await walk(limit, selection)).toEqual(inboxes);
  });
});

describe('a follower of all mail', () => {
  async function follow({ all }: Pick<ReturnType<typeof begin>, 'all'>, mayOpen = (_: string) => true) {
    const heard: string[] = [];
    const leave = await all.following.follow({
      mayOpen,
      came: (emails) => heard.push(...emails.map(({ inbox }) => inbox)),
      changed: () => heard.push('changed'),
    });
    return { heard, leave };
  }

  test('is notified within two seconds of mail that another process stores, and of a deletion', async () => {
    const begun = begin();
    const { heard } = await follow(begun);
    await begun.store.append(delivery('elsewhere', begun.clock.now(), { summary: Buffer.from('{"id":null}') }), 0);
    await begun.clock.advance(2_000);
    expect(heard).toEqual(['elsewhere']);
    await begun.store.clear('elsewhere', begun.clock.now());
    await begun.clock.advance(2_100);
    expect(heard).toEqual(['elsewhere', 'changed']);
  });

  test('receives a notice to list all mail again if more than 100 emails arrive together', async () => {
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

  test('after an outage of the store, receives the missed mail and a notice to list all mail again', async () => {
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
