import { Mayfly } from 'mayfly-client';
import { describe, expect, test } from 'vitest';
import { refuse, see } from '../see.cjs';

/** The emails of the inbox under test, newest first. */
const received = () => new Mayfly().inbox(process.env.INBOX).emails();

test('the email matchers work in this runner', async () => {
  expect.assertions(9);
  const [email] = await received();
  await see(expect, email);
});

// Each test has its own snapshot, regardless of which test runs first.
describe.concurrent('concurrent tests', () => {
  test.for([0, 1])('match the snapshot of email %i', async (index, { expect }) => {
    const emails = await received();
    if (index === 0) await emails[0].headers();
    await expect(emails[index]).toMatchEmailSnapshot({ mask: [/No\. \d+/] });
  });
});

test('a negated toMatchEmailSnapshot() throws', async () => {
  const [email] = await received();
  await refuse(expect, email);
});
