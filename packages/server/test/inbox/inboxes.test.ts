import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshName, startApi, type TestApi } from '../http/api.js';

const LARGE_BYTES = 6_000_000;
/** More than are made of a large answer in one turn (D22). */
const MANY_BYTES = 1_000_000;

/** Of clients that stay. */
const NEVER = new AbortController().signal;
const TAKER = { way: 'stream', client: '192.0.2.1' } as const;
const READER = { client: '192.0.2.1', cut: () => {}, hold: () => {}, signal: NEVER };

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});

afterAll(() => api.close());

test('mail to several recipients wakes whoever waits for it, in each of their inboxes', async () => {
  const names = Array.from({ length: 3 }, freshName);
  const found: string[] = [];
  const fail = () => {
    throw new Error('nothing came');
  };
  for (const name of names) {
    api.inboxes.wait(name, {}, { ...TAKER, found: ({ to }) => found.push(to), timedOut: fail, failed: fail });
  }
  const recipients = names.map((inbox) => ({ inbox, to: `${inbox}@inbox.example.com` }));
  const mail = { client: '192.0.2.1', raw: Buffer.from('\r\nHello'), envelopeFrom: '', receivedAt: api.clock.now() };
  expect(await api.inboxes.deliver({ ...mail, recipients })).toMatchObject({ stored: true });
  // No check of the schedule is due: the clock stands still.
  expect(found).toEqual(recipients.map(({ to }) => to));
});

const large: [string, (inbox: string, receivedAt: number) => unknown][] = [
  ['a list', (inbox) => api.inboxes.read(inbox, {}, NEVER, TAKER)],
  ['one email', (inbox, receivedAt) => api.inboxes.readOne(inbox, receivedAt, TAKER)],
  ['a message', (inbox, receivedAt) => api.inboxes.messages.whole(inbox, receivedAt)],
  [
    'a part',
    async (inbox, receivedAt) => {
      const part = await api.inboxes.messages.part(inbox, receivedAt, '1', READER);
      return part !== null && typeof part === 'object' ? part.content : null;
    },
  ],
];

test.each(large)('others have turns while %s that is large is read', async (_, read) => {
  const inbox = freshName();
  await api.mail(inbox, 'x'.repeat(LARGE_BYTES));
  const pieces = (await read(inbox, api.clock.now())) as AsyncIterable<Uint8Array>;
  let rounds = 0;
  let isOver = false;
  const others = () => {
    rounds += 1;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  let bytes = 0;
  for await (const piece of pieces) bytes += piece.length;
  isOver = true;
  expect(bytes).toBeGreaterThanOrEqual(LARGE_BYTES);
  expect(rounds).toBeGreaterThanOrEqual(LARGE_BYTES / MANY_BYTES);
});
