const { Mayfly } = require('mayfly-client');
const { refuse, see } = require('../see.cjs');

test('sees a code', async () => {
  expect.assertions(9);
  const [email] = await new Mayfly().inbox(process.env.INBOX).emails();
  await see(expect, email);
});

test('rejects a negated snapshot matcher', async () => {
  const [email] = await new Mayfly().inbox(process.env.INBOX).emails();
  await refuse(expect, email);
});
