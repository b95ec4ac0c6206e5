import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshName, startApi, type TestApi } from '../http/api.js';

/** Of a client that stays. */
const NEVER = new AbortController().signal;

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});

afterAll(() => api.close());

/** Deletes what was cleared up to now, as purging does a minute later. */
async function purge(): Promise<void> {
  while (await api.store.purge(api.clock.now()));
}

async function answerOf(pieces: AsyncIterable<Uint8Array>): Promise<{ emails: { body: string }[]; count: number }> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return JSON.parse(Buffer.concat(read).toString());
}

test('a list that was begun is whole, though its inbox is emptied meanwhile', async () => {
  const inbox = freshName();
  for (const text of ['one', 'two', 'three']) await api.mail(inbox, text);
  const pieces = await api.inboxes.read(inbox, {}, NEVER);
  await api.inboxes.clear(inbox);
  await api.mail(inbox, 'four');
  const { emails, count } = await answerOf(pieces);
  expect(emails.map(({ body }) => body)).toEqual(['three', 'two', 'one']);
  expect(count).toBe(3);
  expect((await answerOf(await api.inboxes.read(inbox, {}, NEVER))).emails.map(({ body }) => body)).toEqual(['four']);
});

test('a list leaves out what is deleted while it is read, and counts what it gives', async () => {
  const inbox = freshName();
  for (const text of ['one', 'two', 'three']) await api.mail(inbox, text);
  const pieces = (await api.inboxes.read(inbox, {}, NEVER))[Symbol.asyncIterator]();
  // A small email is a piece.
  const read: Uint8Array[] = [(await pieces.next()).value];
  await api.inboxes.clear(inbox);
  await purge();
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) read.push(piece.value);
  const { emails, count } = JSON.parse(Buffer.concat(read).toString());
  expect(emails.map(({ body }: { body: string }) => body)).toEqual(['three']);
  expect(count).toBe(1);
});

test('a list of which all is deleted before it is read is that of an empty inbox', async () => {
  const inbox = freshName();
  await api.mail(inbox);
  const pieces = await api.inboxes.read(inbox, {}, NEVER);
  await api.inboxes.clear(inbox);
  await purge();
  expect(await answerOf(pieces)).toEqual({ emails: [], count: 0 });
});

test('a message that is deleted before it is read is not found', async () => {
  const inbox = freshName();
  await api.mail(inbox);
  const path = `/api/inbox/${inbox}/${new Date(api.clock.now()).toISOString()}/raw`;
  expect((await api.app.inject(path)).statusCode).toBe(200);
  const list = api.store.list.bind(api.store);
  api.store.list = async (...query) => {
    const listed = await list(...query);
    await api.inboxes.clear(inbox);
    await purge();
    return listed;
  };
  expect((await api.app.inject(path)).statusCode).toBe(404);
});
