import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { Mayfly } from 'mayfly-client';
import { webhooks } from 'mayfly-client/webhooks';
import { startMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';
import { Resend } from 'resend';

const webhookSecret = `whsec_${btoa('a secret of these tests')}`;

/** Stands in for your application, which records addresses that bounced, and ignores an event that it gets again. */
const bounced = [];
const handled = new Set();
const app = createServer(async (request, response) => {
  let payload = '';
  for await (const chunk of request) payload += chunk;
  const id = request.headers['svix-id'];
  const headers = { id, timestamp: request.headers['svix-timestamp'], signature: request.headers['svix-signature'] };
  try {
    const event = new Resend('re_any').webhooks.verify({ payload, headers, webhookSecret });
    if (!handled.has(id) && event.type === 'email.bounced') bounced.push(...event.data.to);
    handled.add(id);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
});

let service;
let email;
let hooks;

before(async () => {
  service = await startMayfly();
  const inbox = new Mayfly({ baseUrl: service.url, domain: service.domain }).createInbox();
  const mail = { from: 'app@example.test', to: inbox.address, subject: 'Welcome', text: 'Your code is 482913' };
  await createTransport(service.smtp).sendMail(mail);
  email = await inbox.waitForEmail();
  await once(app.listen(0, '127.0.0.1'), 'listening');
  hooks = webhooks({ as: 'resend', url: `http://127.0.0.1:${app.address().port}/webhooks`, secret: webhookSecret });
});

after(async () => {
  app.closeAllConnections();
  app.close();
  await service?.stop();
});

test('rejects a forged or old bounce', async () => {
  for (const signature of ['wrong', 'stale']) {
    assert.equal((await hooks.bounced(email, { signature })).status, 401);
  }
  assert.deepEqual(bounced, []);
});

test('counts a bounce once, even if it is reported twice', async () => {
  assert.equal((await hooks.bounced(email, { twice: true })).status, 204);
  assert.deepEqual(bounced, [email.to]);
});
