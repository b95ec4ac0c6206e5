import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { Mayfly } from 'mayfly-client';
import { inbound } from 'mayfly-client/inbound';
import { startMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';

const secret = 'signing-key';

/** Stands in for your application, which accepts replies to its emails from Mailgun. */
const replies = [];
const app = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { timestamp, token, signature, ...fields } = Object.fromEntries(new URLSearchParams(body));
  const expected = createHmac('sha256', secret)
    .update(timestamp + token)
    .digest('hex');
  if (signature === expected) replies.push([fields.recipient, fields['stripped-text']]);
  response.writeHead(signature === expected ? 200 : 401).end();
});

let service;
let email;
let mail;

before(async () => {
  service = await startMayfly();
  const inbox = new Mayfly({ baseUrl: service.url, domain: service.domain }).createInbox();
  const message = { from: 'ticket+42@in.example.com', to: inbox.address, subject: 'Your ticket', text: 'Solved?' };
  await createTransport(service.smtp).sendMail(message);
  email = await inbox.waitForEmail();
  await once(app.listen(0, '127.0.0.1'), 'listening');
  mail = inbound({ as: 'mailgun', url: `http://127.0.0.1:${app.address().port}/inbound`, secret });
});

after(async () => {
  app.closeAllConnections();
  app.close();
  await service?.stop();
});

test('a reply reaches its ticket', async () => {
  const { status } = await mail.reply(email, { text: 'Not yet' });
  assert.equal(status, 200);
  assert.deepEqual(replies, [['ticket+42@in.example.com', 'Not yet']]);
});

test('rejects a forged reply', async () => {
  const { status } = await mail.reply(email, { text: 'Close it' }, { signature: 'wrong' });
  assert.equal(status, 401);
  assert.equal(replies.length, 1);
});
