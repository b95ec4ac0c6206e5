import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Closing } from '../src/closing.js';

function started() {
  const logged: string[] = [];
  const lines = new Writable({
    write(line, _encoding, done) {
      logged.push(JSON.parse(String(line)).msg);
      done();
    },
  });
  return { closing: new Closing(pino(lines)), logged };
}

test('parts are closed in reverse, each after the one before it', async () => {
  const { closing, logged } = started();
  const steps: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    closing.add(name, async () => {
      steps.push(`${name} begins`);
      await new Promise(setImmediate);
      steps.push(`${name} ends`);
    });
  }
  await closing.all();
  expect(steps).toEqual(['c begins', 'c ends', 'b begins', 'b ends', 'a begins', 'a ends']);
  expect(logged).toEqual([]);
});

test('a part that cannot be closed keeps no other open, and is told in the end', async () => {
  const { closing, logged } = started();
  const closed: string[] = [];
  closing.add('the store', async () => void closed.push('the store'));
  closing.add('the threads', () => Promise.reject(new Error('no thread')));
  closing.add('HTTP', async () => void closed.push('HTTP'));
  closing.add('SMTP', () => {
    throw new Error('no socket');
  });
  await expect(closing.all()).rejects.toMatchObject({
    message: 'Mayfly did not stop cleanly: closing SMTP and the threads failed. See the log.',
    errors: [new Error('no socket'), new Error('no thread')],
  });
  expect(closed).toEqual(['HTTP', 'the store']);
  expect(logged).toEqual(['Closing SMTP failed.', 'Closing the threads failed.']);
});

test('whoever closes a second time waits for the first', async () => {
  const { closing } = started();
  let times = 0;
  closing.add('a', async () => {
    await new Promise(setImmediate);
    times += 1;
  });
  await Promise.all([closing.all(), closing.all()]);
  await closing.all();
  expect(times).toBe(1);
});
