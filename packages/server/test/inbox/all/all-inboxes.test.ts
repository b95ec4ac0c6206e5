import { expect, test } from 'vitest';
import { AllInboxes, type AllInboxesOptions } from '../../../src/inbox/all/all-inboxes.js';
import { messageRecord } from '../../../src/inbox/ingest/stored-message.js';
import { openMemoryStore } from '../../../src/store/memory.js';
import type { StoredEmail } from '../../../src/store/store.js';
import { addressingOf } from '../../addressing.js';
import { ManualClock } from '../../manual-clock.js';
import { delivery, ROOMY } from '../../store/mail.js';

const RECIPIENTS = ['a@inbox.example.com', 'b@inbox.example.com'];
const VALUES = { id: '<1@app.test>', from: 'app@app.test', subject: 'Hello', otp: null, magicLink: null, body: 'x' };
const SUMMARY = Buffer.from(JSON.stringify({ fromName: '', size: 7, attachments: 0, text: 'x' }));
const EVERYBODY = { mayOpen: () => true, seesAll: true, space: null, leaving: { aborted: false } };

test('messages of two recipients that were found by one are cleared for both, each with a look at what is near it', async () => {
  const clock = new ManualClock();
  const store = openMemoryStore({ ...ROOMY, retentionMs: 600_000 });
  const record = messageRecord({ ...VALUES, envelopeFrom: '', recipients: RECIPIENTS }, 'utf8');
  const content = [record, Buffer.from('Subject: Hello\r\n\r\nx')];
  for (let i = 0; i < 300; i += 1) {
    await store.append(delivery(['a', 'b'], clock.now() + 50 * i, { summary: SUMMARY, content }), clock.now());
  }
  // One that has another time in the other inbox is found all the same.
  await store.append(delivery('b', clock.now() + 60_000), clock.now());
  await store.append(delivery(['a', 'b'], clock.now() + 20_000, { summary: SUMMARY, content }), clock.now());
  const clearing = { clear: (inbox: string, at: number) => store.clearOne(inbox, at, clock.now()) };
  const clears = clearing as unknown as AllInboxesOptions['inboxes'];
  const inboxes = new AllInboxes({ store, clock, inboxes: clears, addressing: addressingOf() });
  const messages = await inboxes.listFor({ inbox: 'a', to: 'a@inbox.example.com' }, EVERYBODY);
  expect(messages).toHaveLength(301);
  let rows = 0;
  const list = store.list.bind(store);
  store.list = (inbox, query, now) => {
    const listed = list(inbox, query, now) as StoredEmail[];
    rows += listed.length;
    return listed;
  };
  await inboxes.clearEach(messages, EVERYBODY);
  expect(rows).toBeLessThan(5_000);
  expect(await list('a', {}, clock.now())).toEqual([]);
  expect(await list('b', {}, clock.now())).toHaveLength(1);
});
