import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { HeldBytes } from '../../../src/fairness/client-memory.js';
import { Inspector } from '../../../src/inbox/threads/inspector.js';
import type { ReadingThreads } from '../../../src/inbox/threads/reading-threads.js';
import { newThreads } from './threads.js';

const opened: ReadingThreads[] = [];

afterEach(async () => {
  for (const threads of opened.splice(0)) await threads.close();
});

async function* pieces(text: string) {
  yield Buffer.from(text);
}

/** Opens a message that says a text. */
const message = (text: string) => () => ({
  sending: { envelope: { from: '', to: 'demo@inbox.example.com' }, sendApi: null },
  pieces: pieces(`Subject: ${text}\r\n\r\n${text}`),
});

test('what is found has memory of its own, so that who reads it slowly holds nothing else', async () => {
  const threads = newThreads();
  opened.push(threads);
  const inspector = new Inspector(threads, systemClock, new HeldBytes(systemClock));
  const by = { client: 'a', signal: new AbortController().signal, cut() {}, hold() {} };
  const found = await Promise.all(
    ['one', 'two', 'three'].map((text) =>
      inspector.inspect(message(text), { preview: { images: 'inside', styles: 'kept', scheme: null } }, by),
    ),
  );
  for (const document of found) expect(document.buffer.byteLength).toBe(document.length);
});
