import { describe, expect, test } from 'vitest';
import { messageRecord } from '../../src/inbox/ingest/stored-message.js';
import { ReadyJson } from '../../src/inbox/read/email-json.js';
import { inboxJson, type Json } from '../../src/inbox/read/read.js';
import { openMemoryStore } from '../../src/store/memory.js';
import { ManualClock } from '../manual-clock.js';
import { delivery, NOON, ROOMY } from '../store/mail.js';

const MIB = 1024 * 1024;

/** As two who read the same message do. */
function keepTwice(ready: ReadyJson, key: number, text: string): void {
  ready.keep(key, text);
  ready.keep(key, text);
}

describe('the JSON of the messages that were read last', () => {
  test('is not kept of what is read once in a while', async () => {
    const clock = new ManualClock();
    const ready = new ReadyJson(clock);
    ready.keep(1, 'first');
    expect(ready.get(1)).toBeUndefined();
    await clock.advance(1_000);
    ready.keep(1, 'first');
    expect(ready.get(1)).toBeUndefined();
    ready.keep(1, 'first');
    expect(ready.get(1)).toBe('first');
  });

  test('is kept for a second', async () => {
    const clock = new ManualClock();
    const ready = new ReadyJson(clock);
    keepTwice(ready, 1, 'first');
    await clock.advance(999);
    keepTwice(ready, 2, 'second');
    expect([ready.get(1), ready.get(2)]).toEqual(['first', 'second']);
    await clock.advance(1);
    expect([ready.get(1), ready.get(2)]).toEqual([undefined, undefined]);
    keepTwice(ready, 3, 'third');
    await clock.advance(999);
    expect(ready.get(3)).toBe('third');
    await clock.advance(1);
    expect(ready.get(3)).toBeUndefined();
    expect(clock.alarms).toBe(0);
  });

  test('takes 8 MiB: what was not read for longest goes first', () => {
    const ready = new ReadyJson(new ManualClock());
    const text = 'x'.repeat(MIB);
    for (let key = 1; key <= 8; key++) keepTwice(ready, key, text);
    expect(ready.get(1)).toBe(text);
    keepTwice(ready, 9, 'y');
    expect(ready.get(2)).toBeUndefined();
    expect([1, 3, 8].map((key) => ready.get(key)?.length)).toEqual([MIB, MIB, MIB]);
    expect(ready.get(9)).toBe('y');
  });
});

test('an email that is read again is the same, and each recipient sees his own address', async () => {
  const store = openMemoryStore(ROOMY);
  const values = { id: '<1@a.test>', from: 'a@a.test', subject: 's', otp: null, magicLink: null, body: 'b' };
  const record = messageRecord({ ...values, envelopeFrom: '', recipients: null }, 'utf8');
  await store.append(delivery(['a', 'b'], NOON, { content: [record, Buffer.from('raw of both')] }), NOON);
  await store.append(delivery('a', NOON + 1, { content: [record, Buffer.from('raw of another')] }), NOON);
  const showing = { compat: false, ready: new ReadyJson(new ManualClock()) };
  const emailsOf = async (inbox: string) => {
    const json: Json = inboxJson(store, await store.list(inbox, {}, NOON), showing);
    return JSON.parse(String(json)).emails.map(({ to, rawBody }: { to: string; rawBody: string }) => [to, rawBody]);
  };
  const ofA = [
    ['a@inbox.example.com', 'raw of another'],
    ['a@inbox.example.com', 'raw of both'],
  ];
  for (const _again of [1, 2, 3]) {
    expect(await emailsOf('a')).toEqual(ofA);
    expect(await emailsOf('b')).toEqual([['b@inbox.example.com', 'raw of both']]);
  }
});
