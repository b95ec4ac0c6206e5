import { describe, expect, test } from 'vitest';
import { Given, GivenByClient } from '../src/given.js';

const at = (n: number) => new Date(n).toISOString();

describe('what waits gave', () => {
  test('is known of each inbox', () => {
    const given = new Given();
    given.add('a', at(2));
    expect([given.has('a', at(2)), given.has('a', at(1)), given.has('a', at(3)), given.has('b', at(2))]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('is never given again, however much of it there is', () => {
    const given = new Given();
    for (let n = 1; n <= 1_000; n++) given.add('a', at(n));
    for (let n = 1; n <= 1_000; n++) expect(given.has('a', at(n))).toBe(true);
    expect(given.has('a', at(1_001))).toBe(false);
  });

  test('is forgotten of the inbox that was used longest ago where there are too many', () => {
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

  test("is each client's own, and that of whoever asked longest ago is forgotten", () => {
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
