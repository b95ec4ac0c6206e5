import { expect, test } from 'vitest';
import type { Message, Viewer } from '../../../packages/server/dist/extension/extension.js';
import { type Searched, searched } from '../src/mailpit/search.js';
import { searchTerms, UTC } from '../src/mailpit/search-query.js';
import { ReadMarks } from '../src/message-notes.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const viewer: Viewer = { mayOpen: () => true, seesAll: true, space: null, leaving: { aborted: false } };

/** Messages that came so many seconds before noon, by their keys. */
const MESSAGES = [0, 10, 59, 61, 600].map((seconds) => ({
  key: seconds,
  emails: [{ inbox: 'a', to: 'a@b.test', receivedAt: NOON - seconds * 1_000, expiresAt: NOON + 1 }],
})) as unknown as readonly Message[];

/** The keys of the messages whose heads a search looks at. */
async function lookedAt(query: string, since: number | null): Promise<readonly unknown[]> {
  let looked: readonly Message[] = [];
  const inboxes = {
    list: async () => MESSAGES,
    matching: async (messages: readonly Message[]) => {
      looked = messages;
      return messages;
    },
  };
  const parts = { inboxes, marks: new ReadMarks() } as unknown as Searched;
  await searched(searchTerms(query, UTC), parts, viewer, since);
  return looked.map(({ key }) => key);
}

test('what was looked for in vain is looked for again in what may have come since, and a minute before', async () => {
  expect(await lookedAt('subject:x', null)).toEqual([0, 10, 59, 61, 600]);
  expect(await lookedAt('subject:x word', NOON)).toEqual([0, 10, 59]);
  expect(await lookedAt('subject:x', NOON + 55_000)).toEqual([0]);
});

test('a message may have been read since, however old it is', async () => {
  expect(await lookedAt('is:read subject:x', NOON)).toEqual([0, 10, 59, 61, 600]);
});
