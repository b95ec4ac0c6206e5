import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Mayfly } from 'mayfly-client';
import { startMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';

let service;
let mayfly;

before(async () => {
  service = await startMayfly();
  mayfly = new Mayfly({ baseUrl: service.url, domain: service.domain });
});

after(() => service?.stop());

/** Stands in for your application: a queue that keeps the order per address, and retries each message. */
async function sendAll(mails) {
  const transport = createTransport(service.smtp);
  for (const mail of mails) {
    for (let tries = 1; ; tries++) {
      try {
        await transport.sendMail({ from: 'shop@example.test', ...mail });
        break;
      } catch (error) {
        if (error.responseCode >= 500 || tries === 5) throw error;
      }
    }
  }
}

const SUBJECTS = ['Order confirmed', 'Order shipped', 'Order delivered'];

test('later messages do not overtake a deferred one', async () => {
  const inbox = mayfly.createInbox({ simulate: ['451 x1', 'hold'] });
  await sendAll(SUBJECTS.map((subject) => ({ to: inbox.address, subject, text: subject })));

  // Position 1 is the email held longest, so the loop releases the emails in the order in which Mayfly accepted them.
  for (const subject of SUBJECTS) {
    const mark = await inbox.mark();
    await inbox.release([1]);
    assert.equal((await inbox.waitForEmail({ after: mark })).subject, subject);
  }
});

test('a late code does not replace a newer one', async () => {
  const inbox = mayfly.createInbox({ simulate: ['hold'] });
  const codes = ['111333', '482913'];
  await sendAll(codes.map((code) => ({ to: inbox.address, subject: 'Sign in', text: `Your code is ${code}` })));

  await inbox.release([2, 1]);
  const [last, first] = await inbox.waitForEmails({ count: 2 });
  assert.deepEqual([first.otp, last.otp], ['482913', '111333']);
  // Your test enters first.otp here, and expects the application to reject last.otp.
});
