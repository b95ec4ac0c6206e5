import { test } from '@playwright/test';
import { Mayfly } from 'mayfly-client';
import { expect } from 'mayfly-client/matchers/playwright';
import { see } from '../see.cjs';

test('sees a code', async () => {
  const [email] = await new Mayfly().inbox(process.env.INBOX).emails();
  await see(expect, email);
});
