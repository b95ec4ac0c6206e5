import { test } from '@playwright/test';
import { Mayfly } from 'mayfly-client';
import { expect } from 'mayfly-client/matchers/playwright';
import { refuse, see } from '../see.cjs';

test('sees a code', async () => {
  const [email] = await new Mayfly().inbox(process.env.INBOX).emails();
  await see(expect, email);
});

test('rejects a negated snapshot matcher', async () => {
  const [email] = await new Mayfly().inbox(process.env.INBOX).emails();
  await refuse(expect, email);
});
