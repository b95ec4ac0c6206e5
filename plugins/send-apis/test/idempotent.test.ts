import type { Answer } from 'mayfly-plugins-shared/sending/answer';
import { expect, test } from 'vitest';
import { IdempotentRequests } from '../src/resend/idempotent.js';

const CLOCK = { monotonic: () => 0 };

const LARGE = 1024 * 1024;

test('IdempotentRequests deletes the oldest responses when all together have too many characters', async () => {
  const requests = new IdempotentRequests(CLOCK);
  let taken = 0;
  const ask = (key: number) =>
    requests.take(`key-${key}`, '/emails/batch', Buffer.from(String(key)), async () => {
      taken += 1;
      return { status: 200, body: 'x'.repeat(LARGE) };
    });
  for (let key = 0; key < 20; key += 1) await ask(key);
  await ask(19);
  expect(taken).toBe(20);
  await ask(0);
  expect(taken).toBe(21);
});

test('IdempotentRequests rejects the key of a pending request, and accepts it if that request fails', async () => {
  const requests = new IdempotentRequests(CLOCK);
  const body = Buffer.from('{}');
  let fail = (_error: Error) => {};
  const answer = new Promise<Answer>((_resolve, reject) => {
    fail = reject;
  });
  const first = requests.take('key', '/emails', body, () => answer);
  await expect(requests.take('key', '/emails', body, () => answer)).rejects.toMatchObject({
    problem: { kind: 'key-in-use' },
  });
  fail(new Error('refused'));
  await expect(first).rejects.toThrow('refused');
  expect(await requests.take('key', '/emails', body, async () => ({ status: 200, body: 'sent' }))).toMatchObject({
    body: 'sent',
  });
});
