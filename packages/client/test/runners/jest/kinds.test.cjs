const { test } = require('mayfly-client/jest');

const addresses = [];

test.each([
  ['a', 1],
  ['b', 2],
])('a row, %s', ({ inbox, mayfly }, letter, number) => {
  addresses.push(inbox.address);
  expect(addresses.length).toBe(number);
  expect('ab'[number - 1]).toBe(letter);
  expect(inbox.address).toMatch(new RegExp(`@${mayfly.domain}$`));
});

test.each(['c'])('one value, %s', ({ inbox }, letter) => {
  expect(letter).toBe('c');
  addresses.push(inbox.address);
  expect(new Set(addresses).size).toBe(3);
});

test.failing('that is to fail', async ({ inbox }) => {
  await inbox.waitForEmail({ timeout: 500 });
});

test.concurrent('concurrently', async ({ inbox }) => {
  expect(await inbox.emails()).toEqual([]);
});

test.skip('a skipped test does not run', () => {
  throw new Error('not to be run');
});

test.todo('later');
