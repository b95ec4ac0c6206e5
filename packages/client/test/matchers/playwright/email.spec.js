import { test } from '@playwright/test';
import { Mayfly } from 'mayfly-client';
import { expect } from 'mayfly-client/matchers/playwright';
import { refuse, see } from '../see.cjs';

test('the email matchers work in this runner', async () => {
  const [email] = await new Mayfly().inbox(process.env.INBOX).emails();
  await see(expect, email);
});

test('a negated toMatchEmailSnapshot() throws', async () => {
  const [email] = await new Mayfly().inbox(process.env.INBOX).emails();
  await refuse(expect, email);
});
