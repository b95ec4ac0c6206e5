import { beforeAll, expect, test } from 'vitest';
import { type Answer, describeSdk, freshAddress, load } from './provider.js';

const FROM = '"Äpp, Inc." <app@acme.test>';
const base64 = (text: string) => Buffer.from(text).toString('base64');

describeSdk('postmark, the SDK', {}, (service) => {
  let client: Answer;

  beforeAll(() => {
    const { ServerClient } = load('postmark');
    client = new ServerClient('token', { requestHost: new URL(service.url).host, useHttps: false });
  });

  test("Postmark's API finds a message by its MessageID", async () => {
    const [to, cc, bcc] = [freshAddress(), freshAddress(), freshAddress()];
    const { MessageID } = await client.sendEmail({
      From: FROM,
      To: `"Doe, Jané" <${to}>`,
      Cc: cc,
      Bcc: bcc,
      Subject: 'Wélcome',
      TextBody: 'Your code is 482913',
      HtmlBody: `<p>${'x'.repeat(30_000)}</p>`,
      Tag: 'welcome',
      Metadata: { run: '42' },
      Attachments: [{ Name: 'a.txt', Content: base64('hello'), ContentType: 'text/plain', ContentID: null }],
    });
    const details = await client.getOutboundMessageDetails(MessageID);
    expect(details).toMatchObject({
      MessageID,
      TextBody: 'Your code is 482913',
      HtmlBody: expect.stringContaining('xxx'),
      Body: (await service.emails(to))[0].rawBody,
      To: [{ Email: to, Name: 'Doe, Jané' }],
      Cc: [{ Email: cc }],
      Bcc: [{ Email: bcc }],
      Recipients: [to, cc, bcc],
      From: expect.stringContaining('app@acme.test'),
      Subject: 'Wélcome',
      Tag: 'welcome',
      Metadata: { run: '42' },
      Attachments: ['a.txt'],
      Status: 'Sent',
      MessageEvents: [{ Type: 'Delivered', Recipient: to }, {}, {}],
    });
    expect(await client.getOutboundMessageDump(MessageID)).toEqual({ Body: details.Body });
    for (const id of ['49a3999c-0ce1-7ea6-ab68-afcd6dc2e794', 'x', '%252e', '<a@b>']) {
      const error = await client.getOutboundMessageDetails(id).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ statusCode: 404, code: 701 });
    }
  });

  test("Postmark's API sends a template, and a batch of templates", async () => {
    const [one, other] = [freshAddress(), freshAddress()];
    const mail = { From: FROM, TemplateModel: { user: { code: 771245 } } };
    await client.sendEmailWithTemplate({ ...mail, To: one, TemplateAlias: 'welcome' });
    expect(await service.emails(one)).toMatchObject([{ otp: '771245', body: 'user.code: 771245' }]);
    const answers = await client.sendEmailBatchWithTemplates([{ ...mail, To: other, TemplateId: 12 }]);
    expect(answers).toMatchObject([{ ErrorCode: 0 }]);
    expect((await service.parts(other)).headers).toContainEqual(
      expect.objectContaining({ name: 'X-Template-ID', value: '12' }),
    );
  });

  const MAIL = { From: FROM, To: 'a@inbox.example.com', Subject: 'Hi', TextBody: 'Hi' };

  test.each<[string, Answer, string, number, number, RegExp]>([
    [
      'no text',
      { ...MAIL, TextBody: '' },
      'InvalidEmailRequestError',
      422,
      300,
      /Provide either email TextBody or HtmlBody/,
    ],
    [
      'a field of another type',
      { ...MAIL, Subject: {} },
      'ApiInputError',
      422,
      403,
      /'Subject' field must be a string/,
    ],
  ])('a message with %s gets the error that Postmark sends', async (_, mail, name, statusCode, code, message) => {
    const error = await client.sendEmail(mail).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name, statusCode, code, message: expect.stringMatching(message) });
  });

  test("Postmark's API reports a recipient in another domain as inactive, so the SDK lists its address", async () => {
    const error = await client.sendEmail({ ...MAIL, To: 'a@else.test' }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: 'InactiveRecipientsError', code: 406, recipients: ['a@else.test'] });
  });
});
