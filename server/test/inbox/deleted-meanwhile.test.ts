import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoredEmail } from '../../src/store/store.js';
import { freshName, startApi, type TestApi } from '../http/api.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});

afterAll(() => api.close());

test('a list leaves out what is deleted while it is read, and counts what it gives', async () => {
  const inbox = freshName();
  for (const text of ['one', 'two', 'three']) await api.mail(inbox, text);
  const pieces = (await api.inboxes.read(inbox, {}, new AbortController().signal))[Symbol.asyncIterator]();
  const read = [(await pieces.next()).value];
  await api.inboxes.clear(inbox);
  await api.mail(inbox, 'four');
  // The email that was begun is a single piece and comes whole; the two after it are gone.
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) read.push(piece.value);
  const { emails, count } = JSON.parse(Buffer.concat(read).toString());
  expect(emails.map(({ body }: { body: string }) => body)).toEqual(['three']);
  expect(count).toBe(1);
});

test('a list of which all is deleted before it is read is that of an empty inbox', async () => {
  const inbox = freshName();
  await api.mail(inbox);
  const pieces = await api.inboxes.read(inbox, {}, new AbortController().signal);
  await api.inboxes.clear(inbox);
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  expect(JSON.parse(Buffer.concat(read).toString())).toEqual({ emails: [], count: 0 });
});

test('a message that is deleted before it is read is not found', async () => {
  const inbox = freshName();
  await api.mail(inbox);
  const [email] = (await api.store.list(inbox, {}, api.clock.now())) as [StoredEmail];
  const path = `/api/inbox/${inbox}/${new Date(email.receivedAt).toISOString()}/raw`;
  expect((await api.app.inject(path)).statusCode).toBe(200);
  const index = api.store.index.bind(api.store);
  api.store.index = async (listed) => {
    await api.store.clear(inbox);
    return index(listed);
  };
  expect((await api.app.inject(path)).statusCode).toBe(404);
});
