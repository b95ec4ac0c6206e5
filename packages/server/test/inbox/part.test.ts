import { expect, test } from 'vitest';
import { Turns } from '../../src/fairness/event-loop.js';
import { openPart } from '../../src/inbox/read/messages.js';

test('of a message no more is read than its part needs, and all of that', async () => {
  let read = 0;
  async function* message() {
    for (const piece of ['aa', 'bPa', 'rtb', 'bb', 'cc']) {
      read += 1;
      yield Buffer.from(piece);
    }
  }
  const place = { start: 3, end: 7, size: 4, transferEncoding: '', bareCr: false };
  const { content } = openPart({ type: 'text/plain', charset: null, filename: null, ...place }, message(), new Turns());
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe('Part');
  expect(read).toBe(3);
});
