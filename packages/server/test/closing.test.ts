import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Closing } from '../src/base/closing.js';

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

test('parts beside one another are closed at the same time, and the ones before them when both are', async () => {
  const { closing } = started();
  const steps: string[] = [];
  const part = (name: string, rounds: number) => async () => {
    steps.push(`${name} begins`);
    for (let round = 0; round < rounds; round += 1) await new Promise(setImmediate);
    steps.push(`${name} ends`);
  };
  closing.add('a', part('a', 1));
  closing.add('b', part('b', 10));
  closing.addBeside('c', part('c', 1));
  await closing.all();
  expect(steps).toEqual(['b begins', 'c begins', 'c ends', 'b ends', 'a begins', 'a ends']);
});

test('of parts beside one another, one that cannot be closed does not keep the other open', async () => {
  const { closing, logged } = started();
  const closed: string[] = [];
  closing.add('a', async () => void closed.push('a'));
  closing.add('b', async () => void closed.push('b'));
  closing.addBeside('c', () => {
    throw new Error('no c');
  });
  await expect(closing.all()).rejects.toThrow('closing c failed');
  expect(closed).toEqual(['b', 'a']);
  expect(logged).toEqual(['Closing c failed.']);
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
