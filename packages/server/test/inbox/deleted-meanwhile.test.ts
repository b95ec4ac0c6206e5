import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshName, startApi, type TestApi } from '../http/api.js';

/** Of a client that stays. */
const NEVER = new AbortController().signal;
const TAKER = { way: 'fetch', client: '192.0.2.1' } as const;

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});

afterAll(() => api.close());

/** Deletes what was cleared up to now, as purging does a minute later. */
async function purge(): Promise<void> {
  while (await api.store.purge(api.clock.now()));
}

/** What a read gives for which an inbox's emails are deleted between being listed and being read. */
async function deletedOnceListed<T>(inbox: string, read: () => Promise<T>): Promise<T> {
  const list = api.store.list.bind(api.store);
  api.store.list = async (...query) => {
    const listed = await list(...query);
    await api.inboxes.clear(inbox);
    await purge();
    return listed;
  };
  try {
    return await read();
  } finally {
    api.store.list = list;
  }
}

type List = { emails: { body: string }[]; count: number };

/** How many mails are a list of several pieces, and the text of one. */
const MANY = 12;
const LONG = ' and more of it'.repeat(4_000);

async function mailMany(inbox: string): Promise<void> {
  for (let n = 0; n < MANY; n++) await api.mail(inbox, `number ${n}${LONG}`);
}

function numbersIn({ emails }: List): number[] {
  return emails.map(({ body }) => Number(/^number (\d+)/.exec(body)?.[1]));
}

const NEWEST_FIRST = Array.from({ length: MANY }, (_, n) => MANY - 1 - n);

async function piecesOf(inbox: string): Promise<AsyncIterator<Uint8Array, undefined>> {
  const json = await api.inboxes.read(inbox, {}, NEVER, TAKER);
  if (typeof json === 'string') throw new Error('the list is of one piece');
  return json[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
}

/** The list that these bytes and the rest of the pieces are. */
async function listOf(read: Uint8Array[], pieces: AsyncIterator<Uint8Array, undefined>): Promise<List> {
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) read.push(piece.value);
  return JSON.parse(Buffer.concat(read).toString());
}

test('a list that was begun is whole, though its inbox is emptied meanwhile', async () => {
  const inbox = freshName();
  await mailMany(inbox);
  const pieces = await piecesOf(inbox);
  await api.inboxes.clear(inbox);
  await api.mail(inbox, 'another');
  const list = await listOf([], pieces);
  expect(numbersIn(list)).toEqual(NEWEST_FIRST);
  expect(list.count).toBe(MANY);
  expect(JSON.parse(String(await api.inboxes.read(inbox, {}, NEVER, TAKER))).emails).toMatchObject([
    { body: 'another' },
  ]);
});

test('a list leaves out what is deleted while it is read, and counts what it gives', async () => {
  const inbox = freshName();
  await mailMany(inbox);
  const pieces = await piecesOf(inbox);
  const first = await pieces.next();
  await api.inboxes.clear(inbox);
  await purge();
  const list = await listOf(first.done ? [] : [first.value], pieces);
  expect(list.count).toBeGreaterThan(0);
  expect(list.count).toBeLessThan(MANY);
  expect(numbersIn(list)).toEqual(NEWEST_FIRST.slice(0, list.count));
});

test('a list of which all is deleted before it is read is that of an empty inbox', async () => {
  const inbox = freshName();
  await api.mail(inbox);
  const json = await deletedOnceListed(inbox, async () => api.inboxes.read(inbox, {}, NEVER, TAKER));
  expect(JSON.parse(String(json))).toEqual({ emails: [], count: 0 });
});

test('a message that is deleted before it is read is not found', async () => {
  const inbox = freshName();
  await api.mail(inbox);
  const path = `/api/inbox/${inbox}/${new Date(api.clock.now()).toISOString()}/raw`;
  expect((await api.app.inject(path)).statusCode).toBe(200);
  expect((await deletedOnceListed(inbox, () => api.app.inject(path))).statusCode).toBe(404);
});
