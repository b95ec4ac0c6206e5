const { Mayfly } = require('mayfly-client');
const { startMayfly } = require('mayfly-inbox');
const { createTransport } = require('nodemailer');

let service;

beforeAll(async () => {
  service = await startMayfly();
}, 60_000);

afterAll(() => service?.stop());

test('starts a separate service and receives a code from it', async () => {
  const inbox = new Mayfly({ baseUrl: service.url, domain: service.domain }).createInbox();
  const mail = { from: 'app@example.test', to: inbox.address, subject: 'Welcome', text: 'Your code is 190455' };
  await createTransport(service.smtp).sendMail(mail);
  expect(await inbox.waitForOtp()).toBe('190455');
}, 60_000);
