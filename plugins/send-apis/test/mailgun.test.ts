import { beforeAll, expect, test } from 'vitest';
import { type Answer, describeSdk, freshAddress, load } from './provider.js';

function clientOf(url: string): Answer {
  const { default: Mailgun = load('mailgun.js') } = load('mailgun.js');
  return new Mailgun(load('form-data')).client({ username: 'api', key: 'key-123', url });
}

const FROM = 'Äpp, Inc. <app@acme.test>';
const DOMAIN = 'mg.acme.test';

describeSdk('mailgun.js, the SDK', {}, (service) => {
  let messages: Answer;

  beforeAll(() => {
    messages = clientOf(service.url).messages;
  });

  test("Mailgun's API finds the events of a message by its ID, and the message by its storage key", async () => {
    const { events } = clientOf(service.url);
    const [to, cc] = [freshAddress(), freshAddress()];
    const { id } = await messages.create(DOMAIN, { from: FROM, to, cc, subject: 'Wélcome', text: 'Code 482913' });
    const { items } = await events.get(DOMAIN, { 'message-id': id });
    expect(items.map(({ event, recipient }: Answer) => [event, recipient])).toEqual([
      ['delivered', to],
      ['accepted', to],
      ['delivered', cc],
      ['accepted', cc],
    ]);
    expect(items[0].message.headers['message-id']).toBe(id.replace(/[<>]/g, ''));
    expect(await messages.retrieveStoredEmail(DOMAIN, items[0].storage.key)).toMatchObject({
      'Message-Id': id,
      Subject: 'Wélcome',
      sender: 'app@acme.test',
      recipients: `${to}, ${cc}`,
      'body-plain': 'Code 482913',
    });
    // The same ID in another domain is a different message.
    expect((await events.get('other.test', { 'message-id': id })).items).toEqual([]);
    for (const key of ['49a3999c-0ce1-7ea6-ab68-afcd6dc2e794', 'x', '%252e', items[0].storage.key]) {
      const domain = key === items[0].storage.key ? 'other.test' : DOMAIN;
      const error = await messages.retrieveStoredEmail(domain, key).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ status: 404, details: 'Message not found' });
    }
    const all = await events.get(DOMAIN).catch((error: Error) => error);
    expect(all).toMatchObject({ status: 400, details: 'message-id parameter is missing' });
  });

  test("Mailgun's API sends each recipient a separate message if the request has recipient-variables", async () => {
    const [one, other] = [freshAddress(), freshAddress()];
    await messages.create(DOMAIN, {
      from: FROM,
      to: [one, other],
      subject: 'Hi %recipient.name%',
      text: 'Your code is %recipient.code%',
      'recipient-variables': JSON.stringify({
        [one]: { name: 'Ann', code: 112233 },
        [other]: { name: 'Bob', code: 445566 },
      }),
    });
    expect(await service.emails(one)).toMatchObject([{ otp: '112233', subject: 'Hi Ann' }]);
    expect(await service.emails(other)).toMatchObject([{ otp: '445566', subject: 'Hi Bob' }]);
    expect((await service.parts(one)).to).toEqual([{ name: '', address: one }]);
  });

  test("Mailgun's API sends a message made from a template, and a raw message", async () => {
    const [named, own] = [freshAddress(), freshAddress()];
    await messages.create(DOMAIN, { from: FROM, to: named, template: 'welcome', 't:variables': '{"code":"771245"}' });
    expect(await service.emails(named)).toMatchObject([{ otp: '771245', body: 'code: 771245' }]);
    const message = `From: app@acme.test\r\nTo: x@else.test\r\nSubject: Raw\r\n\r\nYour code is 482913\r\n`;
    const { id } = await messages.create(DOMAIN, { to: [own], message });
    expect(await service.emails(own)).toMatchObject([{ otp: '482913', id, subject: 'Raw' }]);
  });

  const MAIL = { from: FROM, to: 'a@inbox.example.com', subject: 'Hi', text: 'Hi' };

  test.each<[string, Answer, number, RegExp]>([
    ['an invalid sender', { ...MAIL, from: 'nobody' }, 400, /'from' parameter is not a valid address/],
    [
      'invalid variables',
      { ...MAIL, 'recipient-variables': '{' },
      400,
      /'recipient-variables' parameter is not a valid JSON/,
    ],
  ])('a message with %s gets the error that Mailgun sends', async (_, mail, status, details) => {
    const error = await messages.create(DOMAIN, mail).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ status, details: expect.stringMatching(details) });
  });
});
