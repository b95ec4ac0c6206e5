const { Mayfly } = require('mayfly-client');
const { refuse, see } = require('../see.cjs');

test('the email matchers work in this runner', async () => {
  expect.assertions(9);
  const [email] = await new Mayfly().inbox(process.env.INBOX).emails();
  await see(expect, email);
});

test('a negated toMatchEmailSnapshot() throws', async () => {
  const [email] = await new Mayfly().inbox(process.env.INBOX).emails();
  await refuse(expect, email);
});
