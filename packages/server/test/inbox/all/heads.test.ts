import { expect, test } from 'vitest';
import { Heads } from '../../../src/inbox/all/heads.js';
import type { Message } from '../../../src/inbox/all/message-list.js';
import { messageRecord } from '../../../src/inbox/ingest/stored-message.js';
import { openMemoryStore } from '../../../src/store/memory.js';
import type { StoredEmail } from '../../../src/store/store.js';
import { addressingOf } from '../../addressing.js';
import { delivery, NOON, ROOMY } from '../../store/mail.js';

const VALUES = { id: '<1@app.test>', from: 'app@app.test', subject: 'Hello', otp: null, magicLink: null, body: 'x' };
const SUMMARY = Buffer.from(JSON.stringify({ fromName: '', size: 7, attachments: 0, text: 'x' }));

/** Messages with this header in a store, and what reads their heads. */
async function stored(count: number, header: string) {
  const store = openMemoryStore({ ...ROOMY, maxEmails: 100_000 });
  const record = messageRecord({ ...VALUES, envelopeFrom: '', recipients: null }, 'utf8');
  const content = [record, Buffer.from(`${header}\r\n\r\nx`)];
  for (let i = 0; i < count; i += 1) await store.append(delivery('a', NOON + i, { summary: SUMMARY, content }), NOON);
  const emails = await store.list('a', { limit: count }, NOON);
  const messages: Message[] = emails.map((email: StoredEmail) => ({ key: store.contentKey(email), emails: [email] }));
  return { store, messages, heads: new Heads(store, addressingOf()) };
}

test('heads that were read are kept until they are too many, those read last the longest', async () => {
  // Some 25,000 characters each, of at most 16 Mi together.
  const names = Array.from({ length: 100 }, (_, i) => `${'n'.repeat(200)} <a${i}@b.test>`);
  const { messages, heads } = await stored(800, `To: ${names.join(', ')}`);
  for (const message of messages) expect((await heads.of(message)).to).toHaveLength(100);
  const kept = messages.filter((message) => heads.known(message) !== undefined);
  expect(kept.length).toBeGreaterThan(400);
  expect(kept).toEqual(messages.slice(-kept.length));
  expect(kept.length).toBeLessThan(750);
});

test('a head has the first field of each name, however far down, up to 32 KB', async () => {
  const padding = `X-Long: ${'x'.repeat(1_000)}\r\n`;
  const fields = 'To: one@b.test\r\nTo: two@b.test\r\nCc: three@b.test';
  const near = await stored(1, padding.repeat(30) + fields);
  const far = await stored(1, padding.repeat(33) + fields);
  const of = async ({ heads, messages }: typeof near) => {
    const { to, cc } = await heads.of(messages[0] as Message);
    return [...to, ...cc].map(({ address }) => address);
  };
  expect([await of(near), await of(far)]).toEqual([['one@b.test', 'three@b.test'], []]);
});

test('a head that was read is given without a look at the store', async () => {
  const { store, messages, heads } = await stored(1, 'To: one@b.test');
  const [message] = messages as [Message];
  const first = await heads.of(message);
  store.content = () => {
    throw new Error('looked at');
  };
  expect(heads.of(message)).toBe(first);
});
