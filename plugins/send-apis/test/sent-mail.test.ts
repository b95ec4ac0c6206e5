/** Mail that is found again by the provider's id, which tells when it was made. */
import { expect, test } from 'vitest';
import type { AllInboxes, Head, Message, Request } from '../../../packages/server/dist/extension/extension.js';
import { SentMail } from '../src/sent-mail.js';
import { timedUuid } from '../src/timed-id.js';

const SENT_AT = Date.UTC(2026, 0, 31, 9, 30);

test.each<[what: string, inbox: string, laterMs: number, isFound: boolean]>([
  ['at once', 'demo', 0, true],
  ['after a slow store', 'demo', 60_000, true],
  ['too late to be the mail', 'demo', 60_001, false],
  ['once it was released', 'demo--hold', 29 * 60_000, true],
  ['before it was sent', 'demo--hold', -1, false],
])('%s', async (_what, inbox, laterMs, isFound) => {
  const uuid = timedUuid(SENT_AT);
  const id = `<${uuid}@resend.dev>`;
  const message = { key: 1, emails: [{ inbox, receivedAt: SENT_AT + laterMs }] } as unknown as Message;
  const head = { id } as Head;
  const inboxes: Pick<AllInboxes, 'list' | 'matching' | 'head'> = {
    list: async () => [message],
    matching: async (messages, test) => messages.filter((one) => test(head, one)),
    head: async () => head,
  };
  const viewers = { viewerOf: () => ({ mayOpen: () => true }) };
  const host = { openAll: async () => inboxes as AllInboxes, viewers, access: {} };
  const sent = new SentMail(host as never, () => null);
  expect(await sent.message({} as Request, uuid, id)).toEqual(isFound ? { message, head } : null);
});
