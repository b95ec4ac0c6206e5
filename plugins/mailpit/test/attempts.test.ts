/** Tests the delivery log for `POST /api/v1/send`. */
import { Mayfly } from 'mayfly-client';
import { expect, test } from 'vitest';
import { freshAddress, toolOfFile } from '../../shared/test/compat-api.js';

const tool = await toolOfFile('mailpit', { domain: 'inbox.example.com', maxEmails: 1 });

const send = (to: string) =>
  tool.ask('/api/v1/send', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ From: { Email: 'app@app.test' }, To: [{ Email: to }], Subject: 'Hello', Text: 'Hello' }),
  });

const attempts = (address: string) => new Mayfly({ baseUrl: tool.url }).inbox(address.split('@')[0] ?? '').attempts();

test('the delivery log lists a stored message, and a message that is rejected because the inbox is full', async () => {
  const address = freshAddress('inbox.example.com');
  expect((await send(address)).status).toBe(200);
  expect((await send(address)).status).toBe(400);
  expect(await attempts(address)).toMatchObject([
    { way: 'catcher', outcome: 'kept', from: 'app@app.test' },
    { way: 'catcher', outcome: 'inbox-full', error: { code: 400 } },
  ]);
});

test('the delivery log marks simulated rejections, and lists a message with a delayed reply as stored', async () => {
  const inbox = new Mayfly({ baseUrl: tool.url }).createInbox({ simulate: ['550x1', 'data451x1', 'delay1s'] });
  for (const status of [400, 400, 200]) expect((await send(inbox.address)).status).toBe(status);
  expect(await inbox.attempts()).toMatchObject([
    { way: 'catcher', outcome: 'rehearsed', error: { code: 400, text: expect.stringContaining('550 ') } },
    { way: 'catcher', outcome: 'rehearsed', error: { code: 400, text: expect.stringContaining('451 ') } },
    { way: 'catcher', outcome: 'kept' },
  ]);
});

test('the delivery log lists a rejected message to a domain that Mayfly does not serve', async () => {
  const address = freshAddress('example.com');
  expect((await send(address)).status).toBe(400);
  expect(await attempts(address)).toMatchObject([{ to: address, outcome: 'foreign-domain' }]);
});

test("the delivery log lists the client that read an email over Mailpit's API", async () => {
  const address = freshAddress('inbox.example.com');
  const { ID } = (await (await send(address)).json()) as { ID: string };
  for (const path of ['', '/raw', '']) expect((await tool.ask(`/api/v1/message/${ID}${path}`)).status).toBe(200);
  expect((await attempts(address))[0]?.handed).toMatchObject([{ way: 'drop-in', client: '127.0.0.1' }]);
});

test('deleting all mail also deletes held mail', async () => {
  const inbox = new Mayfly({ baseUrl: tool.url }).createInbox({ simulate: ['hold'] });
  expect((await send(inbox.address)).status).toBe(200);
  expect((await tool.ask('/api/v1/messages', { method: 'DELETE' })).status).toBe(200);
  expect(await inbox.release()).toBe(0);
  expect(await inbox.emails()).toEqual([]);
});
