import { beforeAll, expect, test } from 'vitest';
import { type Answer, describeSdk, freshAddress, load } from './provider.js';

/** Makes the calls in the order of SendGrid's documentation, because `setApiKey` resets the base URL. */
function sendTo(url: string): Answer {
  const { Client } = load('@sendgrid/client');
  const { MailService } = load('@sendgrid/mail');
  const client = new Client();
  client.setApiKey('SG.123');
  client.setDefaultRequest('baseUrl', url);
  const sending = new MailService();
  sending.setClient(client);
  return sending;
}

const FROM = { email: 'app@acme.test', name: 'Äpp, Inc.' };

describeSdk('@sendgrid/mail, the SDK', {}, (service) => {
  let mail: Answer;

  beforeAll(() => {
    mail = sendTo(service.url);
  });

  test("SendGrid's API sends a separate message for each personalization", async () => {
    const [one, other] = [freshAddress(), freshAddress()];
    await mail.send({
      from: FROM,
      subject: 'Hi -name-',
      text: '-name-, your code is -code-',
      personalizations: [
        { to: one, substitutions: { name: 'Ann', code: '112233' }, headers: { 'X-Own': 'a' } },
        { to: other, substitutions: { name: 'Bob', code: '445566' }, subject: 'Own' },
      ],
      substitutionWrappers: ['-', '-'],
    });
    expect(await service.emails(one)).toMatchObject([{ otp: '112233', subject: 'Hi Ann' }]);
    expect(await service.emails(other)).toMatchObject([{ otp: '445566', subject: 'Own' }]);
    expect((await service.parts(one)).to).toEqual([{ name: '', address: one }]);
    const [third, fourth] = [freshAddress(), freshAddress()];
    await mail.sendMultiple({ from: FROM, to: [third, fourth], subject: 'Hi', text: 'Your code is 482913' });
    for (const address of [third, fourth]) expect(await service.emails(address)).toHaveLength(1);
  });

  test("for an unknown template, SendGrid's API sends a message that lists the template's variables", async () => {
    const to = freshAddress();
    await mail.send({
      from: FROM,
      to,
      templateId: 'd-123',
      dynamicTemplateData: { code: '771245', user: { name: 'Jane' } },
    });
    expect(await service.emails(to)).toMatchObject([{ otp: '771245', body: 'code: 771245\nuser.name: Jane' }]);
  });

  test("SendGrid's API responds to the sandbox mode as SendGrid does, and adds a note to the message", async () => {
    const to = freshAddress();
    const mailSettings = { sandboxMode: { enable: true } };
    const [answer] = await mail.send({ from: FROM, to, subject: 'Hi', text: 'Hi', mailSettings });
    expect(answer.statusCode).toBe(200);
    expect((await service.parts(to)).sendApi.notes).toEqual([expect.stringContaining('sandbox_mode')]);
  });

  const MAIL = { from: FROM, to: 'a@inbox.example.com', subject: 'Hi', text: 'Hi' };
  const failed = (given: Answer, sending = mail) =>
    sending.send(given).then(
      () => null,
      ({ code, response }: Answer) => ({ code, ...response?.body?.errors?.[0] }),
    );

  test.each<[string, Answer, number, string | null, RegExp]>([
    ['an invalid sender', { ...MAIL, from: 'nobody' }, 400, 'from.email', /Does not contain a valid address/],
    ['no subject', { ...MAIL, subject: undefined }, 400, 'subject', /The subject is required/],
    [
      'an address twice',
      { ...MAIL, cc: MAIL.to },
      400,
      'personalizations.0',
      /should be unique.*\[a@inbox\.example\.com\].*0\.cc/,
    ],
    [
      'invalid base64',
      { ...MAIL, attachments: [{ content: '%', filename: 'a' }] },
      400,
      'attachments.0.content',
      /base64/,
    ],
  ])('a message with %s gets the error that SendGrid sends', async (_, given, code, field, message) => {
    expect(await failed(given)).toMatchObject({ code, field, message: expect.stringMatching(message) });
  });
});
