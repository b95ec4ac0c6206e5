import { expect, test } from 'vitest';
import { Listing } from '../../../src/inbox/all/message-list.js';
import { openMemoryStore } from '../../../src/store/memory.js';
import { delivery, NOON, ROOMY } from '../../store/mail.js';

/** A store with mails to one inbox, a millisecond apart, and its emails, the newest first. */
async function stored(count: number) {
  const store = openMemoryStore(ROOMY);
  for (let i = 0; i < count; i += 1) await store.append(delivery('a', NOON + i), NOON + i);
  const list = () => store.list('a', {}, NOON + count);
  return { store, list, emails: await list() };
}

test('what is beyond the end of a list stays out of it when its inbox is looked at again', async () => {
  const { store, list, emails } = await stored(50);
  const listing = new Listing(store);
  for (const email of emails.slice(0, 10)) listing.append(email);
  listing.end();
  await store.append(delivery('a', NOON + 50), NOON + 50);
  listing.replace(new Map([['a', await list()]]));
  expect(listing.emails).toBe(11);
  expect(listing.messages).toHaveLength(11);
});

test('what there was no room for stays out of a list', async () => {
  const { store, list, emails } = await stored(50);
  const listing = new Listing(store);
  for (const email of emails) listing.append(email);
  listing.cut(NOON + 50, 30);
  expect(listing.emails).toBe(30);
  listing.replace(new Map([['a', await list()]]));
  // The last that there was no room for may have others of its millisecond in the list.
  expect(listing.emails).toBe(31);
});
