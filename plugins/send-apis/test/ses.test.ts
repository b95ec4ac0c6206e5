import { expect, test } from 'vitest';
import { type Answer, describeSdk, freshAddress, load } from './provider.js';

const CREDENTIALS = { accessKeyId: 'AKIA123', secretAccessKey: 'secret' };
const optionsFor = (endpoint: string) => ({ endpoint, region: 'us-east-1', credentials: CREDENTIALS, maxAttempts: 1 });

const FROM = '=?utf-8?q?=C3=84pp=2C_Inc=2E?= <app@acme.test>';

describeSdk('@aws-sdk/client-sesv2, the SDK', {}, (service) => {
  const { SESv2Client, SendEmailCommand, SendBulkEmailCommand } = load('@aws-sdk/client-sesv2');
  const send = (input: Answer): Promise<Answer> =>
    new SESv2Client(optionsFor(service.url)).send(new SendEmailCommand(input));
  const textMail = (to: string) => ({
    FromEmailAddress: FROM,
    Destination: { ToAddresses: [to] },
    Content: { Simple: { Subject: { Data: 'Hi' }, Body: { Text: { Data: 'Your code is 482913' } } } },
  });

  test("SES's API sends a raw message to the recipients in its header, or in the request", async () => {
    const [to, bcc, other] = [freshAddress(), freshAddress(), freshAddress()];
    const Data = Buffer.from(
      `From: App <app@acme.test>\nTo: ${to}\nBcc: ${bcc},\n ${bcc}\nMessage-ID: <own@acme.test>\nSubject: Raw\n\nYour code is 482913\n`,
    );
    const { MessageId } = await send({ Content: { Raw: { Data } } });
    for (const address of [to, bcc]) {
      const [email] = await service.emails(address);
      expect(email).toMatchObject({ otp: '482913', id: `<${MessageId}@email.amazonses.com>`, subject: 'Raw' });
      expect(email.rawBody).not.toMatch(/^bcc|own@acme/im);
    }
    await send({ FromEmailAddress: FROM, Destination: { ToAddresses: [other] }, Content: { Raw: { Data } } });
    expect(await service.emails(other)).toHaveLength(1);
    expect(await service.emails(to)).toHaveLength(1);
  });

  test("SES's API sends named templates, inline templates and bulk messages", async () => {
    const [named, inline, one] = [freshAddress(), freshAddress(), freshAddress()];
    const TemplateData = '{"code":"771245","name":"<Jane>"}';
    const mail = (to: string, Template: Answer) => ({
      FromEmailAddress: FROM,
      Destination: { ToAddresses: [to] },
      Content: { Template },
    });
    await send(mail(named, { TemplateName: 'welcome', TemplateData }));
    expect(await service.emails(named)).toMatchObject([{ otp: '771245' }]);
    const TemplateContent = { Subject: 'Hi {{name}}', Html: '<p>{{ name }}, your code is {{code}}</p>' };
    await send(mail(inline, { TemplateContent, TemplateData }));
    expect(await service.emails(inline)).toMatchObject([{ otp: '771245', subject: 'Hi <Jane>' }]);
    expect((await service.parts(inline)).html).toBe('<p>&lt;Jane&gt;, your code is 771245</p>');
    const entry = (to: string) => ({
      Destination: { ToAddresses: [to] },
      ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: '{"code":"112233"}' } },
    });
    const { BulkEmailEntryResults } = await new SESv2Client(optionsFor(service.url)).send(
      new SendBulkEmailCommand({
        FromEmailAddress: FROM,
        DefaultContent: { Template: { TemplateContent, TemplateData } },
        BulkEmailEntries: [entry(one), entry('a@else.test')],
      }),
    );
    expect(BulkEmailEntryResults).toMatchObject([{ Status: 'SUCCESS' }, { Status: 'MESSAGE_REJECTED' }]);
    expect(await service.emails(one)).toMatchObject([{ otp: '112233' }]);
  });

  test.each<[string, (mail: Answer) => Answer, string, RegExp]>([
    ['no recipient', (mail) => ({ ...mail, Destination: {} }), 'BadRequestException', /Destination/],
    ['no content', (mail) => ({ ...mail, Content: {} }), 'BadRequestException', /Content/],
  ])('a message with %s gets the error that SES sends', async (_, change, name, message) => {
    const error = await send(change(textMail('a@inbox.example.com'))).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({
      name,
      message: expect.stringMatching(message),
      $metadata: { httpStatusCode: 400 },
    });
  });
});
