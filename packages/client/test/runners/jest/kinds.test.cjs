const { test } = require('mayfly-client/jest');

const addresses = [];

test.each([
  ['a', 1],
  ['b', 2],
])('a test of the table row %s has a new inbox', ({ inbox, mayfly }, letter, number) => {
  addresses.push(inbox.address);
  expect(addresses.length).toBe(number);
  expect('ab'[number - 1]).toBe(letter);
  expect(inbox.address).toMatch(new RegExp(`@${mayfly.domain}$`));
});

test.each(['c'])('a test of the table value %s has a new inbox and one phone', (fixtures, letter) => {
  expect(letter).toBe('c');
  expect(fixtures.phone).toBe(fixtures.phone);
  addresses.push(fixtures.inbox.address);
  expect(new Set(addresses).size).toBe(3);
});

test.failing('a test marked as failing waits for an email that never arrives', async ({ inbox }) => {
  await inbox.waitForEmail({ timeout: 500 });
});

test.concurrent('a concurrent test starts with an empty inbox', async ({ inbox }) => {
  expect(await inbox.emails()).toEqual([]);
});

test.skip('a skipped test does not run', () => {
  throw new Error('not to be run');
});

test.todo('a test that is not written yet');
