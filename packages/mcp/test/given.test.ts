import { describe, expect, test } from 'vitest';
import { Given, GivenByClient } from '../src/given.js';

const at = (n: number) => new Date(n).toISOString();

describe('the memory of returned emails', () => {
  test('drops the least recently used inbox if there are too many', () => {
    const given = new Given();
    given.add('first', at(1));
    given.add('second', at(1));
    for (let n = 0; n < 198; n++) given.add(`inbox-${n}`, at(1));
    given.add('first', at(2));
    given.add('one more', at(1));
    expect([given.has('first', at(1)), given.has('second', at(1)), given.has('one more', at(1))]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('is separate for each client, and drops the least recently used client if there are too many', () => {
    const clients = new GivenByClient();
    clients.to('a').add('inbox', at(1));
    expect(clients.to('b').has('inbox', at(1))).toBe(false);
    expect(clients.to('a').has('inbox', at(1))).toBe(true);
    for (let n = 0; n < 499; n++) clients.to(`client-${n}`);
    expect(clients.to('a').has('inbox', at(1))).toBe(true);
    for (let n = 0; n < 500; n++) clients.to(`other-${n}`);
    expect(clients.to('a').has('inbox', at(1))).toBe(false);
  });
});
