import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { answersOf } from '../../src/http/answer/answers.js';
import { HeldBytes } from '../../src/limits/client-memory.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Maximum number of large responses to one client at a time. */
const PER_CLIENT = 16;

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a piece');
}

const response = () => new ServerResponse(new IncomingMessage(new Socket()));

test('a large response is not kept in memory while it waits for other responses to end', async () => {
  const answers = answersOf(systemClock, new HeldBytes());
  for (let count = 0; count < PER_CLIENT; count += 1) await answers.make('a client', response(), pieces);
  let begun: WeakRef<object> | null = null;
  const waiting = answers.make('a client', response(), () => {
    const answer = pieces();
    begun ??= new WeakRef(answer);
    return answer;
  });
  const refused = expect(waiting).rejects.toThrow('stopping');
  await setImmediate();
  collectGarbage();
  expect(begun).not.toBeNull();
  expect((begun as WeakRef<object> | null)?.deref()).toBeUndefined();
  answers.turns.close();
  await refused;
});
