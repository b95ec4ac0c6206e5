import { expect, test } from 'vitest';
import { IdempotentRequests } from '../src/resend/idempotent.js';

const CLOCK = { monotonic: () => 0 } as ConstructorParameters<typeof IdempotentRequests>[0];

const LARGE = 1024 * 1024;

test('answers are kept up to a bound of characters, the newest of them', async () => {
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
