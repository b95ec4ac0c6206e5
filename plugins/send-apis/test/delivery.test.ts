import { StoreAwayError } from 'mayfly-inbox/plugin';
import { Delivery, type ToDeliver } from 'mayfly-plugins-shared/sending/delivery';
import { expect, test } from 'vitest';

/** Returns a delivery to a store with these outcomes in order. An `Error` is a failure of the store. */
function deliveryOf(outcomes: readonly (Error | 'stored')[]) {
  const left = [...outcomes];
  const cleared: string[] = [];
  const errors: unknown[] = [];
  const mail = {
    async deliver() {
      const outcome = left.shift();
      if (outcome instanceof Error) throw outcome;
      return { stored: true, receivedAt: [left.length] } as const;
    },
  };
  const clear = async (inbox: string, receivedAt?: number) => {
    cleared.push(`${inbox} ${receivedAt}`);
  };
  const clock = { now: () => 0, monotonic: () => 0, after: () => () => {} };
  const log = { error: (facts: unknown) => errors.push(facts) };
  return {
    delivery: new Delivery({ mail, records: { clear }, clock, log, client: '127.0.0.1' }),
    cleared,
    errors,
  };
}

const mails = (kept: string[] = []): readonly ToDeliver[] =>
  ['a', 'b', 'c'].map((id) => ({
    mail: { id, from: 'app@acme.test', recipients: [`${id}@inbox.example.com`], notes: [] },
    recipients: [{ inbox: id, to: `${id}@inbox.example.com` }],
    raw: new Uint8Array(),
    sendApi: { provider: 'resend', id, request: 'POST /emails', body: null, notes: [] },
    noteKept: () => kept.push(id),
  }));

test('a store that fails midway keeps no message of a strict batch', async () => {
  const { delivery, cleared } = deliveryOf(['stored', 'stored', new StoreAwayError('gone')]);
  const kept: string[] = [];
  await expect(delivery.all(mails(kept))).rejects.toThrow(StoreAwayError);
  expect([cleared, kept]).toEqual([['a 2', 'b 1'], []]);
});

test('if the store fails midway, each remaining message is reported as failed without another try', async () => {
  const { delivery, cleared } = deliveryOf(['stored', new StoreAwayError('gone'), 'stored']);
  const kept: string[] = [];
  const kinds = (await delivery.each(mails(kept))).map((outcome) => ('kind' in outcome ? outcome.kind : outcome.id));
  expect([kinds, cleared, kept]).toEqual([['a', 'unavailable', 'unavailable'], [], ['a']]);
});

test('an error of one message is logged, and the other messages are stored', async () => {
  const { delivery, errors } = deliveryOf(['stored', new Error('odd'), 'stored']);
  const kept: string[] = [];
  const kinds = (await delivery.each(mails(kept))).map((outcome) => ('kind' in outcome ? outcome.kind : outcome.id));
  expect([kinds, errors, kept]).toEqual([['a', 'internal', 'c'], [{ err: new Error('odd') }], ['a', 'c']]);
});
